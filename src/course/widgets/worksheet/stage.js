// The matrices of a step, or all of them, and where an event happened.

/** @import { Cell } from "../contract.d.ts" */

import { html, setHidden } from "../card/elements.js";
import { labels } from "./explain.js";
import { lowest } from "./flow.js";
import { grid } from "./grid.js";
import { hasMask, matrixId, sizes, splitId } from "./model.js";

const MANY = 10; // tokens from which on rows stand closer

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

/** The stages of a whole sheet: a title, and the kinds of matrices or lanes of them. */
const STAGES = {
  X: ["What you set", ["X"]],
  lanes: ["Queries, keys, values", ["W_Q", "Q"], ["W_K", "K"], ["W_V", "V"]],
  look: ["Who looks at whom", ["scores", "scaled", "masked", "weights"]],
  head: ["New vectors", ["head"]],
  join: ["The heads together", ["concat"]],
  out: ["The output", ["W_O", "output"]],
};
const SIGNS = { W_Q: "\u00d7", W_K: "\u00d7", W_V: "\u00d7", Q: "=", K: "=", V: "=", W_O: "\u00d7", output: "=" };

/** What the step shows, as ids of matrices: one head, and where heads are joined the outputs of all. */
function idsOf(inputs, step, head) {
  return step.kinds.flatMap((kind) =>
    kind === "head" && step.id === "concat"
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

/** A sign between two matrices or stages, which the formula of the arithmetic says in words. */
function signNode(sign) {
  return html("span", { class: "abh-ws-sign", "aria-hidden": "true" }, sign);
}

/**
 * All grids of one head, in the stages of the computation.
 *
 * Returns { node, fill(ids, take), fit(shown, room, isDense), lineOf(node) }: `fit` lets
 * the sheet flow in so many pixels, if asked in smaller type and closer lines, or stands
 * the stages one below the other where room is 0; `lineOf` gives the last stage of the
 * line that an element is in, or what the last two stand in where they are one column.
 */
function wholeSheet() {
  const stages = Object.entries(STAGES).map(([name, [title, ...lanes]], i) => {
    const rows = lanes.map((kinds) => ({ kinds, node: html("div", { class: "abh-ws-lane" }) }));
    const node = html("div", { class: `abh-ws-group abh-ws-${name}`, role: "group", "aria-label": title },
      html("p", { class: "abh-ws-group-title", "aria-hidden": "true" }, title),
      i > 1 && name !== "out" ? html("span", { class: "abh-ws-arrow", "aria-hidden": "true" }, "\u2192") : null,
      html("div", { class: "abh-ws-lanes-of" }, ...rows.map((row) => row.node)));
    return { name, node, rows, brk: html("div", { class: "abh-ws-break", hidden: true }) };
  });
  const ends = html("div", { class: "abh-ws-ends" }); // holds the last two stages, which can stand in one column
  const node = html("div", { class: "abh-ws-flow" }, ...stages.slice(0, -2).flatMap((stage) => [stage.brk, stage.node]));
  const [join, out] = stages.slice(-2);
  ends.append(join.node, out.brk, out.node);
  node.append(join.brk, ends);
  const parts = new Map(); // a sign and its matrix, by the matrix's kind
  const partOf = (kind, grid) => {
    if (!parts.has(kind)) parts.set(kind, html("div", { class: SIGNS[kind] ? "abh-ws-part abh-ws-signed" : "abh-ws-part", style: "--abh-ws-sign: 1" }, SIGNS[kind] ? signNode(SIGNS[kind]) : null));
    const part = parts.get(kind);
    if (part.lastChild !== grid) {
      part.querySelector(":scope > .abh-ws-matrix")?.remove();
      part.append(grid);
    }
    return part;
  };
  const fill = (ids, take) => {
    for (const { node: stage, rows } of stages) {
      for (const { kinds, node: row } of rows) {
        const inRow = ids.filter((id) => kinds.includes(splitId(id).kind));
        setChildren(row, inRow.map((id) => partOf(splitId(id).kind, take(id).node)));
      }
      stage.hidden = !rows.some(({ node: row }) => row.childElementCount);
    }
  };
  const measure = (shown) => {
    // The table is asked too: a frame that is not in sight does not know what it holds.
    const widthOf = (frame) => Math.max(frame.scrollWidth, frame.firstChild.offsetWidth);
    const box = ({ node: frame }) => [widthOf(frame), frame.offsetHeight, parseFloat(getComputedStyle(frame).minWidth)];
    const of = (...kinds) => shown.filter(({ id }) => kinds.includes(splitId(id).kind)).map(box);
    const [result] = shown.filter(({ id }) => splitId(id).kind === "Q");
    return {
      X: of("X")[0], head: of("head")[0], look: of(...STAGES.look[1]), joined: of("concat"), out: of(...STAGES.out[1]),
      lanes: STAGES.lanes.slice(1).map((kinds) => of(...kinds)),
      label: result.node.querySelector("tbody th").offsetWidth,
    };
  };
  let starts = [];
  const fit = (shown, room, isDense) => {
    node.classList.toggle("abh-ws-flowing", room > 0);
    node.classList.toggle("abh-ws-dense", isDense || shown[0].cells.length >= MANY);
    node.dataset.labels = "on";
    const there = stages.filter((stage) => !stage.node.hidden);
    const chosen = room ? lowest(measure(shown), room) : { labels: true, starts: there.map((_, i) => i) };
    starts = chosen.starts.map((i) => there[i]?.node);
    for (const stage of stages) setHidden(stage.brk, !room || !starts.includes(stage.node));
    Object.assign(node.dataset, { labels: chosen.labels ? "on" : "off", lanes: chosen.lanes ?? "rows", out: chosen.out ?? "row" });
    node.style.setProperty("--abh-ws-look", chosen.look ?? 1);
    if (chosen.spare) node.style.setProperty("--abh-ws-spare", `${chosen.spare}px`);
    else node.style.removeProperty("--abh-ws-spare");
  };
  const lineOf = (element) => {
    const there = stages.map((stage) => stage.node).filter((stage) => !stage.hidden);
    let at = there.findIndex((stage) => stage.contains(element));
    if (at < 0) return null;
    while (at + 1 < there.length && !starts.includes(there[at + 1])) at += 1;
    return node.dataset.out === "column" && ends.contains(there[at]) ? ends : there[at];
  };
  return { node, fill, fit, lineOf };
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
  let fitted = "";
  /** Let the whole sheet flow in its room anew where its boxes may have changed. */
  const fit = (room, isDense) => {
    const boxes = shown.map((grid) => `${grid.id.split(".")[0]} ${grid.node.abhRoom}`);
    const now = `${room} ${isDense} ${built} ${boxes}`;
    if (now === fitted || !sheet.node.isConnected) return false;
    fitted = now;
    sheet.fit(shown, room, isDense);
    return true;
  };
  const arrange = (inputs, step, head) => {
    const signature = `${step.id} ${signatureOf(inputs)}`;
    const ids = idsOf(inputs, step, head);
    if (signature === built) swap(inputs, step, ids);
    else {
      dropWrong();
      const from = (id) => take(inputs, step, id);
      if (step.id === "sheet") sheet.fill(ids, from);
      setChildren(node, step.id === "sheet" ? [sheet.node] : equation(step, ids, from));
    }
    built = signature;
    shown = ids.map((id) => grids.get(id));
    return shown;
  };
  return { node, arrange, fit, lineOf: (element) => sheet.lineOf(element) };
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
