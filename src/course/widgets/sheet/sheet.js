// A sheet to fill in: matrices with blanks, judged entry by entry, with hints.

import { card } from "../card/card.js";
import { refusalBeside } from "../card/controls.js";
import { MAIN, button, html, setHidden, setText, uid } from "../card/elements.js";
import { clamp, readNumber } from "../card/numbers.js";
import { setProse } from "../card/prose.js";
import { entriesOf, isBelow, withEntry, without } from "./entries.js";
import { keepFilled } from "./filled.js";
import { judge } from "./judge.js";
import { print } from "./paper.js";
import { getterOfEntries, readEntry, sheetOf, shownParts, taskOf, written } from "./steps.js";
import { frameOf, listOfPowers, printedCell, tableOf } from "./tables.js";

const MAX_BLANKS_LEVEL = 2;
const HINTS = 3; // number of stages of a hint
const MAX_PRINTED = 40; // sheets that are printed together
const MARKS = { right: "\u2713", wrong: "\u2717", coarse: "\u2026", refused: "?" };
const midpoint = ([low, high]) => (low + high) / 2;
const plain = (title) => title.replaceAll("_", " ");

function tableOfPowers(sheet) {
  const powers = listOfPowers(sheet);
  return powers && html("details", { class: "abh-sheet-powers" }, html("summary", {}, "Table of powers of e"), powers);
}

/** Return the verdict on a judged row; "" if no entry is wrong and some are missing. */
function verdictOn({ part, cells, mistake }) {
  const firstOf = (state) => cells.find((cell) => cell.state === state);
  if (firstOf("refused")) return firstOf("refused").read.message;
  if (mistake) return mistake.why;
  const wrong = cells.filter(({ state }) => state === "wrong").length;
  if (wrong) return wrong === 1 ? "One entry does not follow from the entries before it." : `${wrong} entries do not follow from the entries before them.`;
  const form = part.form === "fraction" ? "a fraction" : "at least two decimals";
  if (firstOf("coarse")) return `The first digits are right. Write ${form}.`;
  return cells.every(({ state }) => state === "right") ? "Right." : "";
}

/** Return a hint in stages: the idea of the step, an open entry in numbers, and its result. */
function hintOf(sheet, entries, part, judged, stage) {
  if (!stage) return "";
  const open = judged.find((cell) => cell.part === part && cell.state !== "right");
  if (!open) return part.idea;
  const { i, j } = open;
  const rangeOf = getterOfEntries(sheet, entries);
  const text = (key, row, column) => (readEntry(sheet, entries, key, row, column).message
    ? written(sheet.byKey.get(key) ?? {}, midpoint(rangeOf(key, row, column))) : entries[`${key}.${row}.${column}`]);
  const lines = [part.idea, `One entry that is not right yet: ${part.spelled(text, i, j)}.`, `Its result is ${written(part, midpoint(part.entry(rangeOf, i, j)))}.`];
  return lines.slice(0, stage).join(" ");
}

/** Build the block of one matrix to fill in: its table, its verdict and its hints. */
function stepOf(sheet, part, { write, ask }) {
  const note = uid("verdict");
  const fields = new Map();
  const { rowName, columnName } = frameOf(part, sheet.sizes.tokens);
  const table = tableOf(part, sheet, (i, j) => {
    if (!sheet.asks(part, i, j)) return printedCell(sheet, part, i, j);
    const field = html("input", {
      type: "text", class: "abh-field", autocomplete: "off", spellcheck: "false", maxlength: 20, "data-cell": `${part.key}.${i}.${j}`,
      "aria-label": `${plain(part.title)}, row ${rowName(i)}, column ${columnName(j) || j + 1}`, "aria-describedby": note,
    });
    const mark = html("span", { class: "abh-sheet-mark", "aria-hidden": "true" });
    field.addEventListener("change", () => write(field.dataset.cell, field.value.trim()));
    fields.set(field.dataset.cell, { field, mark });
    return html("div", { class: "abh-blank" }, field, mark);
  });
  const verdict = html("p", { id: note, class: "abh-verdict", role: "status" });
  const hint = html("p", { class: "abh-note", role: "status" });
  const more = button("Hint", () => {
    more.focus(); // writes the entry in which the reader is typing
    ask(part.key);
  });
  // If the press itself took the focus, the new verdict would move the button away before the click.
  more.addEventListener("mousedown", (event) => event.preventDefault());
  const node = html("div", { class: "abh-across abh-step" }, html("div", { class: "abh-scroll" }, table),
    html("div", { class: "abh-beside" }, verdict, hint, more));
  const update = ({ cells, rows }, entries, { isJudged, isOpen, stage }) => {
    for (const { id, state } of cells.filter((cell) => fields.has(cell.id))) {
      const { field, mark } = fields.get(id);
      if (field.value.trim() !== (entries[id] ?? "")) field.value = entries[id] ?? "";
      const shown = isJudged ? state : "";
      field.readOnly = !isOpen;
      field.dataset.state = shown;
      field.ariaInvalid = ["wrong", "refused"].includes(shown) ? "true" : null;
      setText(mark, MARKS[shown] ?? "");
    }
    const said = rows.filter((row) => row.part === part).map((row) => [rowName(row.i), isJudged ? verdictOn(row) : ""]).filter(([, text]) => text);
    setProse(verdict, said.map(([name, text]) => `${name}: ${text}`).join(" "));
    setProse(hint, isOpen && isJudged ? hintOf(sheet, entries, part, cells, stage) : "");
    setHidden(more, !isOpen || !isJudged || stage >= HINTS);
    setText(more, `Hint ${Math.min(stage + 1, HINTS)} of ${HINTS}`);
  };
  return { node, update };
}

const largestSeed = (model) => model.get("_page").traits.seed.schema.maximum;

/** The field for the number of the sheet. */
function seedField({ model, watch, put }) {
  const id = uid("seed");
  const field = html("input", { type: "text", id, class: "abh-field", inputmode: "numeric", autocomplete: "off", maxlength: 10 });
  const { node, refuse } = refusalBeside(field);
  field.addEventListener("change", () => {
    const { value } = readNumber(field.value, { whole: true });
    const isValid = Number.isInteger(value) && value >= 1 && value <= largestSeed(model);
    if (isValid) put("seed", value);
    refuse(isValid ? "" : `Type a whole number from 1 to ${largestSeed(model).toLocaleString("en-US")}.`);
  });
  watch(["seed"], () => {
    field.value = model.get("seed");
    refuse("");
  });
  return html("div", { class: "abh-control" }, html("label", { for: id }, "Number of the sheet"), field, node);
}

/** Build the field for the number of printed sheets, and the button that prints. */
function paperOf(view) {
  const id = uid("count");
  const count = html("input", { type: "number", id, class: "abh-field", min: 1, max: MAX_PRINTED, value: 1 });
  const act = () => {
    const asked = clamp(Math.round(count.valueAsNumber) || 1, 1, MAX_PRINTED);
    count.value = String(asked); // the reader sees how many are printed
    print(view, asked, largestSeed(view.model));
  };
  return html("details", { class: "abh-sheet-print" }, html("summary", {}, "On paper"),
    html("div", { class: "abh-fields" }, html("label", { for: id }, "Sheets, each with its own number"), count, button("Print", act, MAIN)));
}

/** Focus the next blank when the reader presses Enter. */
function onEnter(event) {
  if (event.key !== "Enter" || !event.target.matches("[data-cell]")) return;
  event.preventDefault();
  const fields = [...event.currentTarget.querySelectorAll("[data-cell]")];
  fields[(fields.indexOf(event.target) + 1) % fields.length].focus();
}

function render(host) {
  const view = card(host, { lines: [1, 2] });
  const { model, controls, drawing, watch, put, read } = view;
  /** @type {(trait: string) => any} */
  const get = (trait) => model.get(trait);
  const sheetKey = () => `${get("kind")}.${get("seed")}`;
  const examKey = () => `${sheetKey()}.${get("blanks")}`;
  /** @type {any} */
  let sheet;
  /** @type {any[]} */
  let steps = [];
  let stages = {};
  let offersMore = false; // whether the next sheet has more blanks

  const write = (id, text) => put("entries", withEntry(get("entries"), `${sheetKey()}.${id}`, text));
  const ask = (key) => {
    stages = { ...stages, [key]: (stages[key] ?? 0) + 1 };
    show();
  };

  const task = html("p", { class: "abh-sheet-task" });
  const another = button("Another like this", () => {
    if (offersMore) put("blanks", get("blanks") + 1);
    put("seed", (get("seed") % largestSeed(model)) + 1);
  }, MAIN);
  const handIn = button("Hand in", () => put("handed_in", [...get("handed_in"), examKey()]), MAIN);
  const clear = button("Clear", () => {
    put("handed_in", get("handed_in").filter((key) => !isBelow(key, sheetKey())));
    put("entries", without(get("entries"), sheetKey()));
    stages = {}; // the hints give results
    show();
  });
  controls.append(seedField(view), html("div", { class: "abh-fields" }, another, handIn, clear), paperOf(view));
  drawing.classList.add("abh-across", "abh-sheet");
  drawing.addEventListener("keydown", onEnter);

  const show = () => {
    const entries = entriesOf(get("entries"), sheetKey());
    const judged = judge(sheet, entries);
    const isHandedIn = get("exam") && get("handed_in").includes(examKey());
    const isJudged = !get("exam") || isHandedIn;
    for (const { key, update } of steps) update(judged, entries, { isJudged, isOpen: !isHandedIn, stage: stages[key] ?? 0 });
    const all = judged.cells.length;
    const isDone = isJudged && judged.right === all;
    if (isDone || isHandedIn) keepFilled(view, judged.right, all);
    setHidden(handIn, isJudged);
    offersMore = isDone && get("blanks") < MAX_BLANKS_LEVEL;
    setText(another, offersMore ? "Another one, with more blanks" : "Another like this");
    if (isHandedIn) read(`You have ${judged.right} of ${all} points, one point for each right entry.`);
    else if (!judged.written) read("");
    else if (isJudged) read(isDone ? `All ${all} entries are right.` : `Right entries: ${judged.right} of ${all}.`);
    else read(`You have filled in ${judged.written} of ${all} entries. Hand in the sheet when you are ready.`);
  };
  watch(["kind", "seed", "blanks"], () => {
    sheet = sheetOf(get("kinds"), get("kind"), get("seed"), get("blanks"));
    stages = {};
    const askedParts = new Set(sheet.asked.map(({ part }) => part));
    steps = [];
    const nodes = shownParts(sheet).map((part) => {
      if (!askedParts.has(part)) return html("div", { class: "abh-scroll" }, tableOf(part, sheet, (i, j) => printedCell(sheet, part, i, j)));
      const step = stepOf(sheet, part, { write, ask });
      steps.push({ key: part.key, ...step });
      return step.node;
    });
    setProse(task, taskOf(sheet));
    drawing.replaceChildren(...[task, tableOfPowers(sheet), ...nodes].filter(Boolean));
    show();
  });
  watch(["entries", "exam", "handed_in"], show);
}

export default { render };
