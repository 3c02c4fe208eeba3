// Reads and writes the keys and texts of an address.
//
// Keys and texts are in the query. Servers refuse a long query, so a long text comes after
// the anchor, which browsers do not send: #fig-machine&machine.edits=...
// A text of more than `MAX_PLAIN` characters is compressed; a compressed text begins with `MARK`.

import { lz } from "../vendor/lz-string/lz-string.js";

const MAX_PLAIN = 200; // characters
const MAX_IN_QUERY = 3000; // characters; a longer text comes after the anchor
const MARK = "lz.";

const written = (text) =>
  text.length > MAX_PLAIN || text.startsWith(MARK) ? MARK + lz.compressToEncodedURIComponent(text) : text;

function read(text) {
  if (!text.startsWith(MARK)) return text;
  try {
    return lz.decompressFromEncodedURIComponent(text.slice(MARK.length)) ?? "";
  } catch {
    return ""; // such as "lz.z", which the library cannot read
  }
}

const afterAnchor = ({ hash }) => new URLSearchParams(hash.split("&").slice(1).join("&"));

const pairsIn = (place) => [...new URLSearchParams(place.search), ...afterAnchor(place)];

export const keysIn = (place) => pairsIn(place).map(([key]) => key);

/** Return the pairs of key and text in an address or a link. */
export const textsIn = (place) => pairsIn(place).map(([key, text]) => [key, read(text)]);

/** Return the id in an address to which the browser scrolls; "" if there is none. */
export function anchorIn({ hash }) {
  const [anchor] = hash.slice(1).split("&");
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor; // a % that is not followed by a valid code
  }
}

/** Set texts of an address by their keys; null removes a key. */
export function setTexts(url, texts) {
  const [anchor] = url.hash.split("&");
  const long = afterAnchor(url);
  for (const [key, plain] of Object.entries(texts)) {
    const text = plain === null ? null : written(plain);
    const isLong = text?.length > MAX_IN_QUERY;
    if (text === null || isLong) url.searchParams.delete(key);
    else url.searchParams.set(key, text);
    if (isLong) long.set(key, text);
    else long.delete(key);
  }
  url.hash = `${long}` ? `${anchor}&${long}` : anchor;
}
