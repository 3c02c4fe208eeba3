// The keys and texts of an address.
//
// They stand in its query; a text that is too long for one, which servers refuse, stands
// behind the anchor, which no server is sent: #fig-machine&machine.edits=...
// A text of more than a line is compressed, and begins with a mark that says so.

import { lz } from "../vendor/lz-string/lz-string.js";

const LINE = 200; // characters
const LONG = 3000;
const MARK = "lz.";

const written = (text) =>
  text.length > LINE || text.startsWith(MARK) ? MARK + lz.compressToEncodedURIComponent(text) : text;

const read = (text) =>
  text.startsWith(MARK) ? lz.decompressFromEncodedURIComponent(text.slice(MARK.length)) ?? "" : text;

const behind = ({ hash }) => new URLSearchParams(hash.split("&").slice(1).join("&"));

const pairsIn = (place) => [...new URLSearchParams(place.search), ...behind(place)];

export const keysIn = (place) => pairsIn(place).map(([key]) => key);

/** Pairs of a key and a text, of an address or a link. */
export const textsIn = (place) => pairsIn(place).map(([key, text]) => [key, read(text)]);

/** The id that an address goes to; "" where it names none. */
export function anchorIn({ hash }) {
  const [anchor] = hash.slice(1).split("&");
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor; // a % that begins no letter
  }
}

/** Set texts of an address by their keys; null takes one out. */
export function setTexts(url, texts) {
  const [anchor] = url.hash.split("&");
  const long = behind(url);
  for (const [key, plain] of Object.entries(texts)) {
    const text = plain === null ? null : written(plain);
    const isLong = text?.length > LONG;
    if (text === null || isLong) url.searchParams.delete(key);
    else url.searchParams.set(key, text);
    if (isLong) long.set(key, text);
    else long.delete(key);
  }
  url.hash = `${long}` ? `${anchor}&${long}` : anchor;
}
