// One row of a sheet, at the top of the screen while its matrices are too tall for one: a
// token's x, its weights and its output, each with what stood before.

import { html, setHidden, setText } from "../card/elements.js";
import { setShare } from "../card/drawings.js";
import { fixed } from "../card/numbers.js";
import { cellNumber, inputDecimals, inputNumber, labels } from "./explain.js";
import { resultId, splitId } from "./model.js";

const MOST = 4; // numbers of x and of the output that a strip has room for

/** A few numbers in a row, each with a ghost; what there is no room for is said by dots. */
function numbersRow(name) {
  const places = Array.from({ length: MOST }, () => html("span", { class: "abh-ws-strip-number" }, " "));
  const more = html("span", {}, "\u2026");
  const node = html("span", { class: "abh-ws-strip-row" }, html("i", {}, name), ...places, more);
  const update = (row, before, write) => {
    places.forEach((place, i) => {
      setHidden(place, i >= row.length);
      if (i >= row.length) return;
      const [now, then] = [write(row[i]), before ? write(before[i]) : ""];
      place.dataset.value = String(row[i]);
      setText(place, now);
      place.dataset.before = then === now ? "" : then;
    });
    setHidden(more, row.length <= MOST);
  };
  return { node, update };
}

/** A weight: its number, its bar, the bar of before, the token that it is given to. */
function weightColumn() {
  const number = html("span", { class: "abh-ws-strip-weight" }, " ");
  const [bar, ghost] = ["abh-ws-strip-bar", "abh-ws-strip-ghost"].map((name) => html("span", { class: name }));
  const name = html("span", { class: "abh-ws-strip-name" }, " ");
  const node = html("span", { class: "abh-ws-strip-column" }, number, html("span", { class: "abh-ws-strip-track" }, bar, ghost), name);
  const update = (token, weight, before) => {
    setText(name, token);
    number.dataset.value = String(weight);
    setText(number, fixed(weight));
    setShare(bar, weight);
    setShare(ghost, before ?? 0);
  };
  return { node, update };
}

/**
 * Build the strip; `line` says what changed.
 *
 * Returns { node, weights, update() }: its weights are veiled with the matrix's.
 */
export function stripOf(sheet, line) {
  const token = html("strong", {}, " ");
  const [x, z] = [numbersRow("x"), numbersRow("z")];
  const weights = html("div", { class: "abh-ws-strip-weights" });
  const node = html("div", { class: "abh-ws-strip" },
    html("div", { class: "abh-ws-strip-top", "aria-hidden": "true" }, token, x.node, z.node),
    html("div", { "aria-hidden": "true" }, weights), line);
  let columns = [];
  let shown = 0;
  /** The token that is told of: the one whose row is selected, else the one told last. */
  const rowOf = (inputs) => {
    const { id, row } = sheet.selected;
    const isToken = id && labels(inputs, splitId(id).kind)[0] === inputs.tokens;
    shown = Math.min(isToken ? row : shown, inputs.tokens.length - 1);
    return shown;
  };
  const update = () => {
    const { state, values, reference } = sheet;
    const inputs = state.inputs();
    const row = rowOf(inputs);
    const [id, given] = [resultId(values, state.head()), `weights.${state.head()}`];
    const before = (name) => reference?.values[name]?.[row];
    setText(token, inputs.tokens[row]);
    const places = inputDecimals(values.X);
    x.update(values.X[row], before("X"), (value) => inputNumber(value, places));
    z.update(values[id][row], before(id), (value) => cellNumber(value, sheet.decimals));
    if (columns.length !== inputs.tokens.length) {
      columns = inputs.tokens.map(weightColumn);
      weights.replaceChildren(...columns.map((column) => column.node));
    }
    node.classList.toggle("abh-ws-compared", Boolean(reference));
    columns.forEach((column, j) => column.update(inputs.tokens[j], values[given][row][j], before(given)?.[j]));
  };
  return { node, weights, update };
}
