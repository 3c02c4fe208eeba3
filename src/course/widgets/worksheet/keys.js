// What the keys do in a sheet, for whoever unfolds it.

import { html } from "../card/elements.js";

const KEYS = [
  ["Arrows, Home, End", "To another cell. In a number, \u2190 and \u2192 go through its text first, unless all of it is selected."],
  ["Enter, Shift+Enter", "In a matrix that you set, one cell down or up; in a computed one, to its first source."],
  ["Page Up, Page Down", "Add 0.1 to a number that you set, or take 0.1 away."],
  ["Escape", "Brings back the number that a cell held before what is typed."],
  ["P, Shift+P", "Play the cell\u2019s arithmetic, or all cells of its matrix; once more, pause."],
  ["Ctrl+Z, Ctrl+Shift+Z", "Take back what was changed in the sheet, and make it again; Cmd on a Mac, here and below."],
  ["Ctrl+V", "A block from a spreadsheet goes into the matrix, from the selected cell on."],
  ["Ctrl+C", "Where no text is selected, copies the whole matrix, for a spreadsheet."],
];

export function keysList() {
  const lines = KEYS.flatMap(([keys, does]) => [html("dt", {}, keys), html("dd", {}, does)]);
  return html("details", { class: "abh-ws-keys" }, html("summary", {}, "Keyboard"), html("dl", {}, ...lines));
}
