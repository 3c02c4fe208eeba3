// The page "Your progress": the state of each page, the wrong answers, and the export, import
// and deletion of the device's entries.

import { resultItem, resultsOf, rightAtFirst } from "./answers.js";
import { ask, element, paragraph, quietButton, status } from "./elements.js";
import { entriesBelow, inWords, listOf } from "./entries.js";
import { codeOf, course, followProgress, isOurs, progressOf } from "./progress.js";
import { PREFIX, VERSION, keys, root, store, stored } from "./storage.js";
import { parsed, valueOf } from "../../src/course/widgets/card/values.js";
import { save } from "../../src/course/widgets/card/save.js";

// The file that holds the device's entries. storage.js describes its format.

const FORMAT = "attention-by-hand";
const CHECKS = { // by key: whether a text is valid, for entries that belong to no page
  version: (text) => text === String(VERSION),
  open: (text) => text === "1",
  place: (text) => {
    const place = parsed(text);
    return Array.isArray(place) && place.length === 3 && place.every((each) => typeof each === "string");
  },
};

/** Return the text of a file that holds all entries. */
function written() {
  const entries = Object.fromEntries(keys().sort().map((key) => [key.slice(PREFIX.length), stored(key)]));
  return JSON.stringify({ format: FORMAT, version: VERSION, saved: new Date().toISOString(), entries }, null, 1);
}

// Return whether the course knows the key of an entry, and the text is valid for this key.
function isSound(key, text, questions) {
  const [, name, last] = key.match(/^(?:(.*)\/)?([^/]+)$/) ?? [];
  if (typeof text !== "string" || !last) return false;
  if (!name) return Object.hasOwn(CHECKS, last) && CHECKS[last](text);
  if (!Object.hasOwn(questions, name)) return false;
  const [, figure, trait] = last.match(/^(.*)\.(\w+)$/) ?? [];
  const state = Object.hasOwn(questions[name], figure ?? "") ? questions[name][figure] : null;
  const { device, schema } = state?._page.traits[trait] ?? {};
  return Boolean(device) && valueOf(text, schema) !== undefined;
}

function date(text) {
  const when = new Date(text);
  return Number.isNaN(when.getTime()) ? "at an unknown time"
    : `on ${when.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" })}`;
}

/**
 * Return a file's date, its valid entries, and the keys of invalid entries (`left`, cut to 60
 * characters). Throw the reason if the text is no export of this version.
 */
function readFile(text, questions) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error("this page exports JSON, and the file is not JSON.");
  }
  if (file?.format !== FORMAT) throw new Error(`it does not say that it holds progress of this course (format \u201c${FORMAT}\u201d).`);
  if (file.version !== VERSION) throw new Error(`it is of version ${JSON.stringify(file.version)}, and this course reads version ${VERSION}.`);
  if (typeof file.entries !== "object" || file.entries === null || Array.isArray(file.entries)) throw new Error("it has no list of entries.");
  const all = Object.entries(file.entries);
  const [sound, left] = [true, false].map((wanted) => all.filter(([key, entry]) => isSound(key, entry, questions) === wanted));
  return {
    saved: date(file.saved),
    entries: Object.fromEntries(sound.map(([key, entry]) => [`${PREFIX}${key}`, entry])),
    left: left.map(([key]) => key.slice(0, 60)),
  };
}

/** Replace all entries of the device. If this fails, restore the old entries and return why; else "". */
function replaceAll(entries) {
  const before = keys().map((key) => [key, stored(key)]);
  for (const [key] of before) store(key, null);
  const why = Object.entries(entries).map(([key, text]) => store(key, text)).find(Boolean) ?? "";
  if (!why) return "";
  for (const key of keys()) store(key, null);
  for (const [key, text] of before) store(key, text);
  return `Nothing was imported, and what was here is still here: ${why}.`;
}

// The page's parts.

const questions = globalThis.abhQuestions;
const part = (name) => /** @type {HTMLElement} */ (document.getElementById(`progress-${name}`));
const addressOf = (name) => `${root}${name}.html`;

// Return why the device cannot store entries, or "".
function storageProblem() {
  const probe = `${PREFIX}probe`;
  const why = store(probe, "1");
  if (!why) store(probe, null);
  return why;
}

// --- State of each page, wrong answers -------------------------------------------------

// Return a function that gives a trait's kept value, or its value in the built page.
function getOf(name, state) {
  const { traits, name: figure } = state._page;
  return (trait) => {
    const { device, schema } = traits[trait] ?? {};
    const text = device ? stored(`${PREFIX}${name}/${figure}.${trait}`) : null;
    return (text === null ? undefined : valueOf(text, schema)) ?? state[trait];
  };
}

const resultsOn = (name) => Object.values(questions[name]).flatMap((state) =>
  resultsOf(getOf(name, state), state._page).map((result) => ({ ...result, name, figure: state._page.name })));

function row(each) {
  const { total, state } = progressOf(each);
  const given = resultsOn(each.page).filter(({ verdict }) => verdict);
  const [answered, right] = [given.length, given.filter(({ verdict }) => verdict === "right").length];
  const clear = element("td", {});
  if (entriesBelow(`${each.page}/`).length) {
    const button = quietButton("Clear \u2026", () => askToClear(`${each.page}/`, each.title));
    button.ariaLabel = `Clear ${each.title} \u2026`;
    clear.append(button);
  }
  const count = !total || !state ? "" : answered ? `, ${answered} of ${total} answered, ${right} right, ${rightAtFirst(given)} at the first try` : `, none of ${total} answered`;
  const code = codeOf(each);
  const solved = code.filter(({ verdict }) => verdict === "right").length;
  const ofCode = code.some(({ verdict }) => verdict) ? `, ${solved} of ${code.length} exercises in code solved` : "";
  return element("tr", {},
    element("td", {}, each.number ? `${each.number}. ` : "", element("a", { href: addressOf(each.page) }, each.title)),
    element("td", {}, `${state || "not begun"}${count}${ofCode}`), clear);
}

function showPages() {
  const table = element("table", {}, element("thead", {}, element("tr", {},
    element("th", {}, "Page"), element("th", {}, "How far"), element("td", {}))),
    element("tbody", {}, ...course.map(row)));
  part("pages").replaceChildren(element("div", { className: "table" }, table));
}

function showWrong() {
  const all = course.flatMap(({ page }) => resultsOn(page)).filter(({ verdict }) => verdict);
  const wrong = all.filter(({ verdict }) => verdict === "wrong");
  const pages = course.filter(({ page }) => wrong.some(({ name }) => name === page));
  const right = all.length === 1 ? "Your answer is right." : `None of your ${all.length} answers is wrong.`;
  const none = all.length ? right : "You have answered nothing yet.";
  const lists = pages.flatMap(({ page, title }) => [
    element("h3", {}, title),
    element("ol", {}, ...wrong.filter(({ name }) => name === page).map((result) =>
      resultItem(result, element("a", { href: `${addressOf(page)}#fig-${result.figure}` }, "Answer it again")))),
  ]);
  part("wrong").replaceChildren(...(lists.length ? lists : [paragraph("", none)]));
  part("wrong").className = "answers";
}

// --- Export, import, clear ----------------------------------------------------------

const said = status();

/** Open a dialog that asks before `act` deletes entries. `act` returns why it failed, or ""; after a success the page says `done`. */
function askFor(title, content, label, act, done) {
  const go = quietButton(label, () => {
    const why = act();
    dialog.close();
    said.textContent = why || done;
    show();
  });
  const dialog = ask(title, go, element("div", { className: "goes" }, ...content));
}

function askToClear(start, title) {
  const entries = entriesBelow(start);
  const clear = () => entries.map((key) => store(key, null)).find(Boolean);
  askFor(`Clear ${title}`, [paragraph("", "This will be deleted:"), element("ul", {}, ...listOf(entries))], "Clear", clear, "Cleared.");
}

function exportAll() {
  save("attention-by-hand.json", "application/json", written());
  said.textContent = `Exported: ${inWords(entriesBelow(""))}.`;
}

// Return a quoted CSV cell that a spreadsheet does not read as a formula.
const quoted = (text) => `"${text.replace(/^(?=[=+@\t]|-(?![\d.]))/, "'").replaceAll('"', '""')}"`;

/** Return all answers with their verdicts, as the CSV table that book/results.py reads. */
function resultsTable() {
  const rows = course.flatMap(({ page }) => resultsOn(page).filter(({ verdict }) => verdict).map(({ prompt, given, first, verdict, wasRight }) =>
    [page, prompt, given, first, verdict, wasRight ? "right" : "wrong"]));
  const head = ["page", "question", "answer", "first", "verdict", "first_verdict"];
  return [head.join(), ...rows.map((row) => row.map((cell) => quoted(String(cell))).join())].join("\r\n") + "\r\n";
}

function saveResults() {
  save("results.csv", "text/csv", resultsTable());
  said.textContent = "Saved: a table of your answers and the verdicts on them.";
}

function offer({ saved, entries, left }, name) {
  const [now, then] = [entriesBelow(""), Object.keys(entries)];
  const list = (keys, none) => (inWords(keys) ? element("ul", {}, ...listOf(keys)) : paragraph("", none));
  askFor("Replace what this device keeps", [
    paragraph("", "This will be deleted:"), list(now, "Nothing: this device keeps nothing yet."),
    paragraph("", `It will be replaced by \u201c${name}\u201d, saved ${saved}:`), list(then, "Nothing: the file has no entry of this course."),
    ...(left.length ? [paragraph("", `Not imported, because this course does not know them: ${left.join(", ")}.`)] : []),
  ], "Replace", () => replaceAll(entries), "Imported.");
}

async function take(input) {
  const [file] = input.files;
  if (!file) return;
  said.textContent = "";
  try {
    offer(readFile(await file.text(), questions), file.name);
  } catch ({ message }) {
    said.textContent = `\u201c${file.name}\u201d was not imported: ${message}`;
  }
  input.value = "";
}

// Build the part; return a function that disables its buttons while the device keeps nothing.
function buildFile() {
  const input = element("input", { type: "file", accept: ".json,application/json", id: "progress-import" });
  input.addEventListener("change", () => take(input));
  const exporting = quietButton("Export", exportAll);
  const results = quietButton("Save results", saveResults);
  const clearing = quietButton("Clear the whole course \u2026", () => askToClear("", "the whole course"));
  part("file").append(
    paragraph("acts", exporting, results, clearing),
    paragraph("acts", element("label", { htmlFor: input.id }, "Import a file"), " ", input),
    paragraph("", said));
  return () => {
    const nothing = !entriesBelow("").length;
    for (const button of [exporting, results, clearing]) button.disabled = nothing;
  };
}

// --- The page -----------------------------------------------------------------------

const why = storageProblem();
if (why) part("pages").before(paragraph("refused", `Nothing new can be kept: ${why}.`));
if (!isOurs()) {
  part("pages").before(paragraph("refused", `Another version of the course wrote what this device keeps ` +
    `(version ${stored(`${PREFIX}version`)}; this course reads version ${VERSION}). How far you have read is not shown.`));
}
const update = buildFile();

function show() {
  showPages();
  showWrong();
  update();
}

followProgress();
show();
addEventListener("storage", show);
addEventListener("pageshow", ({ persisted }) => persisted && show());
