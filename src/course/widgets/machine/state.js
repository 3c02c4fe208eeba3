// Reads the state of a machine from its traits, and changes its inputs.

/** @import { MachineInputs, MachineState, Get } from "../contract.d.ts" */

import { sizesOf } from "./arithmetic.js";
import { isOfHead, openable, STAGES, matrixOf, stagesOf } from "./stages.js";
import { counted } from "../card/numbers.js";
import { equal, isObject, parsed } from "../card/values.js";

const isOrder = (list, count) => list.length === count &&
  [...list].sort((a, b) => a - b).every((word, i) => word === i);

const isMatrix = (matrix, rows, columns, most) => Array.isArray(matrix) &&
  matrix.length === rows && matrix.every((row) => Array.isArray(row) &&
    row.length === columns && row.every((x) => Number.isFinite(x) && Math.abs(x) <= most));

/** Whether a value from the device or from a link is valid as inputs of a machine. */
function isSound(inputs, limits) {
  if (!isObject(inputs) || !Array.isArray(inputs.tokens) || !Array.isArray(inputs.W_Q))
    return false;
  const { tokens, padding, X, W_Q, W_K, W_V, W_O, causal } = inputs;
  try {
    const size = sizesOf(inputs);
    const fits = Object.keys(size).every(
      (name) => size[name] >= 1 && size[name] <= limits[name]);
    const { d_model, d_k, d_v, heads } = size;
    const stack = (all, columns) => all.length === heads &&
      all.every((m) => isMatrix(m, d_model, columns, limits.size));
    return (
      fits && heads * d_v <= limits.width && typeof causal === "boolean" &&
      tokens.every((token) => typeof token === "string") &&
      Array.isArray(padding) && padding.length === tokens.length &&
      isMatrix(X, tokens.length, d_model, limits.size) &&
      stack(W_Q, d_k) && stack(W_K, d_k) && stack(W_V, d_v) &&
      (W_O === null || isMatrix(W_O, heads * d_v, d_model, limits.size))
    );
  } catch {
    return false;
  }
}

/** @type {(get: Get) => MachineInputs} */
export function inputsOf(get) {
  const given = get("presets")[get("example")].inputs;
  const own = get("edits")[get("example")];
  return own && isSound(own, get("limits")) ? own : given;
}

/** @type {(get: Get) => MachineState} */
export function stateOf(get) {
  const inputs = inputsOf(get);
  const order = get("order");
  return {
    ...inputs,
    order: isOrder(order, inputs.tokens.length) ? order
      : inputs.tokens.map((_, i) => i),
    off: get("off").filter((h) => h < inputs.W_Q.length), beta: get("beta"),
    residual: get("residual"),
  };
}

/** Return the chosen row, stage, head, cell, step and chapter, limited to those that the state has. */
export function chosenOf(get, state) {
  const n = state.tokens.length;
  const row = get("row") < 0 ? Math.min(1, n - 1) : Math.min(get("row"), n - 1);
  const isThere = get("stage") === "box" || openable(state).includes(get("stage"));
  const stage = isThere ? get("stage") : "";
  const head = Math.min(get("head"), state.W_Q.length) - 1;
  const places = get("cell").split(".").map((text) => Number(text) - 1);
  const isCell = stage && stage !== "box" && places.length === 2;
  const cell = isCell ? cellWithin(state, stage, places) : null;
  return { row, stage, head, cell, step: stage ? -1 : Math.min(get("step"), stagesOf(state).length - 1),
    chapter: get("chapter") };
}

/** Return a cell if the result of a stage has it, else null. */
function cellWithin(state, stage, [row, column]) {
  const { tokens, d_model, d_k, d_v, heads } = sizesOf(state);
  const width = { X: d_model, query: d_k, key: d_k, value: d_v, head: d_v,
    concat: heads * d_v, output: d_model, scores: tokens, logits: tokens,
    weights: tokens }[STAGES[stage].result];
  return row >= 0 && row < tokens && column >= 0 && column < width ? [row, column]
    : null;
}

/** Return the inputs with one number changed; unchanged parts are not copied. */
export function withNumber(inputs, matrix, h, row, column, value) {
  const put = (m) => m.map((line, r) => (r === row ? line.with(column, value) : line));
  return withMatrix(inputs, matrix, h, put(matrixOf(inputs, null, matrix, h)));
}

export function withMatrix(inputs, matrix, h, values) {
  const whole = isOfHead(matrix) ? inputs[matrix].with(h, values) : values;
  return { ...inputs, [matrix]: whole };
}

const fitted = (matrix, rows, columns) =>
  Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => matrix[i]?.[j] ?? 0));

/** Return the inputs in other sizes: new numbers are 0, each head keeps its rows of W_O. */
export function resized(inputs, change) {
  const old = sizesOf(inputs);
  const { tokens: n, d_model, d_k, d_v, heads } = { ...old, ...change };
  const stack = (all, columns) =>
    Array.from({ length: heads }, (_, h) => fitted(all[h] ?? [], d_model, columns));
  const rowsOfHead = (h) => inputs.W_O.slice(h * old.d_v, (h + 1) * old.d_v);
  return {
    ...inputs,
    tokens: Array.from({ length: n }, (_, i) => inputs.tokens[i] ?? `word ${i + 1}`),
    padding: Array.from({ length: n }, (_, i) => inputs.padding[i] ?? false),
    X: fitted(inputs.X, n, d_model), W_Q: stack(inputs.W_Q, d_k),
    W_K: stack(inputs.W_K, d_k), W_V: stack(inputs.W_V, d_v),
    W_O: inputs.W_O && Array.from({ length: heads }, (_, h) =>
        fitted(rowsOfHead(h), d_v, d_model)).flat(),
  };
}

/** Return the inputs with the identity as W_O, or without W_O. */
export function withProjection(inputs, on) {
  const { d_model, d_v, heads } = sizesOf(inputs);
  const width = heads * d_v;
  const identity = fitted([], width, d_model).map((row, i) =>
    row.map((_, j) => Number(i === j)),
  );
  return { ...inputs, W_O: on ? identity : null };
}

/** @type {(a: MachineInputs, b: MachineInputs) => boolean} */
export const sameInputs = (a, b) => Object.keys(b).every((part) => equal(a[part], b[part]));

/** How links write some traits. Of the inputs, a link has only the parts that differ from the preset. */
export const codecs = {
  edits: {
    isSound: (edits, get) =>
      Object.values(edits).every((inputs) => isSound(inputs, get("limits"))),
    toText(get, first) {
      const example = get("example");
      const [now, before] = [get("edits")[example], first?.[example]];
      if (!now) return before ? "{}" : null;
      if (before && sameInputs(now, before)) return null;
      const given = get("presets")[example].inputs;
      const parts = Object.entries(now).filter(([part, value]) => !equal(value, given[part]));
      return JSON.stringify(Object.fromEntries(parts));
    },
    fromText(text, get) {
      const example = get("example");
      const { [example]: _, ...others } = get("edits");
      const parts = parsed(text);
      if (parts === undefined) throw new Error("it is not complete");
      const inputs = { ...get("presets")[example].inputs, ...parts };
      if (!isObject(parts) || !isSound(inputs, get("limits")))
        throw new Error("such numbers cannot be shown");
      return Object.keys(parts).length ? { ...others, [example]: inputs } : others;
    },
    unnamed(get, now, first) {
      const example = get("example");
      const { [example]: _, ...others } = now;
      return first[example] ? { ...others, [example]: first[example] } : others;
    },
  },
  cell: {
    fromText(text) {
      if (text && !/^[1-9]\d*\.[1-9]\d*$/.test(text))
        throw new Error("it should be like 2.3");
      return text;
    },
  },
  head: {
    toText(get, first) {
      const head = Math.min(get("head"), inputsOf(get).W_Q.length);
      return head === first ? null : String(head);
    },
  },
};

/**
 * Return the reason why a link with these values cannot be shown, or "".
 *
 * @type {(get: Get, named?: Record<string, any>) => string}
 */
export function refuses(get, named = {}) {
  const state = stateOf(get);
  const heads = state.W_Q.length;
  const are = heads === 1 ? "is" : "are";
  if ("head" in named && named.head > heads)
    return `head = \u201c${named.head}\u201d; there ${are} ${counted(heads, "head")} here`;
  const { stage, cell, order = [] } = named;
  if (order.length && !isOrder(order, state.tokens.length))
    return `order = \u201c[${order.join(", ")}]\u201d; it must list each of the ` +
      `${state.tokens.length} words once, counted from 0`;
  if (stage && stage !== "box" && !openable(state).includes(stage))
    return `stage = \u201c${stage}\u201d; this sentence has no such stage`;
  return cell && !chosenOf(get, state).cell
    ? `cell = \u201c${cell}\u201d; this stage has no such number` : "";
}
