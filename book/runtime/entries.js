// Names the entries of the reader's device in words, and lists them by page.

import { element } from "./elements.js";
import { PREFIX, keys, page, root } from "./storage.js";

// By trait: the names of one entry and of several, or one name if entries are not counted. Cards
// declare the names of their traits (contract.py); course.js lists these names.
const CALLED = {
  ...globalThis.abhCourse?.called,
  place: ["the place where you were last"],
};
const OTHER = ["setting", "settings"];

const joined = (list) => list.join(", ").replace(/, ([^,]*)$/, " and $1");

/** Describe entries in words: "2 predictions and 1 quiz". */
export function inWords(entries) {
  const found = new Map();
  const keyParts = entries.map((entry) => entry.match(/^(.*)[./](\w+)$/) ?? [entry, entry, ""]);
  const isTries = (trait) => trait === globalThis.abhCourse?.tries;
  const named = new Set(keyParts.filter(([, , trait]) => trait in CALLED && !isTries(trait)).map(([, figure]) => figure));
  for (const [entry, figure, trait] of keyParts) {
    if (trait === "version") continue; // it is of the format, not of the reader
    if (isTries(trait) && named.has(figure)) continue; // a quiz has two entries and counts once
    const [one, several] = CALLED[trait] ?? OTHER;
    if (!found.has(one)) found.set(one, { several, counted: new Set() });
    found.get(one).counted.add(trait in CALLED ? figure : entry);
  }
  const describe = ([one, { several, counted: { size } }]) => (several ? `${size} ${size === 1 ? one : several}` : one);
  return joined([...found].map(describe));
}

export const entriesBelow = (start) => keys().filter((key) => key.startsWith(`${PREFIX}${start}`));

/** Return the page of an entry; "" for an entry of the whole course. */
const pageOf = (key) => key.slice(PREFIX.length).match(/^(.*)\/[^/]*$/)?.[1] ?? "";

/** Return a page's title from the table of contents; the page's name if it is not there. */
function titleOf(name) {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("#contents a[href]")]);
  const found = links.find((link) => link.href.split(/[?#]/)[0] === `${root}${name}.html`
    || (name === page && link.ariaCurrent === "page"));
  return found?.textContent.trim().replace(/\s+/g, " ") ?? name;
}

/** Return list items that describe entries, one item for each page. */
export function listOf(entries) {
  const sorted = [...entries].sort();
  const names = [...new Set(sorted.map(pageOf))].sort();
  const pages = names.map((name) => [name, sorted.filter((entry) => pageOf(entry) === name)]);
  const lines = pages.map(([name, onPage]) => [name ? `${titleOf(name)}: ` : "", inWords(onPage)]);
  return lines.filter(([, words]) => words).map(([title, words]) => element("li", {}, title, words));
}
