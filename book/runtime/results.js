// The answers that a card holds, with the verdicts on them.
//
// Which traits hold answers, and which file of the course's views judges them, its `_page`
// says (contract.d.ts).

/** @import { Get, Page, Result, Verdict } from "../../src/course/widgets/contract.d.ts" */

import { element } from "./elements.js";
import { needed } from "./sources.js";

/** @type {(get: Get, page: Page) => Result[]} */
const judged = (get, { traits }) => Object.values(traits).flatMap(({ asked }) => (asked ? needed(asked.by).results(get) : []));

/**
 * What one card asks: each question with what was given, the verdict on it ("right",
 * "wrong", or "" where there is no answer) and, for a choice, the text of the right one. A
 * right answer that the reader has once given stands, whatever came after it.
 *
 * @param {Get} get
 * @param {Page} page
 * @returns {(Omit<Result, "judge"> & { verdict: Verdict })[]}
 */
export function resultsOf(get, page) {
  if (!page.solved) return [];
  const results = judged(get, page);
  const isRight = ({ judge }, text) => judge(text) === "right";
  const solved = needed("card/choices.js").keptFor(results, get(page.solved), isRight);
  return results.map(({ judge, ...result }, i) => {
    const [now, once] = [result.given, solved[i] ?? ""].map(judge);
    if (now !== "right" && once === "right") return { ...result, given: solved[i], verdict: once };
    return { ...result, verdict: now };
  });
}

/** Run a function whenever an answer of a figure changes, or a part of one. */
export function whenAnswered({ model, page, onDevice }, act) {
  for (const trait of onDevice) if (trait !== page.solved) model.on(`change:${trait}`, act);
}

/**
 * Keep the right answers of a figure: later ones do not take them back. Only the site has
 * the files by which they are judged.
 */
export function keepRightAnswers(figure) {
  const { model, page } = figure;
  if (!page.solved || !globalThis.abhSources) return;
  const get = (trait) => model.get(trait);
  whenAnswered(figure, () => {
    const right = judged(get, page).filter(({ given, judge }) => judge(given) === "right");
    const solved = Object.fromEntries(right.map(({ prompt, given }) => [prompt, given]));
    model.set(page.solved, { ...get(page.solved), ...solved });
  });
}

/** A text with its symbols set, where the page has what sets them. */
const typeset = (text) => (globalThis.abhSources?.["card/prose.js"] ? needed("card/prose.js").prose(text) : [text]);

/**
 * One result as an item of a list: what was asked, what was given, the verdict.
 *
 * @param {Omit<Result, "judge"> & { verdict: Verdict }} result
 * @param {Node} link
 * @param {{ tellRight?: boolean }} options
 */
export function resultItem({ prompt, how, given, verdict, right }, link, { tellRight = false } = {}) {
  const wanted = tellRight && verdict === "wrong" ? right : "";
  const answer = wanted ? [" The answer is: ", ...typeset(wanted), /[.?!]$/.test(wanted) ? "" : "."] : [];
  const stop = /[.?!\u2026]$/.test(given) ? "" : ".";
  const item = element("li", {}, element("p", { className: "asked" }, ...typeset(prompt)),
    element("p", {}, element("strong", {}, verdict === "right" ? "Right." : "Not so."),
      ` ${how}: `, ...typeset(given), stop, ...answer, " ", link));
  item.dataset.verdict = verdict;
  return item;
}

/** "3 right, 1 not so". */
export function inTotal(results) {
  const count = (verdict) => results.filter((each) => each.verdict === verdict).length;
  return `${count("right")} right, ${count("wrong")} not so`;
}
