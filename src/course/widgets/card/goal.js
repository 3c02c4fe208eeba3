// The goal of a figure. The first state that reaches the goal is kept as numbers.

/** @import { Get, Result } from "../contract.d.ts" */

import { addTry } from "./choices.js";
import { html, setText } from "./elements.js";
import { parsed } from "./values.js";

/** Return the numbers of a kept JSON text; null if it is no list of `count` numbers. */
function numbersIn(text, count) {
  const rows = parsed(text);
  const numbers = Array.isArray(rows) ? rows.flat() : [];
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
}

/**
 * Return a list of one result: the goal, and the text of the first state that reached the goal.
 *
 * @type {(get: Get, judge: Result["judge"]) => Result[]}
 */
export const resultsJudgedBy = (get, judge) => [
  { prompt: get("goal").prompt, how: "You reached the goal", given: get("reached"), right: "", isData: true, judge }];

/** Return "right" or "wrong" for a kept text; "" if the text holds no state. */
function verdictOf(text, count, reaches) {
  const numbers = numbersIn(text, count);
  if (!numbers) return "";
  return reaches(numbers) ? "right" : "wrong";
}

/**
 * Return a list of one result: the goal, and the `count` numbers that first reached the goal.
 *
 * @type {(get: Get, count: number, reaches: (numbers: number[]) => boolean) => Result[]}
 */
export const resultsOfGoal = (get, count, reaches) =>
  resultsJudgedBy(get, (text) => verdictOf(text, count, reaches));

/** Keep the text of the first state that reaches the goal; it is the answer to the only result. */
export function keepReached({ model, put }, results, reached) {
  if (model.get("reached")) return;
  addTry({ model, put }, results, 0, reached);
  put("reached", reached);
}

/**
 * Build the lines of a goal. Returns { nodes, meet(numbers) }: call `meet` with each state; the
 * device keeps the first state that reaches the goal.
 */
export function goalOf({ model, put, watch }, count, reaches) {
  const goal = model.get("goal");
  const verdict = html("p", { class: "abh-goal-verdict", role: "status" }, " ");
  watch(["reached"], () => {
    const key = verdictOf(model.get("reached"), count, reaches) || "wrong";
    setText(verdict, goal[key]);
    verdict.dataset.verdict = key;
  });
  const meet = (numbers) => {
    const results = resultsOfGoal((trait) => model.get(trait), count, reaches);
    if (reaches(numbers)) keepReached({ model, put }, results, JSON.stringify(numbers));
  };
  return { nodes: [html("p", { class: "abh-prompt" }, goal.prompt), verdict], meet };
}
