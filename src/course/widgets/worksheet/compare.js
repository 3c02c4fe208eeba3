// What stood before: of the last change, or of a state that the reader compares with.

import { html, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { resultId, splitId } from "./model.js";
import { highlight } from "./sheet.js";

const COMPARED = ["weights", "head", "output"]; // kinds of matrices that show what stood before

/** The cell of a matrix that has changed most, as { row, column, now, before, by }. */
function largestChange(now, before) {
  let most = { row: 0, column: 0, now: 0, before: 0, by: 0 };
  now.forEach((line, row) => line.forEach((value, column) => {
    const by = value - before[row][column];
    if (Math.abs(by) > Math.abs(most.by)) most = { row, column, now: value, before: before[row][column], by };
  }));
  return most;
}

const PAUSE = 900; // milliseconds in which nothing is typed
const NOISE = 1e-12; // of sums in another order

/** The largest change of the weights of all heads and of the result; null where there is none. */
function changesOf(inputs, values, before, open) {
  const heads = inputs.W_Q.map((_, head) => ({ head, ...largestChange(values[`weights.${head}`], before[`weights.${head}`]) }));
  const weight = heads.reduce((a, b) => (Math.abs(b.by) > Math.abs(a.by) ? b : a));
  const id = resultId(values, open);
  const result = before[id] && largestChange(values[id], before[id]);
  const real = (change) => (change && Math.abs(change.by) > NOISE ? change : null);
  return { heads, weight: real(weight), result: real(result), id };
}

/** Two numbers with as few decimals as tell them apart, from two to six. */
function apart(now, before) {
  const places = [2, 3, 4, 5].find((digits) => fixed(now, digits) !== fixed(before, digits)) ?? 6;
  return [fixed(now, places), fixed(before, places)];
}

/** What has changed, in one line. */
function changeSentence(inputs, { weight, result }, since) {
  const name = (i) => `\u201c${inputs.tokens[i]}\u201d`;
  if (weight) {
    const [now, before] = apart(weight.now, weight.before);
    const where = inputs.W_Q.length > 1 ? `In head ${weight.head + 1} ` : "";
    return `${where}${name(weight.row)} now takes ${now} of ${name(weight.column)}, ${before} ${since}.`;
  }
  if (result) {
    const [now, before] = apart(result.now, result.before);
    return `No weight changed. The output of ${name(result.row)}, column ${result.column + 1}, is now ${now}, ${before} ${since}.`;
  }
  return "No weight and no output changed.";
}

/**
 * Show in a sheet what stood before; speak(words) says it once the reader pauses.
 *
 * Returns { line, pin, show(), sentence() }: the line that says what changed, the button
 * that keeps the present state to compare with, what shows both and the ghosts anew.
 */
export function comparisonOf(sheet, speak) {
  const line = html("p", { class: "abh-ws-change" }, " ");
  const [lightUp, lightDown] = ["up", "down"].map((way) => highlight(`abh-ws-most-${way}`));
  let [said, timer] = ["", 0];
  sheet.parts.signal.addEventListener("abort", () => clearTimeout(timer));
  const pin = html("button", { type: "button", class: "abh-button abh-quiet abh-ws-small", "aria-pressed": "false" }, "Compare with this");
  pin.addEventListener("click", () => {
    sheet.pin(!sheet.isPinned);
    show();
  });
  /** The cells that have changed most, of the weights that are shown and of the result. */
  const marked = (changes) => {
    const weights = `weights.${sheet.state.head()}`;
    const shown = [[weights, changes.heads[sheet.state.head()]], [changes.id, changes.result]];
    return shown.filter(([, change]) => change && Math.abs(change.by) > NOISE)
      .map(([id, { row, column, by }]) => ({ node: sheet.cellNode({ id, row, column }), by }))
      .filter(({ node }) => node);
  };
  const mark = (cells) => {
    lightUp(cells.filter(({ by }) => by > 0).map(({ node }) => node));
    lightDown(cells.filter(({ by }) => by < 0).map(({ node }) => node));
  };
  const show = () => {
    const { reference, values, state } = sheet;
    const inputs = state.inputs();
    const changes = reference && changesOf(inputs, values, reference.values, state.head());
    const row = sheet.rowAtOnce;
    for (const grid of sheet.atOnce) {
      if (COMPARED.includes(splitId(grid.id).kind)) grid.compare(reference?.values[grid.id], sheet.decimals, row);
    }
    if (row === null) mark(changes ? marked(changes) : []);
    pin.setAttribute("aria-pressed", String(sheet.isPinned));
    const since = sheet.isPinned ? "in what you compare with" : "before";
    const now = changes ? changeSentence(inputs, changes, since) : "";
    if (now !== said) {
      clearTimeout(timer);
      timer = setTimeout(() => speak(now), PAUSE);
    }
    said = now;
    setText(line, said || (sheet.isPinned ? "Changes are shown against these numbers." : "Change a number to see what it changes."));
    line.classList.toggle("abh-ws-told", !said);
  };
  return { line, pin, show, sentence: () => said };
}
