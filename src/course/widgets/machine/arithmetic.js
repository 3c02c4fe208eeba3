// The arithmetic of multi-head attention: functions on arrays, without elements of the page.
//
// A state is one object:
//   tokens   n names                     X         n x d_model
//   W_Q, W_K h x d_model x d_k           W_V       h x d_model x d_v
//   W_O      (h * d_v) x d_model, or null
//   causal   boolean                     padding   n booleans, true = padding
//   order    word index at each place    beta      sharpness
//   off      heads that are off          residual  whether X is added to the output
//                                                  (only with W_O: it is then as wide as X)
// Rows of every matrix stay in the order of `tokens`; only the masks read `order`.

/** @import { MachineResults, MachineState } from "../contract.d.ts" */

import { product, softmax, transposed } from "../card/numbers.js";

/** Return the place of each word, from the word at each place in `order`. */
function placesOf({ tokens, order }) {
  const places = tokens.map((_, i) => i);
  if (order.length === tokens.length)
    order.forEach((word, place) => (places[word] = place));
  return places;
}

/** Return which mask hides a key from a query: "padding", "causal", or "" for none. */
export function blocked({ padding, causal }, places, query, key) {
  if (padding[key]) return "padding";
  return causal && places[key] > places[query] ? "causal" : "";
}

/** @type {(state: MachineState) => Record<string, number>} */
export function sizesOf({ tokens, X, W_Q, W_V }) {
  return { tokens: tokens.length, d_model: X[0].length, d_k: W_Q[0][0].length,
    d_v: W_V[0][0].length, heads: W_Q.length };
}

/** Return the number by which all scores are divided: sqrt(d_k) / beta. */
export const divisorOf = (state) => Math.sqrt(sizesOf(state).d_k) / state.beta;

/** Return what to subtract from a row of logits so that exp stays easy to display. */
export function shiftOf(logits) {
  const peak = Math.max(...logits);
  return Number.isFinite(peak) && Math.abs(peak) > 6 ? peak : 0;
}

function headOf(state, h, places, divisor) {
  const query = product(state.X, state.W_Q[h]);
  const key = product(state.X, state.W_K[h]);
  const value = product(state.X, state.W_V[h]);
  const scores = product(query, transposed(key));
  const logits = scores.map((row, i) =>
    row.map((s, j) => (blocked(state, places, i, j) ? -Infinity : s / divisor)),
  );
  const weights = logits.map((row) => softmax(row));
  const isOff = state.off.includes(h);
  const mixed = product(weights, value);
  const head = isOff ? mixed.map((row) => row.map(() => 0)) : mixed;
  return { query, key, value, scores, logits, weights, head };
}

/**
 * Return every matrix of the computation, named as in the package `attention`.
 *
 * @type {(state: MachineState) => MachineResults}
 */
export function compute(state) {
  const [places, divisor] = [placesOf(state), divisorOf(state)];
  const heads = state.W_Q.map((_, h) => headOf(state, h, places, divisor));
  const concat = state.X.map((_, i) => heads.flatMap(({ head }) => head[i]));
  const output = state.W_O ? product(concat, state.W_O) : concat;
  const sum = state.residual && state.W_O
      ? output.map((row, i) => row.map((y, j) => state.X[i][j] + y)) : null;
  return { places, divisor, heads, concat, output, sum };
}
