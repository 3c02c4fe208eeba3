// One matrix as a grid of cells, one of them to be reached with Tab, the others from there
// with the arrow keys. Narrow ones say their numbers, wide ones are colours.

import { roomFor } from "../card/drawings.js";
import { html } from "../card/elements.js";
import { ARROWS, colourOf, gridOf, numberCell, placeWithin, tabStop, writeCell } from "../card/grid.js";
import { fixed } from "../card/numbers.js";
import { said } from "./explain.js";

const WITH_NUMBERS = 12; // columns

/** A label; of a row of the decoder the word that comes stands out: "chat → a". */
function labelCell(scope, text) {
  const [read, coming] = text.split(" → ");
  return html("th", { scope, title: text }, coming ? html("span", {}, `${read} → `, html("strong", {}, coming)) : html("span", {}, text));
}

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
  const cell = (value, i, j) => {
    const place = { tabindex: -1, "data-row": i, "data-column": j };
    if (!narrow) return html("td", { ...place, "aria-label": said(value), style: `background-color: ${colourOf(value, scale, limit)}` });
    const td = numberCell(place, [i, j], size, scale);
    writeCell(td, value, fixed(value), scale, limit);
    return td;
  };
  const cells = values.map((row, i) => row.map((value, j) => cell(value, i, j)));
  const table = gridOf({ class: "abh-matrix", role: "grid", "aria-label": label, "data-lm-suppress-shortcuts": "" }, {
    head: narrow ? columns.map((text) => labelCell("col", text)) : null,
    rows: rows.map((text) => labelCell("row", text)), lines: cells,
  });
  roomFor(table, Math.max(...values.flat().map((value) => fixed(value).length)));
  const node = html("div", { class: narrow ? "abh-tr-sheet" : "abh-tr-sheet abh-tr-wide", style: `--abh-tr-columns: ${columns.length}` }, table);

  let chosen = cells[0][0];
  const reachByTab = tabStop(chosen);
  const choose = (i, j, focus = false) => {
    chosen.classList.remove("abh-tr-chosen");
    chosen.ariaSelected = null;
    chosen = cells[i][j];
    reachByTab(chosen);
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
    const by = ARROWS[event.key];
    if (!td || !by) return;
    event.preventDefault();
    choose(...placeWithin(place(td), by, size), true);
  });
  return { node, choose };
}
