// The matrices of a step, or all of them, and where an event happened.

/** @import { Cell } from "../contract.d.ts" */

import { html } from "../card/elements.js";
import { labels } from "./explain.js";
import { grid } from "./grid.js";
import { hasMask, matrixId, sizes, splitId } from "./model.js";

const OPERATORS = {
  queries: ["\u00b7", "="],
  keys: ["\u00b7", "="],
  values: ["\u00b7", "="],
  scores: ["\u00b7", "="],
  scaled: ["\u00f7 \u221ad\u2096 ="],
  mask: ["+ mask ="],
  weights: ["softmax \u2192"],
  head: ["\u00b7", "="],
  output: ["\u00b7", "="],
};

const SHEET_ROWS = [
  ["What you set", ["X"], ["W_Q", "W_K", "W_V"]],
  ["Queries, keys, values", ["Q", "K", "V"]],
  ["Who looks at whom", ["scores", "scaled"], ["masked", "weights"]],
  ["New vectors", ["head", "concat"], ["W_O", "output"]],
];

/** What the step shows, as ids of matrices: one head, beside the outputs of all. */
function idsOf(inputs, step, head) {
  return step.kinds.flatMap((kind) =>
    kind === "head" && ["concat", "sheet"].includes(step.id)
      ? inputs.W_Q.map((_, i) => matrixId("head", i))
      : [matrixId(kind, head)],
  );
}

/** The grids of a step as one equation; a sign stays with the matrix that follows it. */
function equation(step, ids, take) {
  const signs = OPERATORS[step.id] ?? ids.slice(1).map((_, i) => (i === ids.length - 2 ? "=" : "|"));
  const part = (id, i) => {
    if (i === 0) return html("div", { class: "abh-ws-part" }, take(id).node);
    const sign = signs[i - 1];
    const worded = sign.length > 1 ? " abh-ws-worded" : "";
    return html("div", { class: `abh-ws-part${worded}`, style: `--abh-ws-sign: ${sign.length}` },
      html("span", { class: "abh-ws-sign", "aria-hidden": "true" }, sign), take(id).node);
  };
  const parts = ids.map(part);
  return [html("div", { class: "abh-ws-row abh-ws-equation" }, ...parts)];
}

/** Whether a step shows a matrix transposed: the keys, where they are multiplied. */
function isTurned(step, id) {
  return step.id === "scores" && splitId(id).kind === "K";
}

/** Give an element these children; those that are there already stay untouched. */
function setChildren(parent, nodes) {
  const children = parent.querySelectorAll(":scope > :not(.abh-ws-arithmetic)");
  for (const child of children) if (!nodes.includes(child)) child.remove();
  nodes.reduceRight((next, node) => {
    if (node.parentNode !== parent) parent.insertBefore(node, next);
    return node;
  }, null);
}

/** Whether a kind stands in a part of a group. Without a mask, what is scaled is with its weights. */
function belongs(kind, kinds, ids) {
  const isMoved = kind === "scaled" && !ids.some((id) => splitId(id).kind === "masked");
  return kinds.includes(isMoved ? "weights" : kind);
}

/** All grids, in four groups; what belongs together breaks to a new line together. */
function wholeSheet() {
  const row = () => html("div", { class: "abh-ws-row" });
  const groups = SHEET_ROWS.map(([title, ...parts]) => ({ title, parts: parts.map((kinds) => ({ kinds, row: row() })) }));
  const nodes = groups.map(({ title, parts }) => {
    const rows = html("div", { class: "abh-ws-row" }, ...parts.map((part) => part.row));
    return html("div", { class: "abh-ws-group" }, html("p", { class: "abh-ws-group-title" }, title), rows);
  });
  const fill = (ids, take) => groups.flatMap(({ parts }) => parts).forEach((part) => {
    const inPart = ids.filter((id) => belongs(splitId(id).kind, part.kinds, ids));
    setChildren(part.row, inPart.map((id) => take(id).node));
  });
  return { nodes, fill };
}

function signatureOf(inputs) {
  return JSON.stringify([inputs.tokens, sizes(inputs), inputs.W_O !== null, hasMask(inputs)]);
}

export function shapeSignature(inputs) {
  return signatureOf(inputs) + JSON.stringify([inputs.padding, inputs.causal]);
}

/**
 * The grids in use. A grid is built when first shown and again when its labels change,
 * or when it leaves with a field that holds no number.
 *
 * Another head takes the places of the one before; all else stays where it is, and
 * keeps the focus.
 */
export function stageOf() {
  const node = html("div", { class: "abh-ws-stage" });
  const grids = new Map();
  const sheet = wholeSheet();
  /** @type {[string, any[]]} */
  let [built, shown] = ["", []];
  const take = (inputs, step, id) => {
    const turned = isTurned(step, id);
    const key = JSON.stringify([labels(inputs, splitId(id).kind), inputs.W_Q.length > 1, turned]);
    if (grids.get(id)?.key !== key) grids.set(id, { key, ...grid(inputs, id, turned) });
    return grids.get(id);
  };
  const dropWrong = () => {
    for (const [id, { node: box }] of grids) if (box.querySelector("[aria-invalid]")) grids.delete(id);
  };
  const swap = (inputs, step, ids) => ids.forEach((id, i) => {
    if (id !== shown[i].id) shown[i].node.replaceWith(take(inputs, step, id).node);
  });
  const arrange = (inputs, step, head) => {
    const signature = `${step.id} ${signatureOf(inputs)}`;
    const ids = idsOf(inputs, step, head);
    if (signature === built) swap(inputs, step, ids);
    else {
      dropWrong();
      const from = (id) => take(inputs, step, id);
      if (step.id === "sheet") sheet.fill(ids, from);
      setChildren(node, step.id === "sheet" ? sheet.nodes : equation(step, ids, from));
    }
    built = signature;
    shown = ids.map((id) => grids.get(id));
    return shown;
  };
  return { node, arrange };
}

/**
 * The cell that an event happened in, or null.
 *
 * @returns {Cell | null}
 */
export function eventCell(event) {
  const td = event.target.closest?.("td[data-row]");
  if (!td) return null;
  const id = td.closest("table").dataset.matrix;
  return { id, row: Number(td.dataset.row), column: Number(td.dataset.column) };
}

export function sameCell(a, b) {
  return Boolean(a && b) && a.id === b.id && a.row === b.row && a.column === b.column;
}
