// Keeps changed texts of cells on the device, and writes them into links.

import { setTexts, textsIn } from "../runtime/query.js";
import { PREFIX, page, store, stored } from "../runtime/storage.js";

const keyOf = (name) => `${PREFIX}${page}/cell-${name}.code`;
const inLink = (name) => `code:${name}`;

/** Return a cell's text on the device; null if the device keeps none. */
export const keptText = (name) => stored(keyOf(name));

/** Keep a cell's text, or delete it if the text is null; return why this failed, or "". */
export const keepText = (name, text) => (keptText(name) === text ? "" : store(keyOf(name), text));

const verdictKey = (name) => `${PREFIX}${page}/cell-${name}.verdict`;

/** Count an exercise as solved or as tried; a solved exercise stays solved. */
export function keepVerdict(name, passed) {
  if (passed || stored(verdictKey(name)) !== "right") store(verdictKey(name), passed ? "right" : "wrong");
}

/** Return the text of a cell among the texts of an address; undefined if there is none. */
export const textOf = (name, texts) => new Map(texts).get(inLink(name));

/** Remove the text of a cell from the address. */
export function leaveAddress(name) {
  if (textOf(name, textsIn(location)) === undefined) return;
  const url = new URL(location.href);
  setTexts(url, { [inLink(name)]: null });
  history.replaceState(history.state, "", url);
}

/** Return a link to a cell of this page, with the cell's text in the link. */
export function linkTo(anchor, name, text) {
  const url = new URL(location.href);
  url.search = "";
  url.hash = anchor;
  setTexts(url, { [inLink(name)]: text });
  return url.href;
}
