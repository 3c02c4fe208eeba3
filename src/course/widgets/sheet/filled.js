// The result of a sheet that the reader filled in, as the device keeps it.

/** @import { Get, Result } from "../contract.d.ts" */

import { addTry } from "../card/choices.js";

/** "right" if every entry of a kept sheet is right; "" for a text that names no sheet. */
function judge(text) {
  const [right, all] = text.match(/\d+/g) ?? [];
  if (!all) return "";
  return right === all ? "right" : "wrong";
}

/**
 * What the page *Your progress* counts and shows of a figure of sheets.
 *
 * @param {Get} get
 * @returns {Result[]}
 */
export const results = (get) => [{
  prompt: "Fill in one sheet.", how: "Your sheet", given: get("filled"),
  right: "", judge }];

/** Keep the result of a sheet, until the device has one with every entry right. */
export function keepFilled({ model, put }, right, all) {
  const text = `${right} of ${all} entries are right`;
  const kept = model.get("filled");
  if (judge(kept) === "right" || kept === text) return;
  addTry({ model, put }, results((trait) => model.get(trait)), 0, text, () => true);
  put("filled", text);
}
