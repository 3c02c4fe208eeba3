// The answers that a card holds, with the verdicts on them.

/** @import { Get, JudgedResult, Page, Result } from "../../src/course/widgets/contract.d.ts" */

import { element } from "./elements.js";

// The files of views, which are scripts of the site (book/widgets.py).

const made = {};

/** The exports of a view's file; the file runs when it is first asked for. */
export const needed = (name) => (made[name] ??= globalThis.abhSources[name](needed));

// The answers that a card holds, with the verdicts on them.
//
// A card's `_page` says which of its traits hold answers, and which file of the course's
// views judges them (contract.d.ts).

/** @type {(get: Get, page: Page) => Result[]} */
const judged = (get, { traits }) => Object.values(traits).flatMap(({ asked }) => (asked ? needed(asked.by).results(get) : []));

/**
 * What one card asks: each question with what was given, the verdict on it ("right",
 * "wrong", or "" where there is no answer) and, for a choice, the text of the right one.
 * Once the reader has given a right answer, it counts, whatever came after it. An answer that
 * the reader withdrew stands until there is another. `first` is what was given first, and
 * `wasRight` whether that was right.
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

/** A text with its symbols set, where the page has what sets them. */
const typeset = (text) => (globalThis.abhSources?.["card/prose.js"] ? needed("card/prose.js").prose(text) : [text]);

/**
 * One result as an item of a list: what was asked, what was given, the verdict.
 *
 * @param {JudgedResult} result
 * @param {Node} link
 * @param {{ tellRight?: boolean }} options
 */
export function resultItem({ prompt, how, given, first, verdict, right }, link, { tellRight = false } = {}) {
  const sentence = (text) => [...typeset(text), /[.?!\u2026]$/.test(text) ? "" : "."];
  const answer = tellRight && verdict === "wrong" && right ? [" The answer is: ", ...sentence(right)] : [];
  const before = first === given ? [] : [" Your first try: ", ...sentence(first)];
  const isData = given.startsWith("["); // the numbers of a reached goal say nothing to a reader
  const item = element("li", {}, element("p", { className: "asked" }, ...typeset(prompt)),
    element("p", {}, element("strong", {}, verdict === "right" ? "Right." : "Not right."),
      ...(isData ? [` ${how}.`] : [` ${how}: `, ...sentence(given)]), ...before, ...answer, " ", link));
  item.dataset.verdict = verdict;
  return item;
}

/** How many were right when they were first given. */
export const rightAtFirst = (results) => results.filter(({ wasRight }) => wasRight).length;

/** "3 right, 1 not right". */
export function inTotal(results) {
  const count = (verdict) => results.filter((each) => each.verdict === verdict).length;
  return `${count("right")} right, ${count("wrong")} not right`;
}
