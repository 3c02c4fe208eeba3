// What the keys do in a sheet, and the list of it for whoever unfolds it.

import { html } from "../card/elements.js";
import { eventCell } from "./stage.js";

const KEYS = [
  ["Arrows, Home, End", "To another cell. In a number, \u2190 and \u2192 go through its text first, unless all of it is selected."],
  ["Enter, Shift+Enter", "In a matrix that you set, one cell down or up; in a computed one, to its first source."],
  ["Page Up, Page Down", "Add 0.1 to a number that you set, or take 0.1 away."],
  ["Alt+\u2191, Alt+\u2193", "One last digit more or less, as by dragging the handle of a number sideways; on the handle the arrows alone."],
  ["Escape", "Brings back the number that a cell held before what is typed."],
  ["P, Shift+P", "Play the cell\u2019s arithmetic, or all cells of its matrix; once more, pause."],
  ["A", "Says the arithmetic of the cell to a screen reader."],
  ["L", "Copies a link to the sheet as it is, with the selected cell."],
  ["Ctrl+Z, Ctrl+Shift+Z", "Take back what was changed in the sheet, and make it again; Cmd on a Mac, here and below."],
  ["Ctrl+V", "A block from a spreadsheet goes into the matrix, from the selected cell on."],
  ["Ctrl+C", "Where no text is selected, copies the whole matrix, for a spreadsheet."],
];

export function keysList() {
  const lines = KEYS.flatMap(([keys, does]) => [html("dt", {}, keys), html("dd", {}, does)]);
  return html("details", { class: "abh-ws-keys", "aria-label": "Keys of the worksheet" }, html("summary", {}, "Keyboard"), html("dl", {}, ...lines));
}

/** Let keys act on the cell that has the focus. */
export function followKeys(sheet, { panel, selection, editing, playback }) {
  const enter = (cell) => {
    if (!selection.bringHead(cell)) panel.node.querySelector(".abh-ws-follow")?.focus();
  };
  const inField = {
    Escape: (cell, field) => editing.restore(field, cell),
    PageUp: (cell) => editing.step(1, cell),
    PageDown: (cell) => editing.step(-1, cell),
  };
  const copyLink = () => {
    const button = [...sheet.parts.root.querySelectorAll(".abh-foot button")].find((each) => each.textContent === "Copy link");
    button?.click();
  };
  const letters = {
    p: (event) => playback.press(event.shiftKey ? "matrix" : "cell"), a: selection.speak, l: copyLink,
  };
  const withAlt = { ArrowUp: (cell) => editing.lastDigit(1, cell), ArrowDown: (cell) => editing.lastDigit(-1, cell) };
  const onComputed = { " ": selection.bringHead, Enter: enter };
  sheet.node.addEventListener("keydown", (event) => {
    const cell = eventCell(event);
    if (!cell || event.metaKey) return;
    const field = event.target.tagName === "INPUT" ? event.target : null;
    const act = (event.altKey ? field && withAlt : field ? inField : onComputed)?.[event.key];
    if (event.altKey && !act) return;
    const letter = event.ctrlKey || event.altKey ? null : letters[event.key.toLowerCase()];
    if (letter) letter(event);
    else if (act) act(cell, field);
    else if (!selection.moveFrom(cell, event, field)) return;
    event.preventDefault();
  });
}
