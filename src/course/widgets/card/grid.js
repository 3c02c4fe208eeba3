// Matrices as tables: built once; then numbers, colours and bars change in place.

import { number, roomFor, setShare, tint } from "./drawings.js";
import { html, setText } from "./elements.js";
import { clamp, fixed } from "./numbers.js";

/** Change of row and column by each arrow key. */
export const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Build a table of cells with a label before each row and above each column.
 *
 * props: attributes of the table; head: the label nodes of the columns, or null;
 * rows: the label nodes of the rows; lines: the cells of each row; caption: a node, or null
 */
export function gridOf(props, { caption = null, head, rows, lines }) {
  const top = head && html("thead", {}, html("tr", {}, html("td", { class: "abh-corner" }), ...head));
  const body = lines.map((line, i) => html("tr", {}, rows[i], ...line));
  return html("table", props, caption, top, html("tbody", {}, ...body));
}

/**
 * Build a cell of a matrix; a cell at the edge also has its piece of the brackets. The pieces
 * are elements, because a browser restyles a `::before` with every new colour.
 *
 * @type {(props: object, place: number[], size: number[], ...content: Node[]) => any}
 */
export function bracketed(props, [row, column], [rows, columns], ...content) {
  const sides = [column === 0 && "left", column === columns - 1 && "right"].filter(Boolean);
  const ends = [row === 0 && "top", row === rows - 1 && "bottom"].filter(Boolean);
  const hooks = ends.flatMap((end) => sides.map((side) =>
    html("span", { class: "abh-hook", style: `${side}: 0; ${end}: 0`, "aria-hidden": "true" })));
  const [first, ...more] = content;
  const td = html("td", props, first, ...hooks, ...more);
  td.classList.add(...sides.map((side) => `abh-rim-${side}`));
  return td;
}

/** Build a bracketed cell for one number, with a bar for a weight; `writeCell` fills the cell. */
export function numberCell(props, place, size, scale) {
  const bar = scale === "weights" ? [html("span", { class: "abh-cellbar", "aria-hidden": "true" })] : [];
  return bracketed(props, place, size, number(), ...bar);
}

function mixed(low, high, share) {
  const percent = (100 * clamp(share, 0, 1)).toFixed(1);
  return `color-mix(in oklab, var(--abh-${low}), var(--abh-${high}) ${percent}%)`;
}

/** Return the colour of a number on a scale ("weights" or "signed") that ends at `limit`. */
export function colourOf(value, scale, limit) {
  if (scale === "weights") return mixed("weight-low", "weight-high", value);
  if (scale !== "signed" || !Number.isFinite(value)) return "";
  return mixed("zero", value < 0 ? "negative" : "positive", Math.abs(value) / (limit || 1));
}

/** Write a number into its cell, with the colour and the bar of its scale. */
export function writeCell(td, value, text, scale, limit) {
  td.dataset.value = String(value);
  const shown = td.firstChild;
  setText(shown, text);
  if (scale !== "none") tint(shown, colourOf(value, scale, limit));
  if (scale === "weights") setShare(td.lastChild, value);
}

/**
 * Return the place moved by `by` rows and columns, kept within a grid of this size.
 *
 * @type {(place: number[], by: number[], size: number[]) => number[]}
 */
export function placeWithin([row, column], [down, right], [rows, columns]) {
  return [clamp(row + down, 0, rows - 1), clamp(column + right, 0, columns - 1)];
}

/**
 * A matrix in brackets: tokens at the rows, names at the columns.
 *
 * scale: "weights" (0 to 1, with a bar below the number), "signed" or "none";
 * role: the colour role of the name ("query", "key", "value", "output");
 * key: the name of its numbers in Python.
 * Returns { node, update(values, limit) }; `update` changes text and colours in place.
 */
export function matrix({ key, name, rows, columns, scale = "none", role = "ink" }) {
  const size = [rows.length, columns.length];
  const cells = rows.map((_, i) => columns.map((_, j) => numberCell({}, [i, j], size, scale)));
  const label = (scope) => (text) => html("th", { scope }, text);
  const node = gridOf({ class: "abh-matrix", "data-name": key }, {
    caption: html("caption", { style: `color: var(--abh-${role})` }, name),
    head: columns.map(label("col")), rows: rows.map(label("row")), lines: cells,
  });
  const write = (td, value, limit) => {
    const text = fixed(value);
    roomFor(node, text.length);
    writeCell(td, value, text, scale, limit);
  };
  const update = (values, limit = Math.max(...values.flat().map(Math.abs))) =>
    cells.forEach((line, i) => line.forEach((td, j) => write(td, values[i][j], limit)));
  return { node, update };
}
