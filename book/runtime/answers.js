// Finds the reader's answers in a card, judges them, and shows the results at the end of a page.

/** @import { Get, JudgedResult, Page, Result } from "../../src/course/widgets/contract.d.ts" */

import { element, paragraph } from "./elements.js";
import { codeOf, course } from "./progress.js";
import { page } from "./storage.js";

// The views' files: scripts of the site, written by book/widgets.py.

const exportsOf = {}; // by name: the exports of each file that has run

/** Return the exports of a view's file. The file runs at the first call with its name. */
export const needed = (name) => (exportsOf[name] ??= globalThis.abhSources[name](needed));

// A card's `_page` says which of its traits hold answers, and which file of the course's
// views judges them (contract.d.ts).

/** @type {(get: Get, page: Page) => Result[]} */
const judged = (get, { traits }) => Object.values(traits).flatMap(({ asked }) => (asked ? needed(asked.by).results(get) : []));

/**
 * Return each question of a card with the reader's answer, the verdict ("right", "wrong", or
 * "" without an answer) and, for a choice, the text of the right choice. A right answer counts
 * even if the reader gave a wrong one later. A withdrawn answer counts until the reader gives
 * another. `first` is the reader's first answer, and `wasRight` says whether it was right.
 *
 * @param {Get} get
 * @param {Page} page
 * @returns {JudgedResult[]}
 */
export function resultsOf(get, page) {
  if (!page.tries) return [];
  const results = judged(get, page);
  const isAnswer = ({ judge }, text) => judge(text) !== "";
  const tries = needed("card/choices.js").triesFor(results, get(page.tries), isAnswer);
  return results.map(({ judge, ...result }, i) => {
    const isRight = (text) => judge(text) === "right";
    const last = isAnswer({ judge }, result.given) ? result.given : tries[i].at(-1) ?? result.given;
    const given = [last, ...tries[i]].find(isRight) ?? last;
    const first = tries[i][0] ?? given;
    return { ...result, given, verdict: judge(given), first, wasRight: isRight(first) };
  });
}

/** Return a text as nodes, its symbols set as formulas if the page has `card/prose.js`. */
const typeset = (text) => (globalThis.abhSources?.["card/prose.js"] ? needed("card/prose.js").prose(text) : [text]);

/**
 * Return a list item that shows one result: the question, the answer and the verdict.
 *
 * @param {JudgedResult} result
 * @param {Node} link
 * @param {{ tellRight?: boolean }} options
 */
export function resultItem({ prompt, how, given, first, verdict, right, isData }, link, { tellRight = false } = {}) {
  const sentence = (text) => [...typeset(text), /[.?!\u2026]$/.test(text) ? "" : "."];
  const answer = tellRight && verdict === "wrong" && right ? [" The answer is: ", ...sentence(right)] : [];
  const before = first === given || isData ? [] : [" Your first try: ", ...sentence(first)];
  const item = element("li", {}, element("p", { className: "asked" }, ...typeset(prompt)),
    element("p", {}, element("strong", {}, verdict === "right" ? "Right." : "Not right."),
      ...(isData ? [` ${how}.`] : [` ${how}: `, ...sentence(given)]), ...before, ...answer, " ", link));
  item.dataset.verdict = verdict;
  return item;
}

/** Return the number of results whose first answer was right. */
export const rightAtFirst = (results) => results.filter(({ wasRight }) => wasRight).length;

/** Return the totals in words: "3 right, 1 not right". */
function inTotal(results) {
  const count = (verdict) => results.filter((each) => each.verdict === verdict).length;
  return `${count("right")} right, ${count("wrong")} not right`;
}

// The results at the end of a page.

const resultsOn = (figure) =>
  resultsOf((trait) => figure.model.get(trait), figure.page).map((result) => ({ ...result, name: figure.name }));
const asJson = (results) => JSON.stringify(results);

function summary(all, answered) {
  const one = all.length === 1;
  const questions = one ? "the one question of this page" : `the ${all.length} questions and exercises of this page`;
  const totals = () => `${inTotal(answered)}. ${rightAtFirst(answered)} right at the first try.`;
  if (answered.length) return `You have answered ${one ? "" : `${answered.length} of `}${questions}: ${totals()}`;
  const none = one ? `You have not answered ${questions}` : `You have answered none of ${questions}`;
  return `${none}. Your answers will stand here, with their results.`;
}

const here = course.find((each) => each.page === page) ?? {};

// Exercises in code have a separate list, because not every browser runs the Python that they
// need. The list appears when the reader has tried one of the exercises.
function ofCode() {
  const code = codeOf(here);
  if (!code.some(({ verdict }) => verdict)) return [];
  const items = code.map(({ cell, title, verdict }) => element("li", {}, element("a", { href: `#cell-${cell}` }, title),
    ": ", { right: "solved.", wrong: "not yet.", "": "not tried." }[verdict]));
  return [paragraph("", "The exercises in code of this page:"), element("ul", {}, ...items)];
}

function followCode(act) {
  const now = () => JSON.stringify(codeOf(here));
  let before = now();
  document.addEventListener("kept", () => {
    const after = now();
    if (after === before) return;
    before = after;
    act();
  });
}

/** Show the results of figures in the page's last section; update them whenever a result changes. */
export function showResults(figures) {
  const section = document.querySelector("section.results");
  if (!section) return;
  const asking = figures.filter(({ page }) => page.tries);
  const box = element("div", { className: "answers" });
  section.append(box);
  const resultsBy = new Map(asking.map((figure) => [figure, resultsOn(figure)]));
  const show = () => {
    const all = [...resultsBy.values()].flat();
    const answered = all.filter(({ verdict }) => verdict);
    const list = answered.map((result) =>
      resultItem(result, element("a", { href: `#fig-${result.name}` }, "Back to it"), { tellRight: true }));
    box.replaceChildren(paragraph("", summary(all, answered)), ...(list.length ? [element("ol", {}, ...list)] : []), ...ofCode());
  };
  show();
  followCode(show);
  for (const figure of asking) {
    /** Update one figure's results; draw only if one has changed, because most changes of a figure answer no question. */
    const update = () => {
      const [before, now] = [resultsBy.get(figure), resultsOn(figure)];
      if (asJson(before) === asJson(now)) return;
      resultsBy.set(figure, now);
      show();
    };
    for (const trait of figure.onDevice) figure.model.on(`change:${trait}`, update);
  }
}
