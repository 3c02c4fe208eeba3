// Changing the numbers of a sheet: what is typed, what is refused and why, one step up or
// down, and back to the numbers that were given.

import { html, setText, uid } from "../card/elements.js";
import { inFull } from "../card/numbers.js";
import { plusTenth } from "./arithmetic.js";
import { moved } from "./drag.js";
import { cellTitle, inputDecimals, inputNumber } from "./explain.js";
import { clearInvalid } from "./grid.js";
import { readEntry, withBlock } from "./model.js";
import { guardedButton } from "./shape.js";
import { eventCell } from "./stage.js";

const BEGUN = /^[+\-\u2010-\u2013\u2212]?[.,]?(?<=.)$/; // a sign or a mark, to which digits will come

/**
 * Let the reader edit the inputs of a sheet.
 *
 * Returns { problem, reset, setBlock, put, nudge, step, lastDigit, restore, tell,
 * sayProblem }: where problems are said and the button that gives the numbers back; the
 * acts are said below.
 */
export function editingOf(sheet) {
  const { state, parts, node } = sheet;
  const problem = html("p", { class: "abh-ws-problem", role: "status", id: uid("abh-ws-problem") });
  const refused = new Set(); // fields that held no number when they were last typed into
  let notice = ""; // what came of a paste, a copy or a reset
  /** @type {Element | null} */
  let noticed = null; // where it came of it
  let visit = {}; // of the reader to a field: all that is typed in one is one change

  /** The fields with no number that are shown; to look for them takes long, and seldom is there one. */
  const wrongFields = () => {
    for (const field of refused) if (!field.hasAttribute("aria-invalid")) refused.delete(field);
    return refused.size ? [...node.querySelectorAll("input[aria-invalid]")] : [];
  };

  /** Say what is wrong with the first such field, and what the sheet still uses. */
  const sayProblem = () => {
    const [field] = wrongFields();
    const cell = field && eventCell({ target: field });
    sheet.changed();
    if (notice || !cell) {
      setText(problem, notice);
      place(noticed);
      return;
    }
    problem.classList.remove("abh-ws-told");
    const instead = `The sheet still uses ${inFull(sheet.value(cell))}; Escape brings it back.`;
    setText(problem, `${cellTitle(state.inputs(), cell)}. ${field.dataset.message} ${instead}`);
    place(field);
  };

  /** Stand where the reader types: below a field, and over what is there, so that nothing moves. */
  const place = (target) => {
    if (!problem.textContent || !target?.isConnected) return;
    const [at, around] = [target, problem.parentNode].map((each) => each.getBoundingClientRect());
    const zoom = problem.currentCSSZoom ?? 1;
    const left = Math.max(0, Math.min(at.left - around.left, around.width - problem.offsetWidth * zoom));
    problem.style.left = `${left / zoom}px`;
    problem.style.top = `${(at.bottom - around.top + 4) / zoom}px`;
  };

  /** Say what came of a paste, a copy or a reset, where problems are said; the next edit ends it. */
  const tell = (words, isRefusal = false, target = document.activeElement) => {
    notice = words;
    noticed = target;
    problem.classList.toggle("abh-ws-told", !isRefusal);
    sayProblem();
  };

  /** Put numbers into an input from a cell on, as one change of the sheet. */
  const setBlock = (id, row, column, block, act = {}) => {
    notice = "";
    const held = sheet.values[id];
    const isThere = block.every((line, i) => line.every((value, j) => held[row + i][column + j] === value));
    if (isThere) sayProblem();
    else sheet.during(act, () => state.apply(withBlock(state.inputs(), id, row, column, block)));
  };
  const setEntry = ({ id, row, column }, value, act) => setBlock(id, row, column, [[value]], act);

  /** Bring back the number that a cell held before what was typed into its field. */
  const restore = (field, cell) => {
    clearInvalid(field);
    field.value = inFull(sheet.value(cell));
    if (field.matches(":focus")) field.select();
    sayProblem();
  };

  /** Change the number of an input by a function: of the explained cell, or the one given. */
  const nudge = (change, cell = sheet.explained) => put(cell, change(sheet.value(cell)));

  /** Put a number into an input and its field, as a part of an act. */
  const put = (cell, wanted, act = visit) => {
    parts.lift();
    const { size } = state.limits;
    const value = Math.max(-size, Math.min(size, wanted === 0 ? 0 : wanted));
    const field = sheet.grid(cell.id).target(cell.row, cell.column);
    clearInvalid(field);
    field.value = field.matches(":focus") ? inFull(value) : inputNumber(value, inputDecimals(sheet.values[cell.id]));
    setEntry(cell, value, act);
  };

  node.addEventListener("focusin", () => (visit = {}));
  node.addEventListener("input", ({ target: field }) => {
    const cell = eventCell({ target: field });
    if (!cell) return;
    notice = "";
    if (BEGUN.test(field.value.trim())) {
      clearInvalid(field);
      sayProblem();
      return;
    }
    take(field, cell);
  });
  node.addEventListener("focusout", ({ target: field }) => {
    const cell = eventCell({ target: field });
    if (cell && field.tagName === "INPUT" && BEGUN.test(field.value.trim())) take(field, cell);
  });

  /** Take what a field holds, or say why not. */
  const take = (field, cell) => {
    const { value, message } = readEntry(field.value, state.limits.size);
    if (!message) {
      clearInvalid(field);
      sheet.typed = cell;
      setEntry(cell, value, visit);
      sheet.typed = null;
      return;
    }
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", problem.id);
    field.dataset.message = message;
    refused.add(field);
    sayProblem();
  };

  const reset = guardedButton("Reset the numbers", "Reset the numbers to where they started", () => {
    for (const field of wrongFields()) restore(field, eventCell({ target: field }));
    state.apply(state.stated().inputs);
    tell("The numbers are as they were given; Undo brings yours back.");
  });
  sheet.watch(() => wrongFields().length > 0 || state.edited() !== null, (isTouched) =>
    reset.guard(isTouched ? "" : "as given"));
  sheet.watch(() => parts.model.get("edits"), () => (notice = ""));
  const step = (sign, cell) => nudge(plusTenth(sign), cell);
  const lastDigit = (sign, cell) => nudge((x) => moved(x, sign, sheet.values[cell.id]), cell);
  return { problem, reset: reset.button, setBlock, put, nudge, step, lastDigit, restore, tell, sayProblem };
}
