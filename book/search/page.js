// The search page: shows the results while the reader types, and keeps the query in the
// address. The keys Down and Up move the focus between the field and the results.

import { element, paragraph } from "../runtime/elements.js";
import { excerptOf, marked } from "./excerpt.js";
import { Places } from "./ranking.js";

const MOST = 20; // places shown
const FEW = 5; // if fewer places have all words, places with some of the words are shown too
const PAUSE = 120; // milliseconds between the last key and the search

const field = document.querySelector("main input[name=q]");
const status = document.querySelector(".search-said");
const list = document.querySelector(".search-found");
const places = new Places(globalThis.abhPlaces);

function item({ place, terms }) {
  const link = element("a", { href: place.url }, ...marked(place.title, terms));
  const { page } = place;
  const where = { page: "", figure: `Figure in ${page}`, exercise: `Exercise in ${page}` }[place.kind] ?? page;
  return element("li", {},
    paragraph("found-title", link),
    ...(where ? [paragraph("found-where", where)] : []),
    ...(place.text ? [paragraph("found-words", ...excerptOf(place.text, terms))] : []));
}

const listed = (hits) => element("ol", {}, ...hits.map(item));

const quoted = (words) => `\u201c${words}\u201d`;
const either = (list) => list.map(quoted).join(" or ");

// Remarks on words of the query that no place has as they are typed, by `how` (ranking.js).
const REMARKS = {
  slip: (asked, means) => `No place has ${asked}; these have ${means}.`,
  same: (asked, means) => `${asked} is called ${means} here.`,
  near: (asked, means) => `The course does not tell of ${asked}. The nearest is ${means}.`,
  not: (asked) => `The course does not tell of ${asked}.`,
};

function remarksOn(groups) {
  return groups.filter(({ how }) => how in REMARKS)
    .map(({ words, how, means }) => REMARKS[how](quoted(words.join(" ")), either(means)));
}

function count(whole, others) {
  if (whole > MOST) return `${whole} places; the first ${MOST} are shown.`;
  if (whole) return whole === 1 ? "1 place." : `${whole} places.`;
  return others ? "No place has all the words; these have some." : "";
}

// Return a link to the glossary, which lists the words of the course, for a query without results.
function glossary() {
  const [first] = places.places.filter(({ kind }) => kind === "term");
  if (!first) return [];
  const link = element("a", { href: first.url.split("#")[0] }, first.page);
  return [element("p", {}, "The words of the course stand in the ", link, ".")];
}

function show(asked) {
  const { groups, whole, partly } = places.find(asked);
  const shown = whole.slice(0, MOST);
  const others = whole.length < FEW ? partly.slice(0, MOST - shown.length) : [];
  const hasManyGroups = groups.length > 1;
  const isSigns = asked.trim() && !groups.length;
  status.textContent = [isSigns ? "The search finds words and not signs alone." : "", ...remarksOn(groups), hasManyGroups || shown.length ? count(whole.length, others.length) : ""].join(" ").trim();
  list.replaceChildren(
    ...(shown.length ? [listed(shown)] : []),
    ...(shown.length && others.length ? [element("h2", {}, "With some of the words")] : []),
    ...(others.length ? [listed(others)] : []),
    ...(groups.length && !shown.length && !others.length ? glossary() : []));
}

function remember(asked) {
  const url = new URL(location.href);
  if (asked) url.searchParams.set("q", asked);
  else url.searchParams.delete("q");
  try {
    history.replaceState(null, "", url);
  } catch {
    // a browser may forbid a new address for a page from disk, or limit the number of changes
  }
}

function search() {
  const asked = field.value.trim();
  remember(asked);
  show(asked);
}

const links = () => [...list.querySelectorAll("a")];

function step(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const stops = [field, ...links()];
  const next = stops[stops.indexOf(document.activeElement) + by];
  if (!next || !stops.includes(document.activeElement)) return;
  event.preventDefault();
  next.focus();
}

let timer;
field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(search, PAUSE);
});
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  search();
  links()[0]?.focus();
});
document.querySelector("main").addEventListener("keydown", step);
field.value = new URLSearchParams(location.search).get("q") ?? "";
show(field.value);
field.focus({ preventScroll: true });
