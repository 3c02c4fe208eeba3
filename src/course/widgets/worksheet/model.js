// The worksheet's arithmetic: plain functions on plain arrays, no document.
//
// Inputs are one object:
//   tokens  n names                      padding  n booleans, true = padding
//   X       n x d_model                  causal   boolean
//   W_Q, W_K   h x d_model x d_k         W_V      h x d_model x d_v
//   W_O     (h * d_v) x d_model, or null
// A matrix is named by its kind and, where each head has one, the head: "K.1".

/** @import { Inputs } from "../contract.d.ts" */

import { grouped, readNumber, softmax } from "../card/numbers.js";

export const PER_HEAD = [
  "W_Q",
  "W_K",
  "W_V",
  "Q",
  "K",
  "V",
  "scores",
  "scaled",
  "masked",
  "weights",
  "head",
];

const INPUT_KINDS = ["X", "W_Q", "W_K", "W_V", "W_O"];

// ---------------------------------------------------------------- shapes

/** @type {(inputs: Inputs) => Record<string, number>} */
export function sizes(inputs) {
  const h = inputs.W_Q.length;
  const d_v = inputs.W_V[0][0].length;
  return {
    tokens: inputs.tokens.length,
    d_model: inputs.X[0].length,
    d_k: inputs.W_Q[0][0].length,
    d_v,
    heads: h,
    width: h * d_v,
  };
}

export function matrixId(kind, head) {
  return PER_HEAD.includes(kind) ? `${kind}.${head}` : kind;
}

export function splitId(id) {
  const [kind, head] = id.split(".");
  return { kind, head: head === undefined ? 0 : Number(head) };
}

export function isInput(id) {
  return INPUT_KINDS.includes(splitId(id).kind);
}

/** @type {(inputs: Inputs) => boolean} */
export function hasMask(inputs) {
  return inputs.causal || inputs.padding.includes(true);
}

// The concatenation is a matrix of its own once there is something to join or
// something to multiply it by.
function hasConcat(inputs) {
  return inputs.W_Q.length > 1 || inputs.W_O !== null;
}

function matrixIds(inputs) {
  const kinds = PER_HEAD.filter((kind) => kind !== "masked" || hasMask(inputs));
  const ids = ["X"];
  inputs.W_Q.forEach((_, head) => {
    for (const kind of kinds) ids.push(`${kind}.${head}`);
  });
  if (hasConcat(inputs)) ids.push("concat");
  if (inputs.W_O !== null) ids.push("W_O", "output");
  return ids;
}

// ------------------------------------------------------------ computation

function zeros(rows, columns) {
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));
}

function matmul(a, b) {
  const inner = b.length;
  const columns = b[0].length;
  return a.map((row) => {
    const out = new Array(columns);
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += row[k] * b[k][j];
      out[j] = sum;
    }
    return out;
  });
}

function dotRows(a, b) {
  return a.map((p) => b.map((q) => p.reduce((sum, x, k) => sum + x * q[k], 0)));
}

// Why query i may not look at key j, or "" where it may.
/** @type {(inputs: Inputs, i: number, j: number) => string} */
export function blocked(inputs, i, j) {
  if (inputs.padding[j]) return "padding";
  return inputs.causal && j > i ? "causal" : "";
}

function attend(inputs, head, values) {
  const put = (kind, matrix) => {
    values[`${kind}.${head}`] = matrix;
    return matrix;
  };
  for (const kind of ["W_Q", "W_K", "W_V"]) put(kind, inputs[kind][head]);
  const q = put("Q", matmul(inputs.X, inputs.W_Q[head]));
  const k = put("K", matmul(inputs.X, inputs.W_K[head]));
  const v = put("V", matmul(inputs.X, inputs.W_V[head]));
  const root = Math.sqrt(q[0].length);
  const scores = put("scores", dotRows(q, k));
  let logits = put("scaled", scores.map((row) => row.map((s) => s / root)));
  if (hasMask(inputs)) {
    const hide = (x, i, j) => (blocked(inputs, i, j) ? -Infinity : x);
    logits = logits.map((row, i) => row.map((x, j) => hide(x, i, j)));
    put("masked", logits);
  }
  const weights = put("weights", logits.map((row) => softmax(row)));
  return put("head", matmul(weights, v));
}

/** @type {(inputs: Inputs) => Record<string, number[][]>} */
export function compute(inputs) {
  const values = { X: inputs.X };
  const outputs = inputs.W_Q.map((_, head) => attend(inputs, head, values));
  if (hasConcat(inputs)) {
    values.concat = inputs.tokens.map((_, i) => outputs.flatMap((o) => o[i]));
  }
  if (inputs.W_O !== null) {
    values.W_O = inputs.W_O;
    values.output = matmul(values.concat, inputs.W_O);
  }
  return values;
}

/** The matrix that a sheet ends in. */
export function resultId(values, head) {
  return ["output", "concat"].find((id) => values[id]) ?? `head.${head}`;
}

// ------------------------------------------------------- changing the shape

/** The number in a cell's text, as `readNumber` gives it, if it is at most so large. */
export function readEntry(text, largest, decimal = "") {
  const read = readNumber(text, { decimal });
  if (!(Math.abs(read.value) > largest)) return read;
  return { ...read, value: NaN, message: `Too large: at most ${grouped(largest)} in size.` };
}

/** @type {(inputs: Inputs) => Inputs} */
export function copyInputs(inputs) {
  return JSON.parse(JSON.stringify(inputs));
}

/** A matrix with a block of numbers from a cell on. */
function filled(matrix, row, column, block) {
  return matrix.map((line, i) => {
    const put = block[i - row];
    return put ? [...line.slice(0, column), ...put, ...line.slice(column + put.length)] : line;
  });
}

/** The inputs with a block of numbers in one matrix; all that stays is shared. */
export function withBlock(inputs, id, row, column, block) {
  const { kind, head } = splitId(id);
  const put = (matrix) => filled(matrix, row, column, block);
  const stack = (all) => all.map((matrix, i) => (i === head ? put(matrix) : matrix));
  return { ...inputs, [kind]: id.includes(".") ? stack(inputs[kind]) : put(inputs[kind]) };
}

/** @type {(inputs: Inputs) => Inputs} */
export function withToken(inputs) {
  const next = copyInputs(inputs);
  next.tokens.push(`token ${next.tokens.length + 1}`);
  next.padding.push(false);
  next.X.push(next.X[0].map(() => 0));
  return next;
}

/** @type {(inputs: Inputs, index: number) => Inputs} */
export function withoutToken(inputs, index) {
  const next = copyInputs(inputs);
  for (const part of ["tokens", "padding", "X"]) next[part].splice(index, 1);
  return next;
}

// Cut a matrix, or fill it up with zeros.
function fitted(matrix, rows, columns) {
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => matrix[i]?.[j] ?? 0),
  );
}

// The rows of W^O belong to heads: each head keeps its own.
function fittedOutput(inputs, heads, d_v, d_model) {
  if (inputs.W_O === null) return null;
  const old = sizes(inputs);
  return Array.from({ length: heads }, (_, head) => {
    const rows = inputs.W_O.slice(head * old.d_v, (head + 1) * old.d_v);
    return fitted(rows, d_v, d_model);
  }).flat();
}

// New numbers are zeros: what was there stays as it was.
/** @type {(inputs: Inputs, change: Record<string, number>) => Inputs} */
export function resized(inputs, change) {
  const old = sizes(inputs);
  const { heads, d_model, d_k, d_v } = { ...old, ...change };
  const grow = (stack, columns) =>
    Array.from({ length: heads }, (_, head) =>
      fitted(stack[head] ?? [], d_model, columns),
    );
  return {
    ...copyInputs(inputs),
    X: fitted(inputs.X, old.tokens, d_model),
    W_Q: grow(inputs.W_Q, d_k),
    W_K: grow(inputs.W_K, d_k),
    W_V: grow(inputs.W_V, d_v),
    W_O: fittedOutput(inputs, heads, d_v, d_model),
  };
}

// Why a size cannot take this value, or "" where it can.
export function sizeRefusal(inputs, limits, name, value) {
  const labels = { tokens: "token", heads: "head" };
  const label = labels[name] ?? name;
  if (value < 1) return `At least one ${labels[name] ?? "dimension"}.`;
  if (value > limits[name]) {
    const noun = labels[name] ? `${limits[name]} ${label}s` : `${limits[name]}`;
    return labels[name] ? `At most ${noun}.` : `${label} is at most ${noun}.`;
  }
  /** @type {Record<string, number>} */
  const { heads, d_v } = { ...sizes(inputs), [name]: value };
  return heads * d_v > limits.width
    ? `The heads side by side are at most ${limits.width} wide.`
    : "";
}

/** @type {(inputs: Inputs, on: boolean) => Inputs} */
export function withOutputProjection(inputs, on) {
  const { width, d_model } = sizes(inputs);
  const W_O = zeros(width, d_model);
  for (let i = 0; i < Math.min(width, d_model); i++) W_O[i][i] = 1;
  return { ...copyInputs(inputs), W_O: on ? W_O : null };
}

/**
 * Whether two inputs hold the same; of an edit all that stayed is shared, and not looked at.
 *
 * @type {(a: Inputs | null, b: Inputs | null) => boolean}
 */
export function sameInputs(a, b) {
  if (!a || !b) return a === b;
  return Object.keys(a).every((part) => a[part] === b[part] || JSON.stringify(a[part]) === JSON.stringify(b[part]));
}

// ---------------------------------------------------------------- the walk

// Each step shows some matrices, in the order of its formula; `result` is the
// one that the step computes, or where reading the whole sheet begins.
const stepsOf = new WeakMap(); // by inputs, which no one changes in place

export function steps(inputs) {
  if (!stepsOf.has(inputs)) stepsOf.set(inputs, listSteps(inputs));
  return stepsOf.get(inputs);
}

function listSteps(inputs) {
  const masked = hasMask(inputs);
  const logits = masked ? "masked" : "scaled";
  const list = [
    ["input", "Input", ["X"], "X"],
    ["queries", "Queries", ["X", "W_Q", "Q"], "Q"],
    ["keys", "Keys", ["X", "W_K", "K"], "K"],
    ["values", "Values", ["X", "W_V", "V"], "V"],
    ["scores", "Scores", ["Q", "K", "scores"], "scores"],
    ["scaled", "Scale", ["scores", "scaled"], "scaled"],
    masked && ["mask", "Mask", ["scaled", "masked"], "masked"],
    ["weights", "Weights", [logits, "weights"], "weights"],
    ["head", "Mix", ["weights", "V", "head"], "head"],
    hasConcat(inputs) && ["concat", "Join", ["head", "concat"], "concat"],
    inputs.W_O && ["output", "Project", ["concat", "W_O", "output"], "output"],
    ["sheet", "All", sheetKinds(inputs), "Q"],
  ];
  return list
    .filter(Boolean)
    .map(([id, title, kinds, result]) => ({ id, title, kinds, result }));
}

function sheetKinds(inputs) {
  const kinds = matrixIds(inputs).map((id) => splitId(id).kind);
  return [...new Set(kinds)];
}

// The step that computes a kind of matrix: the place where its sources stand.
export function stepOf(inputs, kind) {
  const found = steps(inputs).find((step) => step.result === kind);
  if (found) return found.id;
  return steps(inputs).find((step) => step.kinds.includes(kind))?.id;
}
