// Twelve common mistakes. `formulas` returns the wrong formulas that a reader may have used
// for a row of a step. A formula (get, i, j) returns the ranges in which the entry may lie.

import { rootOf, shareOf, sumOfProducts, upTo } from "./steps.js";

/** Return the formula of a step that reads each operand with `change(get, key, i, j)`. */
const reading = ({ entry }, change) => (get, i, j) => [entry((...cell) => change(get, ...cell), i, j)];

/** Formulas that divide by `range(sizes)` instead of the root of d_k. */
const dividedBy = (range) => (part, { sizes }) =>
  [reading(part, (get, key, i, j) => (key === "root" ? range(sizes) : get(key, i, j)))];

/** Limit formulas to one kind of step. */
const only = (step, formulas) => (part, sheet) => (part.step === step ? formulas(part, sheet) : []);

function otherRows(part, { sizes, byKey }) {
  const source = byKey.get(part.operands[0]);
  const rows = source?.rows ?? upTo(sizes.tokens.length);
  return rows.map((row) => (get, i, j) => (row === i ? [] : [part.entry(get, row, j)]));
}

function otherHeads(part, { sizes, byKey }) {
  if (sizes.heads < 2) return [];
  const twin = (key) => key.slice(0, -1) + (3 - Number(key.at(-1)));
  return part.operands.filter((key) => byKey.has(key) && /\d$/.test(key)).map((operand) =>
    reading(part, (get, key, i, j) => get(key === operand ? twin(key) : key, i, j)));
}

function notTransposed({ operands: [query, key] }, { sizes: { tokens, d_k } }) {
  const terms = upTo(Math.min(tokens.length, d_k));
  const { entry } = sumOfProducts((i, j) => terms.map((k) => [[query, i, k], [key, k, j]]));
  return [(get, i, j) => (j < d_k ? [entry(get, i, j)] : [])];
}

const logitsOf = (key) => key.replace("powers", "logits");

/** @type {{ key: string, why: string, formulas: (part: any, sheet: any) => any[] }[]} */
export const MISTAKES = [
  {
    key: "no scaling", why: "You did not divide the scores. Divide them by the root of d_k.",
    formulas: only("logits", dividedBy(() => [1, 1])),
  },
  {
    key: "by d_k", why: "You divided by d_k. Divide by the root of d_k.",
    formulas: only("logits", dividedBy(({ d_k }) => [d_k, d_k])),
  },
  {
    key: "by root of d_model", why: "You divided by the root of d_model. Divide by the root of d_k, the width of a key.",
    formulas: only("logits", dividedBy(({ d_model }) => rootOf(d_model))),
  },
  {
    key: "down the column", why: "You divided by the sum of the column. Softmax divides by the sum of the row.",
    formulas: only("weights", ({ operands: [key], rows }) =>
      (rows.length < 2 ? [] : [(get, i, j) => [shareOf(get, key, [i, j], rows.map((row) => [row, j]))]])),
  },
  {
    key: "no exponentials", why: "You divided each logit by the sum of the logits. Use the powers of e.",
    formulas: only("weights", ({ operands: [key], seen }) =>
      [(get, i, j) => (seen(i).includes(j) ? [shareOf(get, logitsOf(key), [i, j], seen(i).map((k) => [i, k]))] : [[0, 0]])]),
  },
  {
    key: "not divided", why: "These are the powers. Divide each one by the sum of the row.",
    formulas: only("weights", ({ operands: [key], seen }) => [(get, i, j) => [seen(i).includes(j) ? get(key, i, j) : [0, 0]]]),
  },
  {
    key: "mask after softmax", why: "You masked after the softmax, so the weights do not add up to 1. Sum only the powers of the tokens that the mask leaves.",
    formulas: only("weights", ({ operands: [key], seen, width }) =>
      [(get, i, j) => [seen(i).includes(j) ? shareOf(get, key, [i, j], upTo(width).map((k) => [i, k])) : [0, 0]]]),
  },
  { key: "another row", why: "You used the row of another token.", formulas: otherRows },
  { key: "other head", why: "You used a matrix of the other head.", formulas: otherHeads },
  {
    key: "K not transposed", why: "You used the columns of K. The key of a token is its row of K.",
    formulas: only("scores", notTransposed),
  },
  {
    key: "sign", why: "In each wrong entry, one product has the wrong sign.",
    formulas: ({ pairs, entry, flipped }) =>
      (pairs ? [(get, i, j) => [entry(get, i, j), ...pairs(i, j).map((_, k) => flipped(get, i, j, k))]] : []),
  },
  {
    key: "no W_O", why: "These are the outputs of the heads side by side. Multiply this row by W_O.",
    formulas: only("Z", (_, { sizes: { d_v } }) => [(get, i, j) => [get(`output${Math.floor(j / d_v) + 1}`, i, j % d_v)]]),
  },
];
