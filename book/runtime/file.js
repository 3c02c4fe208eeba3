// What the device keeps, as a file: {"format": "attention-by-hand", "version": 1,
// "saved": <when>, "entries": {<key without its beginning>: <text>}}.

import { parsed } from "../../src/course/widgets/card/json.js";
import { PREFIX, keys, store, stored } from "./storage.js";
import { valueOf } from "../../src/course/widgets/card/values.js";

const FORMAT = "attention-by-hand";
const VERSION = 1;
const OF_A_PAGE = { reading: (text) => ["begun", "end"].includes(text) };
const OF_THE_COURSE = {
  version: (text) => text === "1",
  open: (text) => text === "1",
  way: (text) => {
    const way = parsed(text);
    return Array.isArray(way) && way.length === 2 && typeof way[0] === "string" && Number.isInteger(way[1]);
  },
  place: (text) => {
    const place = parsed(text);
    return Array.isArray(place) && place.length === 3 && place.every((each) => typeof each === "string");
  },
};

/** All entries, as the text of a file. */
export function written() {
  const entries = Object.fromEntries(keys().sort().map((key) => [key.slice(PREFIX.length), stored(key)]));
  return JSON.stringify({ format: FORMAT, version: VERSION, saved: new Date().toISOString(), entries }, null, 1);
}

// Whether the course has a place for an entry, and its text can stand there.
function isSound(key, text, questions) {
  const [, name, last] = key.match(/^(?:(.*)\/)?([^/]+)$/) ?? [];
  if (typeof text !== "string" || !last) return false;
  if (!name) return Object.hasOwn(OF_THE_COURSE, last) && OF_THE_COURSE[last](text);
  if (!Object.hasOwn(questions, name)) return false;
  if (Object.hasOwn(OF_A_PAGE, last)) return OF_A_PAGE[last](text);
  const [, figure, trait] = last.match(/^(.*)\.(\w+)$/) ?? [];
  const state = Object.hasOwn(questions[name], figure ?? "") ? questions[name][figure] : null;
  const { device, schema } = state?._page.traits[trait] ?? {};
  return Boolean(device) && valueOf(text, schema) !== undefined;
}

function date(text) {
  const when = new Date(text);
  return Number.isNaN(when.getTime()) ? "at a time that it does not say"
    : `on ${when.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" })}`;
}

/**
 * Read a file: when it was saved, its entries, and the keys left out, for which the
 * course has no place. Throws, in words, why a text is no such file.
 */
export function readFile(text, questions) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error("it is not a file that this page exports; those are JSON, and this is not.");
  }
  if (file?.format !== FORMAT) throw new Error(`it does not say that it holds progress of this course (format \u201c${FORMAT}\u201d).`);
  if (file.version !== VERSION) throw new Error(`it is of version ${JSON.stringify(file.version)}, and this course reads version ${VERSION}.`);
  if (typeof file.entries !== "object" || file.entries === null || Array.isArray(file.entries)) throw new Error("it has no list of entries.");
  const all = Object.entries(file.entries);
  const [sound, left] = [true, false].map((wanted) => all.filter(([key, entry]) => isSound(key, entry, questions) === wanted));
  return {
    saved: date(file.saved),
    entries: Object.fromEntries(sound.map(([key, entry]) => [`${PREFIX}${key}`, entry])),
    left: left.map(([key]) => key.slice(0, 60)),
  };
}

/** Put entries in the place of all that is kept, or none of them; gives why not, or "". */
export function replaceAll(entries) {
  const before = keys().map((key) => [key, stored(key)]);
  for (const [key] of before) store(key, null);
  const why = Object.entries(entries).map(([key, text]) => store(key, text)).find(Boolean) ?? "";
  if (!why) return "";
  for (const key of keys()) store(key, null);
  for (const [key, text] of before) store(key, text);
  return `Nothing was imported, and what was here is still here: ${why}.`;
}
