// Which cell the reader stands on, and whose arithmetic is shown: by pointer, focus and
// keys, and by following a number to where it comes from.

import { ARROWS, placeWithin } from "../card/grid.js";
import { inFull } from "../card/numbers.js";
import { cellTitle, explanationText, inputDecimals, inputNumber, labels } from "./explain.js";
import { nameText } from "./grid.js";
import { PER_HEAD, isInput, matrixId, splitId, stepOf } from "./model.js";
import { highlight } from "./sheet.js";
import { eventCell, sameCell } from "./stage.js";
import { cellOf, cellText } from "./state.js";

/**
 * Follow the reader over a sheet.
 *
 * panel(): the panel of the arithmetic; place(): puts it beside the selected cell;
 * playback: what plays the arithmetic; read(): says what the sheet shows
 */
export function selectionOf(sheet, { panel, place, playback, read }) {
  const { state, parts, node } = sheet;
  const [lightHere, lightSources, lightPointed] = ["here", "source", "pointed"].map((name) => highlight(`abh-ws-${name}`));
  /** @type {[number[], boolean]} */
  let [mouse, isFollowing] = [[], false];
  /** @type {HTMLElement | null} */
  let named = null; // the cell that has a name of its own

  /** Show the arithmetic of a cell, and light up the cell and its sources. */
  const showArithmetic = (cell) => {
    const inputs = state.inputs();
    const explanation = sheet.explain(cell);
    const nodes = (cells) => cells.map((each) => sheet.cellNode(each)).filter(Boolean);
    lightHere(nodes([cell]));
    lightSources(nodes(explanation.sources));
    const from = sheet.trail.at(-1);
    panel().show({
      inputs, explanation, decimals: sheet.decimalsExplained, name: nameText(inputs, cell.id),
      editable: isInput(cell.id), from: from && cellTitle(inputs, from),
    });
    sheet.changed();
  };

  /** Show all of a cell's arithmetic; a play that was going on ends. */
  const explain = (cell) => {
    playback.end();
    showArithmetic(cell);
    playback.rest();
  };

  /** The first cell of what a step computes, in the row of the token that is selected. */
  const resultOf = (step) => {
    const { id, row } = sheet.selected;
    const inputs = state.inputs();
    const isToken = (kind) => labels(inputs, kind)[0] === inputs.tokens;
    const result = matrixId(step.result, state.head());
    const stays = id && isToken(splitId(id).kind) && isToken(step.result) && row < inputs.tokens.length;
    return { id: result, row: stays ? row : 0, column: 0 };
  };
  let [told, step] = ["", ""]; // the cell that the traits were told of, the step that was shown

  /** Tell the traits which cell is selected; they say nothing of the first one of a step's result. */
  const tell = () => {
    const first = { id: matrixId(state.step().result, state.head()), row: 0, column: 0 };
    told = sameCell(sheet.selected, first) ? "" : cellText(sheet.selected, state.head());
    if (parts.model.get("cell") !== told) parts.put("cell", told);
  };

  /** Take the cell that the traits ask for; keep the selected one where it is still shown; else take the step's result. */
  const keep = () => {
    const { selected } = sheet;
    const [asked, isNew] = [parts.model.get("cell"), state.step().id !== step];
    step = state.step().id;
    sheet.trail = sheet.trail.filter((passed) => sheet.exists(passed));
    const wanted = asked === told ? null : asked && cellOf(state.inputs(), asked, state.head());
    const { kind } = splitId(selected.id);
    const inOpenHead = { ...selected, id: matrixId(kind, state.head()) };
    if (wanted && sheet.grid(wanted.id)) sheet.selected = wanted;
    else if (!isNew && wanted === null && sheet.grid(inOpenHead.id) && sheet.exists(inOpenHead) && !sheet.grid(selected.id)) {
      sheet.selected = inOpenHead;
    } else if (isNew || wanted === "" || !sheet.grid(selected.id) || !sheet.exists(selected)) {
      sheet.selected = resultOf(state.step());
      sheet.trail = [];
    }
    tell();
    place();
    explain(sheet.selected);
  };

  /** Select what a step computes, in a sheet that shows all. */
  const selectResult = (of) => {
    sheet.trail = [];
    select(resultOf(of));
    sheet.cellNode(sheet.selected).scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  const select = (cell) => {
    sheet.selected = cell;
    tell();
    place();
    sheet.grid(cell.id).activate(cell.row, cell.column);
    explain(cell);
    read();
    name(cell);
  };

  /** Name the cell that has the focus, and its matrix if it scrolls; others are named by row and column. */
  const name = (cell) => {
    const { node: frame, cells } = sheet.grid(cell.id);
    const td = cells[cell.row][cell.column];
    if (named !== td) named?.removeAttribute("aria-label");
    named = isInput(cell.id) ? null : td;
    named?.setAttribute("aria-label", `${cellTitle(state.inputs(), cell)}: ${td.firstChild.textContent}`);
    const isWide = frame.scrollWidth > frame.clientWidth + 1;
    const isLong = frame.matches(".abh-ws-long") && frame.scrollHeight > frame.clientHeight + 1;
    if (isWide || isLong) frame.firstChild.setAttribute("aria-description", isWide ? "scrolls sideways" : "scrolls up and down");
    else frame.firstChild.removeAttribute("aria-description");
  };

  /** Say the arithmetic of the selected cell. */
  const speak = () => panel().speak(explanationText(sheet.explanation, sheet.decimalsExplained));

  const focus = ({ id, row, column }) => sheet.grid(id).target(row, column).focus();

  /** Bring the matrices of a cell's head; only a click, Enter or Space asks for that. */
  const bringHead = (cell) => {
    const { kind, head } = splitId(cell.id);
    if (!PER_HEAD.includes(kind) || head === state.head()) return false;
    parts.put("head", head + 1);
    return true;
  };

  /** Go to a cell: in this step where it shows, else in the step `home`. */
  const reveal = (cell, home) => {
    const { kind, head } = splitId(cell.id);
    const { trail } = sheet;
    if (!sheet.grid(cell.id)) {
      if (PER_HEAD.includes(kind) && state.head() !== head) parts.put("head", head + 1);
      if (!sheet.grid(cell.id)) parts.put("step", home);
    }
    sheet.trail = trail;
    isFollowing = true;
    focus(cell);
    isFollowing = false;
  };
  const homeOf = ({ id }) => stepOf(state.inputs(), splitId(id).kind);

  /** Go from the explained cell to one of its sources. */
  const follow = (source) => {
    sheet.trail.push(sheet.explained);
    reveal(source, homeOf(sheet.explained));
  };

  /** Go back to the cell from which the reader came. */
  const back = () => {
    const cell = sheet.trail.pop();
    reveal(cell, homeOf(cell));
  };

  /** Move on from a cell by an arrow key, Home or End; true where the key was used. */
  const moveFrom = (cell, event, field) => {
    const to = destination(sheet.grid(cell.id), cell, event, field);
    if (to) focus({ id: cell.id, row: to[0], column: to[1] });
    return Boolean(to);
  };

  node.addEventListener("focusin", (event) => {
    const cell = eventCell(event);
    if (!cell) return;
    if (!isFollowing) sheet.trail = [];
    select(cell);
    const field = event.target;
    if (field.tagName !== "INPUT") return;
    if (!field.hasAttribute("aria-invalid")) field.value = inFull(sheet.value(cell));
    field.select();
  });
  node.addEventListener("focusout", ({ target: field }) => {
    if (field.tagName !== "INPUT" || field.hasAttribute("aria-invalid")) return;
    const cell = eventCell({ target: field });
    if (cell && sheet.exists(cell)) field.value = inputNumber(sheet.value(cell), inputDecimals(sheet.values[cell.id]));
  });
  // A tap does not give the focus to a table cell in every browser.
  node.addEventListener("click", (event) => {
    const td = event.target.closest("td[tabindex]");
    if (!td) return;
    if (!td.matches(":focus")) td.focus();
    const cell = eventCell({ target: td });
    if (cell) bringHead(cell);
  });
  // A scroll brings other cells under a mouse at rest: the reader does not point at them.
  node.addEventListener("pointerover", (event) => {
    if (playback.holds(event.target)) return;
    if (event.clientX === mouse[0] && event.clientY === mouse[1]) return;
    const cell = eventCell(event) ?? sheet.selected;
    if (!sameCell(cell, sheet.explained)) explain(cell);
  });
  node.addEventListener("pointerleave", () => playback.isOn() || explain(sheet.selected));
  for (const type of ["pointermove", "pointerdown"]) {
    parts.root.addEventListener(type, ({ clientX, clientY }) => (mouse = [clientX, clientY]));
  }

  /** Show which cell a source stands for that the reader points at in the arithmetic. */
  const point = (event) => {
    const data = event?.target.closest?.(".abh-ws-follow")?.dataset;
    const td = data && sheet.cellNode(data);
    lightPointed(td ? [td] : []);
  };
  const isAsked = () => parts.model.get("cell") !== told;
  return { showArithmetic, keep, speak, isAsked, selectResult, bringHead, follow, back, moveFrom, point };
}

/** The row and column to which a key leads from a cell; null where it does something else. */
function destination({ cells, turned }, { row, column }, event, field) {
  const size = [cells.length, cells[0].length];
  const { key, shiftKey, ctrlKey } = event;
  if (field && key === "Enter") return placeWithin([row, column], [shiftKey ? -1 : 1, 0], size);
  if (field && (shiftKey || !leavesField(field, key))) return null;
  if (key === "Home") return [ctrlKey ? 0 : row, 0];
  if (key === "End") return [ctrlKey ? size[0] - 1 : row, size[1] - 1];
  const by = ARROWS[key];
  return by ? placeWithin([row, column], turned ? by.toReversed() : by, size) : null;
}

/** Whether a key leaves a text field: up and down do, left and right at its ends. */
function leavesField(field, key) {
  if (["ArrowUp", "ArrowDown"].includes(key)) return true;
  const [start, end, length] = [field.selectionStart, field.selectionEnd, field.value.length];
  const all = start === 0 && end === length;
  if (key === "ArrowLeft") return all || (start === 0 && end === 0);
  if (key === "ArrowRight") return all || (start === length && end === length);
  return false;
}
