// A matrix of the worksheet: one cell at a time is reached by Tab, and a cell of an input
// holds a native text field.

/** @import { Inputs } from "../contract.d.ts" */

import { roomFor, setShare } from "../card/drawings.js";
import { html, symbol } from "../card/elements.js";
import { bracketed, gridOf, numberCell, tabStop, writeCell } from "../card/grid.js";
import { readNumber } from "../card/numbers.js";
import {
  KIND_NAMES, ROLE_OF, cellNumber, cellTitle, finite, headName, inputDecimals, inputNumber, labels,
} from "./explain.js";
import { PER_HEAD, isInput, splitId } from "./model.js";

const MOST_ROWS = 12; // that a matrix of a flowing sheet shows at a time; the stylesheet has it from here
const SCORE_KINDS = ["scores", "scaled", "masked"];

/** A matrix's name as nodes: W_Q of head 2 is W with 2 below and Q above, as in the paper. */
function nameNodes(inputs, id, turned) {
  const { kind, head } = splitId(id);
  const many = inputs.W_Q.length > 1 && PER_HEAD.includes(kind);
  const sub = many ? String(head + 1) : "";
  const [letter, sup] = kind.split("_");
  if (letter.length === 1) return [symbol(letter, sub, turned ? "T" : sup)];
  return [KIND_NAMES[kind], sub && html("sub", {}, sub)];
}

export function nameText(inputs, id) {
  const { kind, head } = splitId(id);
  return KIND_NAMES[kind] + (PER_HEAD.includes(kind) ? headName(inputs, head) : "");
}

/**
 * Caption of a matrix: its name in the colour of its role, and its shape.
 *
 * @param {Inputs} inputs
 * @param {string} id
 * @param {number[]} shape
 * @param {boolean} turned
 */
function captionNode(inputs, id, [rows, columns], turned) {
  const role = ROLE_OF[splitId(id).kind] ?? "ink";
  const name = nameNodes(inputs, id, turned);
  return html(
    "caption",
    {},
    // Read out it is the grid's own label: ARIA has no place for a formula in a grid.
    html("span", { class: "abh-ws-name", "aria-hidden": "true", style: `color: var(--abh-${role})` }, ...name),
    html("span", { class: "abh-ws-shape" }, ` ${rows} \u00d7 ${columns}`),
  );
}

/** A text field for one number of an input. */
function numberField(inputs, id, row, column) {
  return html("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    tabindex: "-1",
    "aria-label": cellTitle(inputs, { id, row, column }),
  });
}

/** A cell; `place` and `size` are those on the screen, row and column the matrix's own. */
function cellNode(inputs, id, [row, column], place, size) {
  const data = { "data-row": row, "data-column": column };
  if (isInput(id)) {
    return bracketed({ ...data, class: "abh-ws-input" }, place, size, numberField(inputs, id, row, column));
  }
  return numberCell({ ...data, tabindex: "-1" }, place, size, scaleOf(splitId(id).kind));
}

/** The scale on which the cells of a kind of matrix are coloured. */
function scaleOf(kind) {
  if (kind === "weights") return "weights";
  return SCORE_KINDS.includes(kind) ? "signed" : "none";
}

function headCell(scope, label, role) {
  const style = role ? `color: var(--abh-${role})` : undefined;
  return html("th", { scope, style, title: label }, html("span", {}, label));
}

/**
 * The box around a matrix. Its size follows from the labels, the number of cells and
 * the longest number it held at these decimals, so that a new number costs no layout
 * outside it.
 */
function matrixFrame(table, rows, columns) {
  const longest = (labels) => Math.max(...labels.map((label) => label.length));
  const isLong = rows.length > MOST_ROWS;
  const sizes = {
    rows: rows.length, columns: columns.length, caption: table.caption.textContent.length, ...(isLong && { most: MOST_ROWS }),
    label: Math.min(longest(rows), 11), heading: Math.min(longest(columns), 8),
  };
  const style = Object.entries(sizes).map(([name, size]) => `--abh-ws-${name}:${size}`).join(";");
  return html("div", { class: isLong ? "abh-ws-matrix abh-ws-long" : "abh-ws-matrix", style }, table);
}

/**
 * Build the grid of one matrix; `turned` shows it transposed, as it is multiplied.
 *
 * Returns { id, node, cells, target(row, column), activate(row, column),
 * update(matrix, decimals, only) }; `update` changes what changed, in place, or of that
 * one row alone.
 */
export function grid(inputs, id, turned = false) {
  const { kind } = splitId(id);
  const named = labels(inputs, kind);
  const [rows, columns] = turned ? named.toReversed() : named;
  const size = [rows.length, columns.length];
  const pairs = [...SCORE_KINDS, "weights"].includes(kind);
  const cells = named[0].map((_, i) => named[1].map((_, j) =>
    cellNode(inputs, id, [i, j], turned ? [j, i] : [i, j], size)));
  const table = gridOf({
    class: "abh-matrix abh-ws-grid", role: "grid", "data-matrix": id, "data-lm-suppress-shortcuts": "",
    "aria-label": `${nameText(inputs, id)}${turned ? " transposed" : ""}, ${size.join(" by ")}`,
  }, {
    caption: captionNode(inputs, id, size, turned),
    head: columns.map((label) => headCell("col", label, (pairs || turned) && "key")),
    rows: rows.map((label) => headCell("row", label, pairs && "query")),
    lines: turned ? rows.map((_, i) => cells.map((line) => line[i])) : cells,
  });
  const node = matrixFrame(table, rows, columns);
  node.classList.toggle("abh-ws-editable", isInput(id));
  node.classList.toggle("abh-ws-pairs", pairs);
  node.classList.toggle("abh-ws-first", kind === "X");
  node.classList.toggle("abh-ws-outputs", ["head", "output"].includes(kind));
  node.classList.toggle("abh-ws-shares", kind === "weights");
  const target = (row, column) => cells[row][column].querySelector("input") ?? cells[row][column];
  const reachByTab = tabStop(target(0, 0));
  const activate = (row, column) => reachByTab(target(row, column));
  return { id, node, cells, turned, target, activate, update: updater(id, cells, node), compare: comparer(id, cells, node) };
}

/**
 * How a grid shows what stood before: a bar above that of each weight, a small number in
 * each output that was another.
 */
function comparer(id, cells, frame) {
  const isWeights = splitId(id).kind === "weights";
  /** @type {[number[][] | null, string[][], number]} */
  let [seen, texts, chosen] = [null, [], 0];
  const look = (act, only) => cells.forEach((line, i) => (only === null || i === only) && line.forEach((td, j) => act(td, i, j)));
  /** @type {(before: number[][] | null | undefined, decimals: number, only?: number | null) => void} */
  const compare = (before = null, decimals, only = null) => {
    const isNew = before !== seen || decimals !== chosen;
    if (isNew) {
      frame.classList.toggle("abh-ws-compared", Boolean(before));
      texts = before && !isWeights ? before.map((line) => line.map((value) => cellNumber(value, decimals))) : [];
      if (isWeights) look((td, i, j) => setShare(td.abhGhost ??= ghostBar(td), before?.[i][j] ?? 0), null);
      [seen, chosen] = [before, decimals];
    }
    if (isWeights || (!isNew && !before)) return;
    look(({ firstChild: shown }, i, j) => {
      const ghost = !before || texts[i][j] === shown.firstChild.data ? "" : texts[i][j];
      if ((shown.abhBefore ?? "") === ghost) return;
      shown.abhBefore = ghost;
      shown.dataset.before = ghost;
    }, isNew ? null : only);
  };
  return compare;
}

function ghostBar(td) {
  const ghost = html("span", { class: "abh-ws-ghost", "aria-hidden": "true" });
  td.insertBefore(ghost, td.lastChild);
  return ghost;
}

/** How a grid takes new numbers: only cells that changed are touched, those of one row alone if `only` names it. */
function updater(id, cells, frame) {
  const { kind } = splitId(id);
  /** @type {[number[][], string, number]} */
  let [seen, shown, chosen] = [[], "", 0];
  return (matrix, decimals, only = null) => {
    if (decimals === chosen && sameNumbers(matrix, seen)) return;
    const places = isInput(id) ? inputDecimals(matrix) : decimals;
    const limit = SCORE_KINDS.includes(kind) ? scaleEnd(matrix) : 0;
    const same = shown === `${places} ${limit}`;
    const written = same && only !== null ? [matrix[only]] : matrix;
    roomFor(frame, charactersOf(id, written, places), decimals !== chosen);
    const paint = (line, i) => line.forEach((value, j) => {
      if (!same || !Object.is(seen[i][j], value)) paintCell(cells[i][j], kind, value, places, limit);
    });
    if (same && only !== null) {
      paint(matrix[only], only);
      seen = seen.with(only, matrix[only]);
      return;
    }
    matrix.forEach(paint);
    [seen, shown, chosen] = [matrix, `${places} ${limit}`, decimals];
  };
}

function sameNumbers(a, b) {
  return a === b || (b.length > 0 && a.every((line, i) => line.every((value, j) => Object.is(value, b[i][j]))));
}

/** Characters of the longest number; computed ones have a sign's room to spare. */
function charactersOf(id, matrix, decimals) {
  const given = isInput(id);
  const write = given ? inputNumber : cellNumber;
  const least = given ? 4 : decimals + (splitId(id).kind === "weights" ? 2 : 3);
  const longest = Math.max(least, ...matrix.flat().map((value) => write(value, decimals).length));
  return Math.min(longest, 11);
}

/** The end of the colour scale: 1, 2 or 5 times a power of ten, so that it seldom moves. */
function scaleEnd(matrix) {
  const top = Math.max(...finite(matrix.flat()).map(Math.abs));
  if (!(top > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(top));
  return power * ([1, 2, 5].find((step) => step * power >= top * 0.999) ?? 10);
}

function paintCell(td, kind, value, decimals, limit) {
  const field = td.firstChild;
  if (field.tagName === "INPUT") {
    td.dataset.value = String(value);
    fillField(field, value, decimals);
    return;
  }
  const scale = scaleOf(kind);
  writeCell(td, value, cellNumber(value, decimals), scale, limit);
  if (scale === "signed") td.classList.toggle("abh-ws-blocked", value === -Infinity);
}

/** Show a number in its field, unless the reader is typing that very number. */
function fillField(field, value, decimals) {
  if (readNumber(field.value).value === value && field.matches(":focus")) return;
  field.value = inputNumber(value, decimals);
  clearInvalid(field);
}

export function clearInvalid(field) {
  field.removeAttribute("aria-invalid");
  field.removeAttribute("aria-describedby");
}
