// The result of a sheet that the reader filled in. The device keeps this result.

/** @import { Get, Result } from "../contract.d.ts" */

import { addTry } from "../card/choices.js";

/** Return the share of right entries in a kept result; NaN for no result. */
function shareIn(text) {
  const [right, all] = text.match(/\d+/g) ?? [];
  return right / all;
}

/** Return "right" if a kept result has only right entries, else "wrong"; "" for no result. */
function judge(text) {
  const share = shareIn(text);
  if (Number.isNaN(share)) return "";
  return share === 1 ? "right" : "wrong";
}

/**
 * Return the results of a figure of sheets, for the page *Your progress*.
 *
 * @type {(get: Get) => Result[]}
 */
export const results = (get) => [{
  prompt: "Fill in one sheet.", how: "Your sheet", given: get("filled"),
  right: "", judge }];

/** Return the better of a kept result ("" for none) and a new one. */
export const kept = (filled, right, all) =>
  shareIn(filled) >= right / all ? filled : `${right} of ${all} entries right`;

/** Keep the result of a sheet, unless the kept result is as good or better: a sheet may be shown again. */
export function keepFilled({ model, put }, right, all) {
  const text = kept(model.get("filled"), right, all);
  if (text === model.get("filled")) return;
  addTry({ model, put }, results((trait) => model.get(trait)), 0, text);
  put("filled", text);
}
