// Names the entries of the reader's device in words, and lists them by page.

import { element } from "./elements.js";
import { PREFIX, keys, page, root } from "./storage.js";

// The name of one entry and of several entries, or one name if they are not counted. Cards
// declare the names of their traits (contract.py); course.js lists them by trait.
const CALLED = {
  ...globalThis.abhCourse?.called,
  place: ["the place where you were last"],
  way: ["the way that you took"],
};
const OTHER = ["setting", "settings"];

const joined = (list) => list.join(", ").replace(/, ([^,]*)$/, " and $1");

/** What some entries are: "2 predictions and 1 quiz". */
export function inWords(entries) {
  const found = new Map();
  for (const entry of entries) {
    const [, figure, trait] = entry.match(/^(.*)[./](\w+)$/) ?? [null, entry, ""];
    if (trait === "version") continue; // of the entries themselves
    const [one, several] = CALLED[trait] ?? OTHER;
    if (!found.has(one)) found.set(one, { several, those: new Set() });
    found.get(one).those.add(trait in CALLED ? figure : entry);
  }
  const counted = ([one, { several, those: { size } }]) => (several ? `${size} ${size === 1 ? one : several}` : one);
  return joined([...found].map(counted));
}

export const entriesBelow = (start) => keys().filter((key) => key.startsWith(`${PREFIX}${start}`));

/** The page of an entry; "" where it is of the whole course. */
export const pageOf = (key) => key.slice(PREFIX.length).match(/^(.*)\/[^/]*$/)?.[1] ?? "";

/** A page's title, as the table of contents has it. */
export function titleOf(name) {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("#contents a[href]")]);
  const found = links.find((link) => link.href.split(/[?#]/)[0] === `${root}${name}.html`
    || (name === page && link.ariaCurrent === "page"));
  return found?.textContent.trim().replace(/\s+/g, " ") ?? name;
}

/** What goes, as a list: one line a page. */
export function listOf(entries) {
  const sorted = [...entries].sort();
  const names = [...new Set(sorted.map(pageOf))].sort();
  const pages = names.map((name) => [name, sorted.filter((entry) => pageOf(entry) === name)]);
  const lines = pages.map(([name, those]) => [name ? `${titleOf(name)}: ` : "", inWords(those)]);
  return lines.filter(([, words]) => words).map(([title, words]) => element("li", {}, title, words));
}
