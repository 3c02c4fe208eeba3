// The result of a sheet that the reader filled in. The device keeps this result.

/** @import { Get, Result } from "../contract.d.ts" */

import { addTry } from "../card/choices.js";

/** Return "right" if a kept result has only right entries, else "wrong"; "" for no result. */
function judge(text) {
  const [right, all] = text.match(/\d+/g) ?? [];
  if (!all) return "";
  return right === all ? "right" : "wrong";
}

/**
 * Return the results of a figure of sheets, for the page *Your progress*.
 *
 * @type {(get: Get) => Result[]}
 */
export const results = (get) => [{
  prompt: "Fill in one sheet.", how: "Your sheet", given: get("filled"),
  right: "", judge }];

/** Keep the result of a sheet, unless the kept result has every entry right. */
export function keepFilled({ model, put }, right, all) {
  const text = `${right} of ${all} entries right`;
  const kept = model.get("filled");
  if (judge(kept) === "right" || kept === text) return;
  addTry({ model, put }, results((trait) => model.get(trait)), 0, text);
  put("filled", text);
}
