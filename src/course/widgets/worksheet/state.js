// What the worksheet's traits say, and the ways to change them.

/** @import { Cell, Inputs } from "../contract.d.ts" */

import { labels } from "./explain.js";
import { readSheet, written } from "./link.js";
import { PER_HEAD, matrixId, sameInputs, sizes, splitId, steps } from "./model.js";

/** Inputs that a page kept are used only if they still make sense. */
function soundInputs(inputs, limits) {
  const soundNumber = (value) => Number.isFinite(value) && Math.abs(value) <= limits.size;
  try {
    const { tokens, d_model, d_k, d_v, heads, width } = sizes(inputs);
    const shape = (matrix, rows, columns) =>
      matrix.length === rows &&
      matrix.every((row) => row.length === columns && row.every(soundNumber));
    const stack = (list, columns) =>
      list.length === heads && list.every((matrix) => shape(matrix, d_model, columns));
    const small = { tokens, d_model, d_k, d_v, heads, width };
    return (
      Object.entries(small).every(([name, size]) => size >= 1 && size <= limits[name]) &&
      inputs.tokens.every((token) => typeof token === "string") &&
      inputs.padding.length === tokens && shape(inputs.X, tokens, d_model) &&
      stack(inputs.W_Q, d_k) && stack(inputs.W_K, d_k) && stack(inputs.W_V, d_v) &&
      (inputs.W_O === null || shape(inputs.W_O, width, d_model))
    );
  } catch {
    return false;
  }
}

/** The example in use: an address can name one that does not exist. */
function exampleOf(get) {
  const presets = get("presets");
  const wanted = get("example");
  return Object.hasOwn(presets, wanted) ? wanted : Object.keys(presets)[0];
}

const inputsOf = (get) => get("edits")[exampleOf(get)] ?? get("presets")[exampleOf(get)].inputs;

/** The edits, those of the example in use replaced, or gone. */
function withEdits(get, edits, inputs) {
  const { [exampleOf(get)]: _, ...others } = edits;
  return inputs ? { ...others, [exampleOf(get)]: inputs } : others;
}

const CELL = /^[A-Za-z_]+(\.[1-9]\d*){2,3}$/;
const AS_GIVEN = "given"; // the address of numbers that were given back

/** What a schema cannot say of an address, or of what the device keeps (book/runtime/figure.js). */
export const codecs = {
  edits: {
    isSound: (edits, get) => Object.values(edits).every((inputs) => soundInputs(inputs, get("limits"))),
    toText: (get, first) => {
      const [edited, before] = [get("edits"), first].map((edits) => edits[exampleOf(get)] ?? null);
      if (sameInputs(edited, before)) return null;
      return edited ? written(edited) : AS_GIVEN;
    },
    fromText: (text, get) => {
      if (text === AS_GIVEN) return withEdits(get, get("edits"), null);
      const inputs = readSheet(text, get("limits"));
      if (!soundInputs(inputs, get("limits"))) throw new Error("such a sheet cannot be shown");
      return withEdits(get, get("edits"), inputs);
    },
    unnamed: (get, now, first) => withEdits(get, now, first[exampleOf(get)]),
  },
  cell: {
    fromText: (text) => {
      if (text && !CELL.test(text)) throw new Error("it should be like scores.2.3");
      return text; // whether the sheet has it, `refuses` says, once the sheet is known
    },
  },
  head: {
    toText: (get, first) => {
      const head = Math.min(get("head"), inputsOf(get).W_Q.length);
      return head === first ? null : String(head);
    },
  },
};

/**
 * Why an address cannot be shown; `named` holds what it names, beside which the sheet
 * keeps what it has.
 *
 * @param {(trait: string) => any} get
 * @param {Record<string, any>} [named]
 */
export function refuses(get, named = {}) {
  const [inputs, head] = [inputsOf(get), get("head")];
  const heads = inputs.W_Q.length;
  const [are, s] = heads === 1 ? ["is", ""] : ["are", "s"];
  if (head > heads) return `head = \u201c${head}\u201d; there ${are} ${heads} head${s} in this sheet`;
  const { cell } = named;
  return cell && !cellOf(inputs, cell, head - 1) ? `cell = \u201c${cell}\u201d; this sheet has no such cell` : "";
}

/**
 * The cell that a text names, as "scores.2.3" or, of a head that is not the open one,
 * "head.1.2.3"; null where these inputs have none.
 *
 * @param {Inputs} inputs
 * @param {string} text
 * @param {number} open
 * @returns {Cell | null}
 */
export function cellOf(inputs, text, open) {
  const [kind, ...numbers] = text.split(".");
  const places = numbers.map((number) => Number(number) - 1);
  const head = PER_HEAD.includes(kind) && places.length === 3 ? Number(places.shift()) : open;
  const isThere = steps(inputs).some((step) => step.kinds.includes(kind)) && head < inputs.W_Q.length && places.length === 2;
  if (!isThere) return null;
  const [row, column] = places;
  const [rows, columns] = labels(inputs, kind);
  return row in rows && column in columns ? { id: matrixId(kind, head), row, column } : null;
}

/** The text of a cell, which `cellOf` reads. */
export function cellText({ id, row, column }, open) {
  const { kind, head } = splitId(id);
  const other = PER_HEAD.includes(kind) && head !== open ? [head + 1] : [];
  return [kind, ...other, row + 1, column + 1].join(".");
}

/** What the traits say, and the ways to change them. */
export function worksheetState({ model, put }) {
  const example = () => exampleOf((name) => model.get(name));
  const stated = () => model.get("presets")[example()];
  const limits = model.get("limits");
  const checked = new WeakMap();
  const edited = () => {
    const kept = model.get("edits")[example()];
    if (typeof kept !== "object" || kept === null) return null;
    if (!checked.has(kept)) checked.set(kept, soundInputs(kept, limits));
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
  return { example, stated, edited, inputs, apply, head, step, limits };
}

/** The step asked for, or the nearest one before it that these inputs have. */
function currentStep(inputs, wanted) {
  const list = steps(inputs);
  const before = { mask: "scaled", output: "concat", concat: "head" };
  const find = (id) => list.find((step) => step.id === id);
  const found = find(wanted) ?? find(before[wanted]) ?? find(before[before[wanted]]);
  return found ?? list[list.length - 1];
}
