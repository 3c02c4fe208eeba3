// The stages of the machine: names, operands and colours.

/** @import { MachineState } from "../contract.d.ts" */

import { fixed } from "../card/numbers.js";
import { divisorOf } from "./arithmetic.js";

/** Each stage: operands `left` and `above`, and the `result` drawn where they cross. */
export const STAGES = {
  X: { name: "Words as numbers", result: "X", formula: "X" },
  query: { name: "Queries", left: "X", above: "W_Q", result: "query",
    formula: "Q = X W^Q" },
  key: { name: "Keys", left: "X", above: "W_K", result: "key", formula: "K = X W^K" },
  value: { name: "Values", left: "X", above: "W_V", result: "value",
    formula: "V = X W^V" },
  scores: { name: "Scores", left: "query", above: "key", result: "scores",
    formula: "S = Q K^T" },
  logits: { name: "Scaling", left: "scores", result: "logits",
    formula: "L = S / √d_k" },
  weights: { name: "Weights", left: "logits", result: "weights",
    formula: "A = softmax L" },
  head: { name: "Mixing", left: "weights", above: "value", result: "head",
    formula: "Z = A V" },
  concat: { name: "Heads side by side", result: "concat", formula: "[Z_1 … Z_h]" },
  output: { name: "Output", left: "concat", above: "W_O", result: "output",
    formula: "Y = Z W^O" },
};

/** Return the formula of a stage; if the sharpness is not 1, with the divisor as a number. */
export function formulaOf(stage, state) {
  if (stage !== "logits" || state.beta === 1) return STAGES[stage].formula;
  return `L = S / ${fixed(divisorOf(state), 2)}`;
}

/** Matrices that each head has separately. */
const OF_HEAD = ["W_Q", "W_K", "W_V", "query", "key", "value", "scores", "logits",
  "weights", "head"];
const BY_WORD = ["scores", "logits", "weights"]; // columns are words too
const INPUTS = ["X", "W_Q", "W_K", "W_V", "W_O"];

/** The stage in which a weight matrix is used. */
export const STAGE_OF = { W_Q: "query", W_K: "key", W_V: "value", W_O: "output" };

export const isInput = (matrix) => INPUTS.includes(matrix);
export const isOfHead = (matrix) => OF_HEAD.includes(matrix);
export const hasWordRows = (matrix) => !isInput(matrix) || matrix === "X";
export const hasWordColumns = (matrix) => BY_WORD.includes(matrix);

/** Whether the figure shows a concatenation: for several heads, or one head with W^O. */
export const isJoined = ({ W_Q, W_O }) => W_Q.length > 1 || W_O !== null;

/** The stages of a state, in the order of the story. */
export function stagesOf(state) {
  return Object.keys(STAGES).filter((stage) =>
    stage === "concat" ? isJoined(state) : stage !== "output" || state.W_O !== null,
  );
}

/** The stages that can be opened. With W^O, `concat` is not: it computes nothing. */
export const openable = (state) =>
  stagesOf(state).filter((stage) => stage !== "concat" || !state.W_O);

/** Return a matrix by its name; if each head has such a matrix, the one of head `h`. */
export function matrixOf(state, results, matrix, h) {
  if (isInput(matrix)) return isOfHead(matrix) ? state[matrix][h] : state[matrix];
  return isOfHead(matrix) ? results.heads[h][matrix] : results[matrix];
}

const ROLES = { X: "ink", query: "query", key: "key", value: "value", W_Q: "query",
  W_K: "key", W_V: "value", W_O: "output", scores: "muted", logits: "muted",
  output: "output", sum: "output", concat: "ink" };

export const headColour = (h) => `var(--abh-head-${h + 1})`;

/** Return the colour of a matrix's role; A, and Z unless `oneHead`, have the colour of head `h`. */
export function colourOf(matrix, h, oneHead) {
  const role = ROLES[matrix] ?? (matrix === "head" && oneHead ? "output" : "");
  return role ? `var(--abh-${role})` : headColour(h);
}

/** Return a cell's colour: in `concat` and W_O that of the cell's head, else that of the matrix. */
export function colourAt({ W_V }, matrix, h, [row, column], oneHead) {
  const place = { concat: column, W_O: row }[matrix];
  if (place === undefined) return colourOf(matrix, h, oneHead);
  return headColour(Math.floor(place / W_V[0][0].length));
}

/** Return the symbol of a matrix: "W^Q", "Z_2"; `^` raises a letter and `_` lowers it. */
export function symbolOf(matrix, h, several) {
  const given = { query: "Q", key: "K", value: "V", scores: "S", logits: "L",
    weights: "A", head: "Z", concat: "Z", output: "Y", sum: "X + Y", W_Q: "W^Q",
    W_K: "W^K", W_V: "W^V", W_O: "W^O" };
  const symbol = given[matrix] ?? matrix;
  return several && matrix === "head" ? `${symbol}_${h + 1}` : symbol;
}

/** The stages that a chapter highlights; a chapter without an entry highlights all. */
export const LIT = { 2: ["scores", "logits", "weights"],
  3: ["query", "key", "value", "scores", "logits", "weights", "head", "concat"],
  4: ["head", "concat", "output"] };

/** The names of a matrix's rows and columns: words, or "row 1" and "column 1". */
export function labelsOf(state, matrix, values) {
  const named = (kind, count) =>
    Array.from({ length: count }, (_, k) => `${kind} ${k + 1}`);
  return [hasWordRows(matrix) ? state.tokens : named("row", values.length),
    hasWordColumns(matrix) ? state.tokens : named("column", values[0].length)];
}
