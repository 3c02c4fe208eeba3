// Marks each page in the table of contents as begun or done, and links to where to continue.
// The site's course.js lists the questions of each page (book/progress.py). A page is begun
// when the device keeps an entry of it: an answer, a moved control, changed code. It is done
// when every question has an answer, right or wrong.

import { element } from "./elements.js";
import { PREFIX, VERSION, keys, page, root, store, stored } from "./storage.js";
import { parsed } from "../../src/course/widgets/card/values.js";

export const course = globalThis.abhCourse?.pages ?? [];

const PLACE_DELAY = 300; // milliseconds without scrolling, before this file stores the place
// Height of an imaginary line, as a share of the window. The reader reads the last section that
// begins above this line.
const READING_LINE = 0.3;

/** Return whether the device's entries have this version or none. If not, pages mark no progress and keep no place. */
export const isOurs = () => [null, String(VERSION)].includes(stored(`${PREFIX}version`));

/** Return the reader's tries in an entry, one list for each prompt; [] if the entry cannot be read. */
function triesIn(text) {
  const tries = parsed(text);
  return tries?.constructor === Object ? Object.values(tries).filter(Array.isArray) : [];
}

/** Return a choice's checksum as contract.py computes it: the upper half of Adler-32. */
function checksum(text) {
  let [low, high] = [1, 0];
  for (const byte of new TextEncoder().encode(text)) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high;
}

/** Return the number of questions of a card that the reader has answered. */
function answeredIn(name, figure, { count, answers }) {
  const tries = triesIn(stored(`${PREFIX}${name}/${figure}.${globalThis.abhCourse.tries}`));
  const isAnswer = (text) => typeof text === "string" && answers.some(({ pattern, choices }) =>
    new RegExp(pattern).test(text) && (!choices.length || choices.includes(checksum(text))));
  return Math.min(count, tries.filter((texts) => texts.some(isAnswer)).length);
}

/** Return a page's number of questions and of answers, and its state: "begun", "done" or "". */
export function progressOf({ page: name, questions }) {
  const all = Object.entries(questions);
  const total = all.reduce((sum, [, { count }]) => sum + count, 0);
  const answered = all.reduce((sum, [figure, asked]) => sum + answeredIn(name, figure, asked), 0);
  const isBegun = keys().some((key) => key.startsWith(`${PREFIX}${name}/`));
  return { total, answered, state: total && answered === total ? "done" : isBegun ? "begun" : "" };
}

/** Return the exercises in code of a page, each with its verdict: "right", "wrong" or "". */
export const codeOf = ({ page: name, code = [] }) =>
  code.map(([cell, title]) => ({ cell, title, verdict: stored(`${PREFIX}${name}/cell-${cell}.verdict`) ?? "" }));

/** Return a page's name for a sentence: "chapter 3", or its title. */
const nameInSentence = ({ number, title }) => (number ? `chapter ${number}` : title);

// --- Marks and links --------------------------------------------------------------------

let whyLost = ""; // why the reader's place on this page could not be kept, or ""

function markContents() {
  const states = new Map(course.map((each) => [`${root}${each.page}.html`, progressOf(each).state]));
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("#contents nav li > a")]);
  for (const link of links) {
    const address = link.ariaCurrent === "page" ? `${root}${page}.html` : link.href;
    const state = (isOurs() && states.get(address)) || "";
    if (link.ariaCurrent === "page" && whyLost) mark(link, [state, "not kept"].filter(Boolean).join(", "), whyLost);
    else mark(link, state);
  }
}

/** Set the mark of a link; "" removes it. If the mark is unchanged, do nothing: a new element costs a full layout. */
function mark(link, text, title = "") {
  const there = /** @type {HTMLElement | null} */ (link.parentElement?.querySelector(":scope > .mark") ?? null);
  if ((there?.textContent ?? "") === text && (there?.title ?? "") === title) return;
  there?.remove();
  if (text) link.after(element("span", { className: "mark", title }, text));
}

// Return the section that the reader read last, if the course still has its page.
function lastPlace() {
  const place = parsed(stored(`${PREFIX}place`));
  const [name, id, heading] = Array.isArray(place) ? place.map(String) : [];
  const found = heading && course.find((each) => each.page === name);
  return found && { href: `${root}${name}.html#${encodeURIComponent(id)}`, text: `${nameInSentence(found)}, ${heading}` };
}

function offerToGoOn() {
  const start = document.querySelector(".start p");
  start?.querySelector(".continue")?.remove();
  const place = start && isOurs() && lastPlace();
  if (place) start.prepend(element("a", { className: "continue", href: place.href }, `Continue: ${place.text}`), " ");
}

// --- The reader's place ---------------------------------------------------------------------

// Return the text of a heading without its link.
function textOf(heading) {
  const copy = heading.cloneNode(true);
  copy.querySelector(".headerlink")?.remove();
  return copy.textContent.trim();
}

const headings = [...document.querySelectorAll("article section[id] > :is(h2, h3)")]
  .map((node) => ({ node, id: node.parentElement?.id, text: textOf(node) }));

function keepPlace() {
  clearTimeout(timer);
  timer = undefined;
  if (!isOurs()) return;
  const here = headings.findLast(({ node }) => node.checkVisibility() && node.getBoundingClientRect().top < READING_LINE * innerHeight);
  if (!here || !page.includes("/")) return;
  const text = JSON.stringify([page, here.id, here.text]);
  if (stored(`${PREFIX}place`) === text) return;
  store(`${PREFIX}version`, String(VERSION));
  const why = store(`${PREFIX}place`, text);
  if (why === whyLost) return;
  whyLost = why;
  markContents();
}

let timer;
let showTimer;

function keepPlaceSoon() {
  clearTimeout(timer);
  timer = setTimeout(keepPlace, PLACE_DELAY);
}

function show() {
  markContents();
  offerToGoOn();
}

/** Show the reader's progress, keep the reader's place, and follow the changes of other tabs. */
export function followProgress() {
  if (!course.length) return;
  show();
  const showSoon = () => {
    clearTimeout(showTimer);
    showTimer = setTimeout(show);
  };
  document.addEventListener("kept", showSoon);
  addEventListener("storage", showSoon);
  addEventListener("pageshow", ({ persisted }) => persisted && show());
  if (!course.some((each) => each.page === page)) return;
  addEventListener("scroll", keepPlaceSoon, { passive: true });
  addEventListener("pagehide", () => timer && keepPlace());
}
