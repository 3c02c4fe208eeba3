// Finds the reader's answers in a card, judges them, and describes the results.

/** @import { Get, JudgedResult, Page, Result } from "../../src/course/widgets/contract.d.ts" */

import { element } from "./elements.js";

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
export function inTotal(results) {
  const count = (verdict) => results.filter((each) => each.verdict === verdict).length;
  return `${count("right")} right, ${count("wrong")} not right`;
}
