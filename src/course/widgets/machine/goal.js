// The goal of a machine: make one weight the largest of its row by changing one matrix.

/** @import { Facts, Get, Goal, MachineInputs } from "../contract.d.ts" */

import { html, setHidden } from "../card/elements.js";
import { keepReached, resultsJudgedBy } from "../card/goal.js";
import { setProse } from "../card/prose.js";
import { filled } from "../card/sentences.js";
import { equal, parsed } from "../card/values.js";
import { compute } from "./arithmetic.js";
import { inputsOf } from "./state.js";

/**
 * Return the key of the verdict on the inputs, with its facts, like `verdict` in goal.py. The key
 * is "first" if nothing has changed yet, and "other" if another input than `matrix` has changed.
 *
 * @type {(goal: Goal, stated: MachineInputs, inputs: MachineInputs) =>
 *   { key: "first" | "wrong" | "right" | "other", facts: Facts }}
 */
function verdictOn({ row, column, matrix }, stated, inputs) {
  const isAllowed = (name) => name === matrix || equal(inputs[name], stated[name]);
  if (!Object.keys(stated).every(isAllowed)) return { key: "other", facts: {} };
  // the goal is judged without the reader's other controls
  const judged = { ...inputs, order: [], off: [], beta: 1, residual: false };
  const weights = compute(judged).heads[0].weights[inputs.tokens.indexOf(row)];
  const weight = weights[inputs.tokens.indexOf(column)];
  const largest = Math.max(...weights);
  const isRight = weights.filter((each) => each >= weight).length === 1;
  const key = isRight ? "right" : equal(inputs[matrix], stated[matrix]) ? "first"
      : "wrong";
  return {
    key,
    facts: { row, column, weight, largest,
      best: inputs.tokens[weights.indexOf(largest)] },
  };
}

/** Whether two nested lists have one shape, and the first list holds only numbers. */
const isShaped = (list, model) => Array.isArray(model)
  ? Array.isArray(list) && list.length === model.length &&
    model.every((part, i) => isShaped(list[i], part))
  : Number.isFinite(list);

/** Return the inputs with the matrix from a JSON text; null if the text has none. */
function withReached({ matrix }, stated, text) {
  const stack = parsed(text);
  return isShaped(stack, stated[matrix]) ? { ...stated, [matrix]: stack } : null;
}

/**
 * Return a list of one result, [] without a goal: the goal is the prompt, and the matrix with
 * which the reader first reached the goal is the answer.
 *
 * @param {Get} get
 */
export function results(get) {
  const goal = get("goal");
  if (!goal.prompt) return [];
  const stated = get("presets")[get("example")].inputs;
  const judge = (text) => {
    const inputs = withReached(goal, stated, text);
    if (!inputs) return "";
    return verdictOn(goal, stated, inputs).key === "right" ? "right" : "wrong";
  };
  return resultsJudgedBy(get, judge);
}

/** Build the lines of the goal and its verdict; `update` judges the current inputs. */
export function goalOf({ model, put }) {
  const asked = html("p", { class: "abh-prompt" }, " ");
  const said = html("p", { class: "abh-ma-verdict", role: "status" }, " ");
  const node = html("div", { class: "abh-ma-goal", hidden: true }, asked, said);
  const update = () => {
    /** @type {Goal} */
    const goal = model.get("goal");
    setHidden(node, !goal.prompt);
    if (node.hidden) return;
    const get = (trait) => model.get(trait);
    const inputs = inputsOf(get);
    const { key, facts } = verdictOn(goal, get("presets")[get("example")].inputs,
      inputs);
    setProse(asked, goal.prompt);
    const note = key !== "other" && get("beta") !== 1 ? ` ${goal.dial}` : "";
    setProse(said, filled(goal[key], facts) + note);
    node.dataset.verdict = key;
    const reached = JSON.stringify(inputs[goal.matrix]);
    if (key === "right") keepReached({ model, put }, results(get), reached);
  };
  return { node, update };
}
