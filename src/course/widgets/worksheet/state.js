// What the worksheet's traits say, and the ways to change them.

import { LIMITS, sameInputs, sizes, steps } from "./model.js";

function soundNumber(value) {
  return Number.isFinite(value) && Math.abs(value) <= LIMITS.size;
}

/** Inputs that a page kept are used only if they still make sense. */
function soundInputs(inputs) {
  try {
    const { tokens, d_model, d_k, d_v, heads, width } = sizes(inputs);
    const shape = (matrix, rows, columns) =>
      matrix.length === rows &&
      matrix.every((row) => row.length === columns && row.every(soundNumber));
    const stack = (list, columns) =>
      list.length === heads && list.every((matrix) => shape(matrix, d_model, columns));
    const small = { tokens, d_model, d_k, d_v, heads, width };
    return (
      Object.entries(small).every(([name, size]) => size >= 1 && size <= LIMITS[name]) &&
      inputs.tokens.every((token) => typeof token === "string") &&
      inputs.padding.length === tokens && shape(inputs.X, tokens, d_model) &&
      stack(inputs.W_Q, d_k) && stack(inputs.W_K, d_k) && stack(inputs.W_V, d_v) &&
      (inputs.W_O === null || shape(inputs.W_O, width, d_model))
    );
  } catch {
    return false;
  }
}

/** What the traits say, and the ways to change them. */
export function worksheetState({ model, put }) {
  // An address can name a preset that does not exist.
  const example = () => {
    const presets = model.get("presets");
    const wanted = model.get("example");
    return Object.hasOwn(presets, wanted) ? wanted : Object.keys(presets)[0];
  };
  const stated = () => model.get("presets")[example()];
  const checked = new WeakMap();
  const edited = () => {
    const kept = model.get("edits")[example()];
    if (typeof kept !== "object" || kept === null) return null;
    if (!checked.has(kept)) checked.set(kept, soundInputs(kept));
    return checked.get(kept) ? kept : null;
  };
  const inputs = () => edited() ?? stated().inputs;
  const apply = (next) => {
    const { [example()]: _, ...others } = model.get("edits");
    const untouched = sameInputs(next, stated().inputs);
    put("edits", untouched ? others : { ...others, [example()]: next });
  };
  const head = () => Math.min(Math.max(model.get("head"), 1), inputs().W_Q.length) - 1;
  const step = () => currentStep(inputs(), model.get("step"));
  return { example, stated, edited, inputs, apply, head, step };
}

/** The step asked for, or the nearest one before it that these inputs have. */
function currentStep(inputs, wanted) {
  const list = steps(inputs);
  const before = { mask: "scaled", output: "concat", concat: "head" };
  const find = (id) => list.find((step) => step.id === id);
  const found = find(wanted) ?? find(before[wanted]) ?? find(before[before[wanted]]);
  return found ?? list.at(-1);
}
