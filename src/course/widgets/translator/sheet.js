// One matrix as a grid. Tab goes to the chosen cell, and the arrow keys go on to other cells.
// A narrow matrix shows numbers, a wide matrix shows colours.

import { roomFor, tint } from "../card/drawings.js";
import { html, setText } from "../card/elements.js";
import { ARROWS, colourOf, numberCell, placeWithin, writeCell } from "../card/grid.js";
import { fixed } from "../card/numbers.js";
import { written } from "./explain.js";

const WITH_NUMBERS = 12; // the most columns of a matrix that shows numbers

/** Make a label cell. In the label "chat → a" of a decoder row the next word is bold. */
function labelCell(scope) {
  return html("th", { scope }, html("span", {}, "\u00a0", html("strong", {}, "")));
}

function label(th, text) {
  if (th.title === text) return;
  const [read, coming] = text.split(" → ");
  th.title = text;
  setText(th.firstChild, coming ? `${read} → ` : text);
  setText(th.firstChild.lastChild, coming ?? "");
}

/**
 * Return the sides of the matrix at which a cell lies. The cell draws the brackets there.
 *
 * @type {(i: number, j: number, size: number[]) => string}
 */
const rimOf = (i, j, [rows, columns]) => [i === 0, i === rows - 1, j === 0, j === columns - 1].join();

/** Set the labels of a row, from its child `from` on. Existing nodes are reused. */
function relabel(row, from, scope, texts) {
  texts.forEach((text, k) => label(row.children[from + k] ?? row.appendChild(labelCell(scope)), text));
  while (row.children.length > from + texts.length) row.lastChild.remove();
}

/**
 * Build a grid that shows one matrix after the other. Existing cells are reused, so that the
 * browser lays out only cells that a step or a switch has changed.
 *
 * pick: called with row and column when the reader chooses a cell
 * Returns { node, update(matrix, label), choose(row, column, focus) }: matrix is
 * { values, rows, columns, scale } with labels, its scale "weights" or "signed"; label is the
 * accessible name of the grid.
 */
export function sheet(pick) {
  const columns = html("tr", {}, html("td", { class: "abh-corner" }));
  const head = html("thead", {}, columns);
  const body = html("tbody");
  const table = html("table", { class: "abh-matrix", role: "grid", "data-lm-suppress-shortcuts": "" }, body);
  const node = html("div", { class: "abh-scroll abh-tr-sheet" }, table);
  let [kind, size] = ["", [0, 0]];
  /** @type {any[][]} */
  let cells = [];
  /** @type {any} */
  let chosen = null;

  const cellOf = (place, narrow, scale) => {
    const props = { tabindex: -1, "data-row": place[0], "data-column": place[1] };
    /** @type {any} */
    const td = narrow ? numberCell(props, place, size, scale) : html("td", props);
    td.abhRim = rimOf(place[0], place[1], size);
    return td;
  };
  const lineAt = (i, narrow, { values, rows, scale }, limit) => {
    const tr = body.children[i] ?? body.appendChild(html("tr", {}, labelCell("row")));
    label(tr.firstChild, rows[i]);
    const line = values[i].map((value, j) => {
      const old = cells[i]?.[j];
      const isReusable = old && (!narrow || old.abhRim === rimOf(i, j, size));
      const td = isReusable ? old : cellOf([i, j], narrow, scale);
      if (old && !isReusable) old.replaceWith(td);
      if (!old) tr.append(td);
      if (narrow) writeCell(td, value, fixed(value), scale, limit);
      else {
        tint(td, colourOf(value, scale, limit));
        td.ariaLabel = written(value);
      }
      return td;
    });
    while (tr.children.length > 1 + line.length) tr.lastChild.remove();
    return line;
  };
  const update = (matrix, label) => {
    const { values, rows, columns: names, scale } = matrix;
    const narrow = names.length <= WITH_NUMBERS;
    const isNewMatrix = label !== table.ariaLabel;
    size = [rows.length, names.length];
    if (kind !== `${narrow} ${scale}`) {
      cells = [];
      body.replaceChildren();
      table.replaceChildren(...(narrow ? [head] : []), body);
      node.classList.toggle("abh-tr-wide", !narrow);
    }
    kind = `${narrow} ${scale}`;
    if (isNewMatrix) table.ariaLabel = label;
    node.style.setProperty("--abh-tr-columns", names.length);
    if (narrow) relabel(columns, 1, "col", names);
    const limit = Math.max(...values.flat().filter(Number.isFinite).map(Math.abs));
    cells = values.map((_, i) => lineAt(i, narrow, matrix, limit));
    while (body.children.length > rows.length) body.lastChild.remove();
    roomFor(table, Math.max(...values.flat().map((value) => fixed(value).length)), isNewMatrix);
  };
  const choose = (i, j, focus = false) => {
    if (chosen && chosen !== cells[i][j]) {
      chosen.classList.remove("abh-tr-chosen");
      chosen.ariaSelected = null;
      chosen.tabIndex = -1;
    }
    chosen = cells[i][j];
    chosen.tabIndex = 0;
    chosen.ariaSelected = "true";
    chosen.classList.add("abh-tr-chosen");
    if (focus) chosen.focus();
  };
  const chooseAndPick = (i, j) => {
    choose(i, j, true);
    pick(i, j);
  };
  const place = ({ dataset }) => [Number(dataset.row), Number(dataset.column)];
  table.addEventListener("click", ({ target }) => {
    const td = target.closest("td[data-row]");
    if (td) chooseAndPick(...place(td));
  });
  table.addEventListener("keydown", (event) => {
    const td = event.target.closest("td[data-row]");
    const by = ARROWS[event.key];
    if (!td || !by) return;
    event.preventDefault();
    chooseAndPick(...placeWithin(place(td), by, size));
  });
  return { node, update, choose };
}
