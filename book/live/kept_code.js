// Keeps changed texts of cells on the device, and writes them into links.

import { setTexts, textsIn } from "../runtime/query.js";
import { PREFIX, page, store, stored } from "../runtime/storage.js";

const keyOf = (name) => `${PREFIX}${page}/cell-${name}.code`;
const inLink = (name) => `code:${name}`;

/** The text that the device keeps of a cell; null where it keeps none. */
export const keptText = (name) => stored(keyOf(name));

/** Keep a text, or with null forget it; gives why it could not be kept, or "". */
export const keepText = (name, text) => (keptText(name) === text ? "" : store(keyOf(name), text));

const verdictKey = (name) => `${PREFIX}${page}/cell-${name}.verdict`;

/** Count an exercise as solved, or as tried; what was once solved stays so. */
export function keepVerdict(name, passed) {
  if (passed || stored(verdictKey(name)) !== "right") store(verdictKey(name), passed ? "right" : "wrong");
}

/** The text of a cell among the texts of an address; undefined where it has none. */
export const textOf = (name, texts) => new Map(texts).get(inLink(name));

/** Take the text of a cell out of the address. */
export function leaveAddress(name) {
  if (textOf(name, textsIn(location)) === undefined) return;
  const url = new URL(location.href);
  setTexts(url, { [inLink(name)]: null });
  history.replaceState(history.state, "", url);
}

/** The address of the page with a cell's text, going to the cell. */
export function linkTo(anchor, name, text) {
  const url = new URL(location.href);
  url.search = "";
  url.hash = anchor;
  setTexts(url, { [inLink(name)]: text });
  return url.href;
}
