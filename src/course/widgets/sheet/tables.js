// A matrix of a sheet as a table, on the page and on paper.

import { html } from "../card/elements.js";
import { bracketed, gridOf } from "../card/grid.js";
import { prose } from "../card/prose.js";
import { powersOf, printed, upTo } from "./steps.js";

/** Return the indices of the shown rows and columns of a matrix, and functions that label them; "" for no label. */
export function frameOf({ step, values, rows, width, names, key }, tokens) {
  const shown = step ? rows : upTo(values.length);
  const columns = upTo(width ?? values[0].length);
  const isByToken = columns.length === tokens.length && (names === "tokens" || /^(scores|logits|powers|weights)/.test(key));
  return {
    shown, columns,
    rowName: (i) => (names === null ? "" : tokens[i]),
    columnName: (j) => (isByToken ? tokens[j] : ""),
  };
}

/** One matrix as a table; `cellOf(i, j)` returns the content of a cell. */
export function tableOf(part, { sizes: { tokens } }, cellOf) {
  const { shown, columns, rowName, columnName } = frameOf(part, tokens);
  const label = (scope, text) => (text ? html("th", { scope }, text) : html("td", { class: "abh-corner" }));
  const size = [shown.length, columns.length];
  return gridOf({ class: "abh-matrix abh-sheet-matrix" }, {
    caption: html("caption", { style: `color: var(--abh-${part.role})` }, ...prose(part.title)),
    head: columnName(0) ? columns.map((j) => label("col", columnName(j))) : null,
    rows: shown.map((i) => label("row", rowName(i))),
    lines: shown.map((i, at) => columns.map((j) => bracketed({}, [at, j], size, cellOf(i, j)))),
  });
}

export const printedCell = (sheet, part, i, j) => html("span", {}, printed(sheet, part, i, j));

/** The powers of e that a sheet prints, as a list; null for none. */
export function listOfPowers(sheet) {
  const powers = powersOf(sheet);
  return powers.length ? html("ul", {}, ...powers.map(([x, power]) => html("li", {}, ...prose(`e^${x}`), ` = ${power}`))) : null;
}
