// Reads the state of figures from the page's address, and writes it there.
//
// A moment after a figure changes, this code replaces the address. A change of a trait that
// is `visited` (a step of a walk) adds an entry to the browser's history instead. Back and
// Forward restore only `visited` traits; all other values of the figures stay.

import { figures } from "./figures.js";
import { keysIn, setTexts, textsIn } from "./query.js";
import { resolved } from "../../src/course/widgets/card/texts.js";

const WRITE_DELAY = 200; // milliseconds
const WRITTEN_HERE = {}; // marks the history entries that this code writes

export function setInAddress(texts, { entry = false } = {}) {
  const url = new URL(location.href);
  setTexts(url, texts);
  if (url.href === location.href) return;
  try {
    if (entry) history.pushState(WRITTEN_HERE, "", url);
    else history.replaceState(WRITTEN_HERE, "", url);
  } catch {
    // the browser limits how often the address may change
  }
}

const textsOf = (figure) =>
  Object.fromEntries(figure.inLinks.map((trait) => [`${figure.name}.${trait}`, figure.text(trait)]));

// Return {key: null}, which removes the key, for each key of the figure in the address. Refused
// texts must not stay in the address once the figure changes.
const removalsOf = (figure) =>
  Object.fromEntries(keysIn(location).filter((key) => key.startsWith(`${figure.name}.`)).map((key) => [key, null]));

const changed = new Set();
let timer;
let travelling = false; // while Back or Forward sets the figures

function write(options) {
  clearTimeout(timer);
  timer = undefined;
  const texts = Object.assign({}, ...[...changed].map((figure) => ({ ...removalsOf(figure), ...textsOf(figure) })));
  changed.clear();
  setInAddress(texts, options);
}

function writeSoon(figure) {
  changed.add(figure);
  clearTimeout(timer);
  timer = setTimeout(write, WRITE_DELAY);
}

/** Set a figure to the state in the address. From then on, write the figure's changes there. */
export function takeFromAddress(figure) {
  const { values = {}, refused } = resolved(figure, textsIn(location));
  if (refused) {
    const shown = figure.isFirst ? "the figure\u2019s first state" : "the figure as you left it";
    figure.say("refused", `The address asks for ${refused.replace(/\.$/, "")}. This is ${shown}.`);
  } else if (Object.keys(values).length) figure.take(figure.completed(values));
  for (const trait of figure.inLinks) figure.model.on(`change:${trait}`, () => writeSoon(figure));
  for (const trait of figure.visited) {
    figure.model.on(`change:${trait}`, () => travelling || write({ entry: true }));
  }
}

/** Return a link to a figure's present state. For the first state the link names any trait: without one the device's state would show. */
export function linkTo(figure) {
  const link = new URL(location.pathname, location.href);
  link.hash = `fig-${figure.name}`;
  const texts = textsOf(figure);
  if (!Object.values(texts).some(Boolean)) Object.assign(texts, figure.anyTrait());
  setTexts(link, texts);
  return link.href;
}

// Handle `popstate`: the reader pressed Back or Forward, or the address has a new anchor.
function travel() {
  const texts = textsIn(location);
  const isNew = history.state === null && location.hash.includes("&");
  if (isNew) location.reload(); // a long link to this page has its texts after the anchor
  if (isNew) return;
  travelling = true;
  for (const [model, figure] of figures) {
    const { values = {} } = resolved(figure, texts);
    model.set(Object.fromEntries(figure.visited.map((trait) => [trait, values[trait] ?? figure.first[trait]])));
    changed.add(figure);
  }
  travelling = false;
  write();
}

// Scroll until the whole figure is in view, or its top if it is taller than the window.
function bringIntoView(place) {
  const avoidMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  place?.scrollIntoView({
    block: place.offsetHeight < innerHeight ? "nearest" : "start",
    behavior: avoidMotion ? "instant" : "smooth",
  });
}

/**
 * Follow a link in the text that sets a figure of this page, without loading the page again.
 * Traits that the link does not name return to their values in the built page. A link that
 * names only traits that Undo ignores (such as the step of a walk) leaves the other traits alone.
 */
function followInPlace(event) {
  const link = event.target.closest?.("a[href*='?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.origin + link.pathname !== location.origin + location.pathname) return;
  for (const figure of figures.values()) {
    const { values = {} } = resolved(figure, textsIn(link));
    if (!Object.keys(values).length) continue;
    event.preventDefault();
    const setsUndoable = Object.keys(values).some((trait) => figure.traits[trait].undo);
    figure.take(setsUndoable ? figure.completed(values) : values);
    bringIntoView(document.getElementById(`fig-${figure.name}`));
  }
}

export function followTheReader() {
  document.addEventListener("click", followInPlace);
  addEventListener("popstate", travel);
  addEventListener("pagehide", () => timer && write());
}
