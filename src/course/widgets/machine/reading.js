// Tables for screen readers: each level of the machine, with names of rows and columns.

import { html, setText } from "../card/elements.js";
import { gridOf } from "../card/grid.js";
import { counted, fixed, shortened } from "../card/numbers.js";
import { matrixOf, labelsOf, STAGES, symbolOf } from "./stages.js";
import { termsOf } from "./cell.js";

const WAIT = 250; // milliseconds to wait after a change, so that a drag builds no tables

const named = (names, scope) => names.map((name) => html("th", { scope }, name));

function table(caption, rows, columns, text) {
  const lines = rows.map((_, i) => columns.map((_, j) => html("td", {}, text(i, j))));
  return gridOf({}, { caption: html("caption", {}, caption),
    head: named(columns, "col"), rows: named(rows, "row"), lines });
}

const plain = (symbol) => symbol.replace(/[\^_]/g, " ");

function matrixTable({ state, results, chosen, decimals }, matrix) {
  const values = matrixOf(state, results, matrix, chosen.head);
  const [rows, columns] = labelsOf(state, matrix, values);
  const many = state.W_Q.length > 1;
  const caption = plain(symbolOf(matrix, chosen.head, many));
  return table(caption, rows, columns, (i, j) => shortened(values[i][j], decimals));
}

function wholeTables(frame) {
  const { state, results, decimals } = frame;
  const one = results.heads.length === 1;
  const weights = results.heads.map(({ weights: rows }, h) =>
    table(`Weights${one ? "" : ` of head ${h + 1}`}: what each word takes from each word`,
      state.tokens, state.tokens, (i, j) => `${fixed(100 * rows[i][j], 1)}%`));
  const last = results.sum ?? results.output;
  const columns = last[0].map((_, j) => `column ${j + 1}`);
  const output = table("Output", state.tokens, columns, (i, j) =>
    shortened(last[i][j], decimals));
  return [...weights, output];
}

function cellTable(frame) {
  const { value, terms } = termsOf(frame);
  const { decimals, chosen, state, results } = frame;
  const write = (x) => shortened(x, decimals);
  const caption = `Sum of ${counted(terms.length, "product")}: ${write(value)}`;
  if (terms.length) {
    const rows = terms.map(({ word }, q) => word || `product ${q + 1}`);
    const columns = ["from the row", "from the column", "product"];
    return table(caption, rows, columns, (q, c) =>
      write([terms[q].a, terms[q].b, terms[q].product][c]));
  }
  const [i] = chosen.cell;
  const head = results.heads[chosen.head];
  const names = { logits: ["scores", "logits"], weights: ["logits", "weights"] }[
    chosen.stage];
  if (!names) return matrixTable(frame, STAGES[chosen.stage].result);
  return table(`Row of ${state.tokens[i]}`, names, state.tokens, (r, j) =>
    write(head[names[r]][i][j]));
}

function tablesOf(frame) {
  const { stage, cell } = frame.chosen;
  if (stage === "box") return [];
  if (!stage) return wholeTables(frame);
  if (cell) return [cellTable(frame)];
  const { left, above, result } = STAGES[stage];
  return [left, above, result]
    .filter(Boolean)
    .map((matrix) => matrixTable(frame, matrix));
}

const CELLS = "caption, th, td";

/** Return a text with the number of cells in each row; semicolons separate the tables. */
const shapesOf = (tables) =>
  tables.map(({ rows }) => [...rows].map(({ cells }) => cells.length)).join(";");

/** Copy the texts of new tables into the tables of `node`; replace these if their shapes differ. */
function renew(node, tables) {
  const kept = [...node.children];
  const [old, now] = [kept, tables].map((all) =>
    all.flatMap((each) => [...each.querySelectorAll(CELLS)]));
  if (shapesOf(kept) !== shapesOf(tables)) node.replaceChildren(...tables);
  else old.forEach((cell, k) => setText(cell, now[k].textContent));
}

/** Build the tables of the open level; `update` rebuilds them after a pause, but not while isHeld(). */
export function tablesFor(signal, isHeld) {
  const node = html("div", { class: "abh-unseen abh-ma-tables" });
  let timer = 0;
  signal.addEventListener("abort", () => clearTimeout(timer));
  const update = (currentFrame) => {
    const build = () => {
      if (isHeld()) update(currentFrame);
      else renew(node, tablesOf(currentFrame()));
    };
    clearTimeout(timer);
    if (node.firstChild) timer = setTimeout(build, WAIT);
    else build();
  };
  return { node, update };
}
