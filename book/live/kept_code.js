// Keeps changed texts of cells, and verdicts on exercises, on the device.

import { PREFIX, page, store, stored } from "../runtime/storage.js";

const keyOf = (name) => `${PREFIX}${page}/cell-${name}.code`;

/** Return a cell's text on the device; null if the device keeps none. */
export const keptText = (name) => stored(keyOf(name));

/** Keep a cell's text, or delete it if the text is null; return why this failed, or "". */
export const keepText = (name, text) => (keptText(name) === text ? "" : store(keyOf(name), text));

const verdictKey = (name) => `${PREFIX}${page}/cell-${name}.verdict`;

/** Count an exercise as solved or as tried; a solved exercise stays solved. Return why this failed, or "". */
export function keepVerdict(name, passed) {
  if (!passed && stored(verdictKey(name)) === "right") return "";
  return store(verdictKey(name), passed ? "right" : "wrong");
}
