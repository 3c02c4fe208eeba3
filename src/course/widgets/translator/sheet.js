// One matrix as a grid of cells, one of them to be reached with Tab, the others from there
// with the arrow keys. Narrow ones say their numbers, wide ones are colours.

import { matrixCell, number, roomFor, setShare, signedColour, tint, weightColour } from "../card/drawings.js";
import { html, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { said } from "./explain.js";

const WITH_NUMBERS = 12; // columns

/** A number of a cell. */
function short(value) {
  return value === -Infinity ? "−∞" : fixed(value, 2);
}

/** A label that is repeated in the sentence stands there each time; long ones are cut. */
function labelCell(scope, text) {
  return html("th", { scope, title: text }, html("span", {}, text));
}

const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

/**
 * Build the grid.
 *
 * matrix: { values, rows, columns, scale } with labels; scale "weights" or "signed"
 * label:  its accessible name
 * pick:   called with row and column when a cell is chosen
 * Returns { node, choose(row, column, focus) }.
 */
export function sheet({ values, rows, columns, scale }, label, pick) {
  const size = [rows.length, columns.length];
  const narrow = columns.length <= WITH_NUMBERS;
  const finite = values.flat().filter(Number.isFinite).map(Math.abs);
  const limit = Math.max(...finite);
  const colour = (value) => (scale === "weights" ? weightColour(value) : signedColour(value, limit));
  const cell = (value, i, j) => {
    const place = { tabindex: -1, "data-row": i, "data-column": j };
    if (!narrow) return html("td", { ...place, "aria-label": said(value), style: `background-color: ${colour(value)}` });
    const props = { ...place, "data-value": value };
    const shown = number();
    setText(shown, short(value));
    if (Number.isFinite(value)) tint(shown, colour(value));
    const bar = scale === "weights" ? [html("span", { class: "abh-cellbar", "aria-hidden": "true" })] : [];
    bar.forEach((node) => setShare(node, value));
    return matrixCell(props, [i, j], size, shown, ...bar);
  };
  const cells = values.map((row, i) => row.map((value, j) => cell(value, i, j)));
  const heads = narrow ? columns.map((text) => labelCell("col", text)) : [];
  const top = html("tr", {}, html("td", { class: "abh-corner" }), ...heads);
  const lines = rows.map((text, i) => html("tr", {}, labelCell("row", text), ...cells[i]));
  const table = html("table", { class: "abh-matrix", role: "grid", "aria-label": label, "data-lm-suppress-shortcuts": "" },
    narrow ? html("thead", {}, top) : null, html("tbody", {}, ...lines));
  roomFor(table, Math.max(...values.flat().map((value) => short(value).length)));
  const node = html("div", { class: narrow ? "abh-tr-sheet" : "abh-tr-sheet abh-tr-wide", style: `--abh-tr-columns: ${columns.length}` }, table);

  let chosen = cells[0][0];
  chosen.tabIndex = 0;
  const choose = (i, j, focus = false) => {
    chosen.tabIndex = -1;
    chosen.classList.remove("abh-tr-chosen");
    chosen.ariaSelected = null;
    chosen = cells[i][j];
    chosen.tabIndex = 0;
    chosen.ariaSelected = "true";
    chosen.classList.add("abh-tr-chosen");
    if (focus) chosen.focus();
    pick(i, j);
  };
  const place = ({ dataset }) => [Number(dataset.row), Number(dataset.column)];
  table.addEventListener("click", ({ target }) => {
    const td = target.closest("td[data-row]");
    if (td) choose(...place(td), true);
  });
  table.addEventListener("keydown", (event) => {
    const td = event.target.closest("td[data-row]");
    const [down, right] = STEPS[event.key] ?? [];
    if (!td || down === undefined) return;
    event.preventDefault();
    const [i, j] = place(td);
    choose(Math.min(Math.max(i + down, 0), size[0] - 1), Math.min(Math.max(j + right, 0), size[1] - 1), true);
  });
  return { node, choose };
}
