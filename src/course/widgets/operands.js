// Operands that the reader chooses: one line, a row or a column, of each matrix.

import { html } from "./card/elements.js";
import { bracketed, gridOf } from "./card/grid.js";
import { fixed } from "./card/numbers.js";
import { prose, setProse } from "./card/prose.js";

// Return the numbers of the line "row 2" or "column 0" of a matrix.
function numbersOf({ values }, line) {
  const [kind, at] = line.split(" ");
  return kind === "row" ? values[Number(at)] : values.map((row) => row[Number(at)]);
}

const written = (value, { digits }) => fixed(value, digits);

// Functions from the numbers of the marked lines to the written task and its value.
const KINDS = {
  product([left, right], { grids }) {
    if (left.length !== right.length) {
      return { task: `${left.length} numbers against ${right.length}: they do not pair off.` };
    }
    const terms = left.map((x, i) => `${written(x, grids[0])} \u00d7 ${written(right[i], grids[1])}`);
    return {
      task: `${terms.join(" + ")} = ?`,
      value: left.reduce((sum, x, i) => sum + x * right[i], 0),
    };
  },
  softmax([line], { grids, entry: [i, j] }) {
    const part = grids[0].values[i][j];
    const power = (x) => `e^${written(x, grids[0])}`;
    return {
      task: `${power(part)} \u00f7 (${line.map(power).join(" + ")}) = ?`,
      value: Math.exp(part) / line.reduce((sum, x) => sum + Math.exp(x), 0),
    };
  },
};

/**
 * Return the marked lines, the task as text, its value if the lines give a value, and the
 * reason for each wrong line.
 */
export function chosen(operands, marks) {
  const { grids, kind } = operands;
  const lines = grids.map((grid, g) => isLine(grid, marks[g]) ? marks[g] : "");
  const missing = grids.filter((_, g) => !lines[g]).map((grid) => grid.name);
  if (missing.length) {
    return { lines, reasons: [], task: `Mark a row or a column of ${missing.join(" and one of ")}.` };
  }
  const reasons = grids.map((grid, g) => lines[g] === grid.wanted ? "" : grid.reasons[lines[g]]);
  const numbers = grids.map((grid, g) => numbersOf(grid, lines[g]));
  return { lines, reasons: reasons.filter(Boolean), ...KINDS[kind](numbers, operands) };
}

function isLine(grid, mark) {
  const [, kind, at] = /^(row|column) (\d+)$/.exec(mark ?? "") ?? [];
  return kind !== undefined && Number(at) < (kind === "row" ? grid.rows : grid.columns).length;
}

// Build one matrix whose labels are buttons.
function matrix(grid, press) {
  const buttons = new Map();
  const button = (line, name) => {
    const label = name.replace(/^(row|column) /, "");
    const node = html("button", {
      type: "button", class: "abh-line", "aria-pressed": "false",
      "aria-label": `${grid.name.replace("_", " ")}, ${line.split(" ")[0]} ${label}`, onclick: () => press(line),
    }, label);
    buttons.set(line, node);
    return node;
  };
  const size = [grid.rows.length, grid.columns.length];
  const cells = grid.values.map((row, i) => row.map((x, j) => bracketed({}, [i, j], size, document.createTextNode(written(x, grid)))));
  const table = gridOf({ class: "abh-matrix abh-operand" }, {
    caption: html("caption", {}, ...prose(grid.name)),
    head: grid.columns.map((label, j) => html("th", { scope: "col" }, button(`column ${j}`, label))),
    rows: grid.rows.map((label, i) => html("th", { scope: "row" }, button(`row ${i}`, label))),
    lines: cells,
  });
  const show = (line) => {
    for (const [name, node] of buttons) node.ariaPressed = String(name === line);
    table.dataset.picked = line.split(" ")[0];
    cells.forEach((row, i) => row.forEach((cell, j) =>
      cell.classList.toggle("abh-picked", line === `row ${i}` || line === `column ${j}`)));
  };
  return { node: html("div", { class: "abh-scroll" }, table), show };
}

/** Build the matrices with their buttons, and the task that the marked lines give. */
export function operandsView({ model, watch, put }) {
  const operands = model.get("operands");
  const press = (g) => (line) => {
    const marks = operands.grids.map((_, k) => model.get("marks")[k] ?? "");
    marks[g] = marks[g] === line ? "" : line;
    put("marks", marks);
  };
  const drawn = operands.grids.map((grid, g) => matrix(grid, press(g)));
  const task = html("p", { class: "abh-expression", "aria-live": "polite" });
  watch(["marks"], () => {
    const now = chosen(operands, model.get("marks"));
    drawn.forEach((view, g) => view.show(now.lines[g]));
    setProse(task, now.task);
  });
  return [html("div", { class: "abh-across" }, ...drawn.map((view) => view.node)), task];
}
