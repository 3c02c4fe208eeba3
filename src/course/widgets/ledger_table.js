// The ledger as a table: search, two filters, twenty rows at a time, one marked line.

import { card } from "./card/card.js";
import { choice } from "./card/controls.js";
import { button, followSize, html, uid } from "./card/elements.js";
import { grouped, readNumber } from "./card/numbers.js";

const ROWS_SHOWN = 20;
const HEADINGS = ["Where", "What it is", "Printed", "Chained", "From source", "Verdict"];

// Return the rows that ledger_table.py packed, each with the text that a search reads.
function unpackRows(model) {
  const [notes, verdicts] = [model.get("notes"), model.get("verdicts")];
  return model.get("packed").split("\n").map((text) => {
    const [note, line, quantity, printed, chained, source, verdict] = text.split("\t");
    const row = { note: Number(note), line, quantity, printed, chained, source, verdict: Number(verdict) };
    row.key = `${notes[row.note]}:${line}`;
    row.text = `${notes[row.note]} ${line} ${quantity} ${printed} ${verdicts[row.verdict]}`.toLowerCase();
    return row;
  });
}

// Return the words of a search. The parts of a number stay together, as in 12 % or 1 / 3.
function searchWords(find) {
  if (readNumber(find).message === "") return [find];
  return find.toLowerCase().replace(/(\d)\s+%/g, "$1%").replace(/(\d)\s*([/\u2044])\s*(?=\d)/g, "$1$2")
    .split(/\s+/).filter(Boolean);
}

// Return holds(row): whether a row contains the word. A number matches in every notation.
// A fraction also matches a printed number that is the rounded fraction.
function testOf(word) {
  const { value, places, message } = readNumber(word);
  if (message) return (row) => row.text.includes(word);
  if (places === Infinity) {
    return (row) => {
      const { value: printed, places: given } = readNumber(row.printed);
      return printed === value || (given > 0 && printed.toFixed(given) === value.toFixed(given));
    };
  }
  const written = value.toFixed(Math.min(places, 20));
  return (row) => row.text.includes(written) || row.text.includes(word);
}

// Return a message if a number in the search is ambiguous, else an empty text.
function searchProblem(find) {
  const found = searchWords(find).map((word) => readNumber(word)).find(({ why }) => why === "ambiguous");
  return found ? `${found.message} ` : "";
}

function chosenRows(model, rows) {
  const wordTests = searchWords(model.get("find")).map(testOf);
  const [note, verdict] = [model.get("note") - 1, model.get("verdict") - 2];
  const label = model.get("verdicts").indexOf("label");
  return rows.filter((row) =>
    (note < 0 || row.note === note) &&
    (verdict === -2 ? row.verdict !== label : verdict === -1 || row.verdict === verdict) &&
    wordTests.every((holds) => holds(row)));
}

// Add the search field, whose value is the trait `find`.
function searchField({ model, controls, watch }, change) {
  const id = uid("find");
  const field = html("input", {
    type: "search", id, class: "abh-field", autocomplete: "off", spellcheck: "false",
    placeholder: "Q1[apple], a number, a line",
  });
  field.addEventListener("input", () => change({ find: field.value }));
  controls.append(html("div", { class: "abh-control" }, html("label", { for: id }, "Search"), field));
  watch(["find"], () => {
    if (field.value !== model.get("find")) field.value = model.get("find");
  });
}

// Build one row of the table; its line number is a button that marks the line.
function tableRow(model, row, mark) {
  const verdict = model.get("verdicts")[row.verdict];
  const isMarked = row.key === model.get("row");
  const where = `${model.get("shorts")[row.note]} ${row.line}`;
  const line = button(where, () => mark(isMarked ? "" : row.key), {
    class: "abh-bare abh-line", "aria-pressed": String(isMarked), "data-key": row.key,
  });
  const cell = (column, className, content, value = null) =>
    html("td", { role: "cell", class: className, "data-head": HEADINGS[column], "data-value": value }, content);
  return html("tr", { role: "row", "data-verdict": verdict, class: isMarked ? "abh-marked" : null },
    cell(0, null, line), cell(1, "abh-quantity", row.quantity),
    ...[row.printed, row.chained, row.source].map((text, i) => cell(2 + i, "abh-figure", text, text)),
    cell(5, "abh-verdictcell", verdict));
}

function turnButtons(turn) {
  const step = (text, by) => button(text, () => turn(by));
  const [before, after] = [step(`Previous ${ROWS_SHOWN}`, -ROWS_SHOWN), step(`Next ${ROWS_SHOWN}`, ROWS_SHOWN)];
  const node = html("div", { class: "abh-acts abh-turn", role: "group", "aria-label": "Turn the table" }, before, after);
  const update = (first, found) => {
    const pressed = [before, after].find((each) => each.matches(":focus"));
    before.disabled = first === 0;
    after.disabled = first + ROWS_SHOWN >= found;
    if (pressed?.disabled) (pressed === before ? after : before).focus();
  };
  return { node, update };
}

function reading(found, first, total) {
  if (!found) return "No number fits. Try fewer words, all notes or all verdicts.";
  const last = Math.min(first + ROWS_SHOWN, found);
  return `${grouped(found)} of ${grouped(total)} numbers fit; ${grouped(first + 1)} to ${grouped(last)} are shown.`;
}

function ledgerTable(context) {
  const parts = card(context, { refuses });
  const { model, root, controls, drawing, watch, set, read, signal } = parts;
  const rows = unpackRows(model);
  const change = (values) => set({ ...values, first: 0, row: "" });
  const mark = (key) => set({ row: key });
  // On a phone CSS stacks the rows, and browsers stop treating them as a table: roles repair this.
  const body = html("tbody", { role: "rowgroup" });
  const headings = HEADINGS.map((text) => html("th", { scope: "col", role: "columnheader" }, text));
  const table = html("table", { class: "abh-ledger", role: "table" },
    html("caption", {}, "The ledger"),
    html("thead", { role: "rowgroup" }, html("tr", { role: "row" }, ...headings)), body);
  const region = html("div", { class: "abh-scroll", role: "region", tabindex: "0", "aria-label": "The ledger, scrollable" }, table);
  const turn = turnButtons((by) => set({ first: Math.max(shownFirst() + by, 0), row: "" }));
  let chosen = [];
  const shownFirst = () => Math.max(Math.min(model.get("first"), chosen.length - 1), 0);

  root.classList.add("abh-ledgercard");
  searchField(parts, change);
  const filter = { model, watch, put: (trait, index) => change({ [trait]: index }) };
  controls.append(
    choice(filter, { trait: "note", label: "Note", options: ["all five", ...model.get("notes")] }),
    choice(filter, { trait: "verdict", label: "Verdict", options: ["all but labels", "all", ...model.get("verdicts")] }));
  const more = html("p", { class: "abh-note", hidden: true }, "The table goes on at the right: Chained, From source, Verdict.");
  const updateNote = () => {
    more.hidden = region.scrollWidth <= region.clientWidth + 1;
    const ended = region.scrollLeft + region.clientWidth > region.scrollWidth - 2;
    more.style.visibility = ended ? "hidden" : "";
  };
  region.addEventListener("scroll", updateNote, { passive: true });
  followSize(region, signal, updateNote);
  drawing.append(more, region, turn.node);

  const show = () => {
    const first = shownFirst();
    const buttons = () => [...body.querySelectorAll(".abh-line")];
    const focused = buttons().indexOf(document.activeElement);
    body.replaceChildren(...chosen.slice(first, first + ROWS_SHOWN).map((row) => tableRow(model, row, mark)));
    if (focused >= 0) buttons()[focused]?.focus();
    turn.update(first, chosen.length);
    read(searchProblem(model.get("find")) + reading(chosen.length, first, rows.length));
  };
  const choose = () => {
    chosen = chosenRows(model, rows);
    show();
  };
  // Turn to the marked line, two rows below the top. If the filters hide the line, widen
  // them step by step until the line appears.
  const goToMarked = () => {
    const key = model.get("row");
    const place = () => chosen.findIndex((row) => row.key === key);
    for (const wider of [{ verdict: 0 }, { verdict: 1 }, { find: "", note: 0 }]) {
      if (key && place() < 0) set(wider);
    }
    const first = shownFirst();
    const isShown = chosen.slice(first, first + ROWS_SHOWN).some((row) => row.key === key);
    if (key && place() >= 0 && !isShown) set({ first: Math.max(place() - 2, 0) });
    show();
  };
  watch(["find", "note", "verdict"], choose);
  watch(["first"], show);
  watch(["row"], goToMarked);
  if (model.get("row")) {
    requestAnimationFrame(() => body.querySelector(".abh-marked")?.scrollIntoView({ block: "center" }));
  }
}

// Return why an address cannot be shown, or "" (book/runtime/figures.js).
function refuses(get) {
  const row = get("row");
  const isThere = row === "" || unpackRows({ get }).some(({ key }) => key === row);
  return isThere ? "" : `row = \u201c${row}\u201d; the ledger has no line of that name`;
}

export default { refuses, render: ledgerTable };
