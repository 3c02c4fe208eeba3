// The stages of the machine: names, operands and colours.

/** @import { MachineState } from "../contract.d.ts" */

/**
 * left meets above, and the result stands where they cross. A matrix of which each head
 * has one is `ofHead`.
 */
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

const OF_HEAD = ["W_Q", "W_K", "W_V", "query", "key", "value", "scores", "logits",
  "weights", "head"];
const BY_WORD = ["scores", "logits", "weights"]; // columns are words too
const INPUTS = ["X", "W_Q", "W_K", "W_V", "W_O"];

/** The stage in which a weight matrix is used. */
export const STAGE_OF = { W_Q: "query", W_K: "key", W_V: "value", W_O: "output" };

export const isInput = (matrix) => INPUTS.includes(matrix);
export const isOfHead = (matrix) => OF_HEAD.includes(matrix);
export const isByWord = (matrix) => BY_WORD.includes(matrix);

/** Whether the heads are joined: several, or one with an output projection. */
export const isJoined = ({ W_Q, W_O }) => W_Q.length > 1 || W_O !== null;

/** The stages of a state, in the order of the story. */
export function stagesOf(state) {
  return Object.keys(STAGES).filter((stage) =>
    stage === "concat" ? isJoined(state) : stage !== "output" || state.W_O !== null,
  );
}

/** The stages that can be opened: side by side, heads compute nothing. */
export const opened = (state) =>
  stagesOf(state).filter((stage) => stage !== "concat" || !state.W_O);

/** A matrix by its name; where each head has one, that of head `h`. */
export function matrixOf(state, results, matrix, h) {
  if (isInput(matrix)) return isOfHead(matrix) ? state[matrix][h] : state[matrix];
  return isOfHead(matrix) ? results.heads[h][matrix] : results[matrix];
}

const ROLES = { X: "ink", query: "query", key: "key", value: "value", W_Q: "query",
  W_K: "key", W_V: "value", W_O: "output", scores: "muted", logits: "muted",
  output: "output", sum: "output" };

/** The colour of a matrix; what belongs to one head has the head's. */
export function colourOf(matrix, h, single) {
  const role =
    ROLES[matrix] ?? (matrix === "head" && single ? "output" : `head-${h + 1}`);
  return `var(--abh-${role})`;
}

/** How a matrix is written: "W^Q", "Z_2"; `^` raises a letter and `_` lowers it. */
export function symbolOf(matrix, h, several) {
  const given = { query: "Q", key: "K", value: "V", scores: "S", logits: "L",
    weights: "A", head: "Z", concat: "Z", output: "Y", sum: "X + Y", W_Q: "W^Q",
    W_K: "W^K", W_V: "W^V", W_O: "W^O" };
  const symbol = given[matrix] ?? matrix;
  return several && matrix === "head" ? `${symbol}_${h + 1}` : symbol;
}

/** The parts of the machine that a chapter is about; all where it names none. */
export const LIT = { 2: ["scores", "logits", "weights"],
  3: ["query", "key", "value", "scores", "logits", "weights", "head", "concat"],
  4: ["head", "concat", "output"] };

/** What the words of a number are: of the row and of the column of a matrix. */
export function labelsOf(state, matrix) {
  const columns = (count) => Array.from({ length: count }, (_, j) => String(j + 1));
  const matrixNow = { W_Q: ["d_model", "d_k"], W_K: ["d_model", "d_k"],
    W_V: ["d_model", "d_v"] }[matrix];
  const d = { d_model: state.X[0].length, d_k: state.W_Q[0][0].length,
    d_v: state.W_V[0][0].length };
  if (matrixNow) return matrixNow.map((size) => columns(d[size]));
  const width = d.d_v * state.W_Q.length;
  if (matrix === "W_O") return [columns(width), columns(d.d_model)];
  const wide = { X: d.d_model, query: d.d_k, key: d.d_k, value: d.d_v, head: d.d_v };
  const last = state.W_O ? d.d_model : width;
  if (isByWord(matrix)) return [state.tokens, state.tokens];
  return [state.tokens, columns(wide[matrix] ?? (matrix === "concat" ? width : last))];
}
