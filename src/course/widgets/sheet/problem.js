// Draws the given numbers of a sheet. course/practice/sheets.py draws the same numbers.

import { product, transposed } from "../card/numbers.js";

/** Return a function that draws integers from `low` to `high` (mulberry32). */
function draws(seed) {
  let state = seed >>> 0;
  return (low, high) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return low + Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) * (high - low + 1)) / 2 ** 32);
  };
}

const matrix = (draw, rows, columns, low, high) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => draw(low, high)));

const spread = (numbers) => Math.max(...numbers) - Math.min(...numbers);

/** Whether a row has three or more different scores in a range fit for readers. */
const hasClearScores = (scores, largest) =>
  Math.max(...scores.map(Math.abs)) <= largest && spread(scores) >= 3 && spread(scores) <= largest && new Set(scores).size > 2;

/** Whether each column of the output depends on the weights. */
const hasClearValues = (values) => transposed(values).every((column) => spread(column) > 1);

/** Draw once; null if the rows of the logits or the values are not clear. */
function exact(draw, { tokens, d_v }) {
  const exponents = matrix(draw, tokens.length, tokens.length, 0, 4);
  const V = matrix(draw, tokens.length, d_v, -3, 3);
  const isClear = exponents.every((row) => new Set(row).size > 2) && hasClearValues(V);
  return isClear ? { row: 0, exponents, V } : null;
}

/** Draw once; null if the scores or the values of a head are not clear. */
function fromX(draw, { tokens: { length: n }, d_model, d_k, d_v, heads, causal, largest }) {
  const row = causal ? draw(3, n - 2) : draw(0, n - 1);
  const X = matrix(draw, n, d_model, -1, 2);
  const seen = causal ? X.slice(0, row + 1) : X;
  /** @type {Record<string, any>} */
  const drawn = { row, X, W_Q: [], W_K: [], W_V: [], W_O: [] };
  for (let head = 0; head < heads; head += 1) {
    const W_Q = matrix(draw, d_model, d_k, -1, 1);
    const W_K = matrix(draw, d_model, d_k, -1, 1);
    const W_V = matrix(draw, d_model, d_v, -1, 2);
    const [scores] = product(product([X[row]], W_Q), transposed(product(seen, W_K)));
    if (!hasClearScores(scores, largest) || !hasClearValues(product(seen, W_V))) return null;
    drawn.W_Q.push(W_Q);
    drawn.W_K.push(W_K);
    drawn.W_V.push(W_V);
  }
  if (heads > 1) drawn.W_O = matrix(draw, heads * d_v, d_model, -2, 2).map((line) => line.map((x) => x / 2));
  return drawn;
}

/** Return the problem of a kind and a seed: its matrices, and `row`, the asked token. */
export function problem(kinds, kind, seed) {
  const draw = draws(8 * seed + kind);
  for (;;) {
    const drawn = (kinds[kind].d_k ? fromX : exact)(draw, kinds[kind]);
    if (drawn) return drawn;
  }
}
