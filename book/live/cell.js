// A cell that runs in the page: its text, its buttons and its output.

import { element, quietButton, status } from "../runtime/elements.js";
import { compare } from "../runtime/storage.js";
import { openEditor } from "./edit.js";
import { isBusy, hasPython, run, stop } from "./engine.js";
import { keepText, keepVerdict, keptText } from "./kept_code.js";

const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
const seconds = (ms) => `${(ms / 1000).toFixed(ms < 995 ? 2 : 1)} s`;

const TOO_LARGE = "The run took too much memory. Python starts again at the next run.";
const STOPPED = "Stopped. The results of the cells are gone. The next run computes what it needs again.";
const FOLLOWS = "You changed this code in another tab. This tab now shows that change.";
const ELSEWHERE = "Another tab has changed this code. Choose the code to keep. Until then this tab keeps no change of this code.";

/** Set a figure to code's values; return text and a link that tell the reader the result. */
function reportOfSet(name, texts, isMade) {
  const set = globalThis.abhFigures?.set(name, texts, isMade); // see runtime/figures.js
  const { refused, isChanged, canUndo } = set ?? { refused: "this page has no figure of that name" };
  const figure = element("a", { href: `#fig-${name}` }, "the figure");
  if (refused) return [` The page could not set ${name}: ${refused}.`];
  return isChanged ? [" It set ", figure, canUndo ? ", where Undo takes it back." : "."] : [];
}

export class LiveCell {
  /**
   * @param {{ node: HTMLElement, index: number, bar: HTMLElement, run: HTMLButtonElement,
   *   edit: HTMLButtonElement, size: HTMLElement, said: HTMLElement }} part As main.js builds it.
   * @param {LiveCell[]} all The cells of the page; the caller adds this cell.
   */
  constructor({ node, index, bar, run: runButton, edit: editButton, size, said }, all) {
    Object.assign(this, { node, index, runButton, editButton, size, said, all });
    this.name = node.id.replace(/^cell-/, "");
    this.code = node.querySelector(".cell_input pre");
    this.asBuilt = this.code.textContent.trimEnd();
    this.output = element("pre", { className: "live-output", hidden: true });
    this.undoButton = quietButton("Undo", () => this.undo());
    this.resetButton = quietButton("Reset", () => this.edit().then(() => this.reset()));
    this.changes = element("span", { className: "live-changes", hidden: true },
      this.undoButton, this.resetButton);
    this.noteKind = ""; // kind of the note that is shown
    this.note = status({ className: "live-held" });
    size.before(this.changes);
    said.after(this.note);
    bar.after(this.output);
    this.showStored();
    document.addEventListener("cleared", () => this.forgetWithDevice());
    addEventListener("storage", () => this.followOrAsk());
    addEventListener("pageshow", ({ persisted }) => persisted && this.followOrAsk());
  }

  // --- The text ------------------------------------------------------------------------

  /** Show the reader's stored code; without stored code, the code of the built page. */
  showStored() {
    this.known = keptText(this.name); // the stored code when this tab last read or wrote it
    this.text = this.known ?? this.asBuilt;
    this.undoButton.hidden = true;
    if (this.isEdited) this.code.textContent = this.text;
    this.markEdited();
  }

  get isEdited() {
    return this.text !== this.asBuilt;
  }

  markEdited() {
    this.node.classList.toggle("live-edited", this.isEdited);
    this.changes.hidden = !this.isEdited && !this.editor;
  }

  async edit() {
    if (this.editor) this.editor.focus();
    if (this.editor || this.opening) return;
    this.opening = true;
    try {
      const { text } = this;
      this.editor = await openEditor(this.code, text, {
        label: `Code of cell ${this.index + 1}. Escape, then Tab, leaves it.`,
        change: (text) => this.take(text),
        submit: () => this.press(),
      });
      // Reset or another tab may have changed the text while the editor was fetched.
      if (this.text !== text) this.editor.replace(this.text);
      this.editButton.hidden = true;
      this.undoButton.hidden = false;
      this.markEdited();
    } catch (error) {
      this.said.textContent = `The editor did not come (${error.message}).`;
    }
    this.opening = false;
  }

  take(text) {
    this.text = text;
    this.isTouched = true; // the reader has changed the code in this tab
    this.unsay("follows");
    const why = this.followOrAsk() ? "" : this.keep();
    if (!this.isRunning) this.said.textContent = why && `Not kept: ${why}.`;
    this.markEdited();
  }

  undo() {
    if (!this.editor.undo()) this.said.textContent = "Nothing to undo.";
  }

  /** Replace the shown text. If the editor is open, Undo restores the old text. */
  write(text) {
    if (this.editor) this.editor.replace(text);
    else this.code.textContent = text;
    this.take(text);
  }

  reset() {
    this.write(this.asBuilt);
    this.said.textContent = this.editor ? "The course\u2019s code is back; Undo brings yours." : "The course\u2019s code is back.";
  }

  // --- On the device: this tab overwrites only texts that it has seen --------------------

  /** The text to keep on the device; null if the code is the course's. */
  get entry() {
    return this.isEdited ? this.text : null;
  }

  /** Keep the text; return why this failed, or "". */
  keep() {
    const why = keepText(this.name, this.entry);
    if (!why) this.known = this.entry;
    return why;
  }

  /** If another tab has changed the code, show that code or let the reader choose. Return whether it has. */
  followOrAsk() {
    const there = keptText(this.name);
    const change = compare([{ known: this.known, there, here: this.entry }], this.isTouched);
    if (change === "ask") this.askWhichTab();
    else if (change === "follow") {
      this.takeFromOtherTab();
      this.say("follows", FOLLOWS);
    } else {
      this.known = there;
      this.unsay("elsewhere");
    }
    return change !== "";
  }

  askWhichTab() {
    if (this.noteKind !== "elsewhere") this.say("elsewhere", ELSEWHERE, {
      "Use the other tab\u2019s": () => this.takeFromOtherTab(),
      "Keep this one": () => this.overwriteOtherTab(),
    });
  }

  takeFromOtherTab() {
    this.write(keptText(this.name) ?? this.asBuilt);
    this.isTouched = false;
  }

  overwriteOtherTab() {
    this.known = keptText(this.name);
    this.take(this.text);
  }

  /** Show a lasting note with buttons; it replaces the last note. */
  say(kind, text, actions = {}) {
    const buttons = Object.entries(actions).flatMap(([label, act]) => [" ", quietButton(label, act)]);
    this.noteKind = kind;
    this.note.replaceChildren(text, ...buttons, " ");
  }

  unsay(kind) {
    if (this.noteKind !== kind) return;
    this.noteKind = "";
    this.note.replaceChildren();
  }

  /** Return to the course's code after the reader has cleared the device's entries. */
  forgetWithDevice() {
    if (this.isEdited) this.reset();
    this.followOrAsk();
  }

  // --- Running --------------------------------------------------------------------------

  press() {
    if (this.isRunning) stop();
    else if (isBusy()) this.said.textContent = "Another cell runs.";
    else this.run();
  }

  async run() {
    this.mark(true);
    this.markOld(true);
    const printed = new Map();
    const print = (index, text) => {
      const cell = this.all[index];
      if (!cell) return;
      printed.set(cell, (printed.get(cell) ?? "") + text);
      if (cell === this || cell.isEdited) cell.print(text, printed.get(cell) === text);
    };
    const say = (text) => {
      this.said.textContent = `${text} \u2026`;
    };
    const result = await run({
      cells: this.all.map(({ text }) => text),
      index: this.index,
      figures: globalThis.abhFigures?.shown() ?? {},
    }, { print, say });
    this.mark(false);
    this.markOld(false);
    if (hasPython()) for (const cell of this.all) cell.size.remove();
    this.show(result, printed);
  }

  /** Grey out the output of the last run until the new run prints or ends. */
  markOld(isOld) {
    this.node.classList.toggle("live-old", isOld);
    if (isOld) this.node.classList.remove("live-failed");
  }

  /** Add printed text; the first text of a run replaces the output of the last run. */
  print(text, isFirst) {
    if (isFirst) this.markOld(false);
    if (isFirst) this.output.replaceChildren();
    this.output.append(text);
    this.output.hidden = !this.output.textContent;
  }

  /** Show the result of a run: outputs and errors of the cells that ran, and the line below this cell. */
  show({ ok = false, ran = [], defined = "", stopped, ...rest }, printed) {
    const last = this.all[ran.at(-1)] ?? this;
    const failed = ok || stopped ? undefined : last;
    if (!printed.has(this)) this.print(defined, true);
    if (!ok && last !== this) last.print(printed.get(last) ?? "", true);
    if (ran.length || printed.has(this)) this.node.classList.add("live-ran");
    for (const cell of new Set([this, ...ran.map((each) => this.all[each])])) {
      const hasNewOutput = [this, failed].includes(cell) || (printed.has(cell) && cell.isEdited);
      if (cell.node.matches(".live-failed") && !hasNewOutput) cell.print("", true); // remove the old error
      cell.node.classList.toggle("live-failed", cell === failed);
    }
    const verdict = ok ? this.verdict(rest) : "";
    this.said.replaceChildren(...this.summary({ ok, ran, stopped, verdict, ...rest }, last));
  }

  /** Return the line below this cell after a run. `last`: the last cell that ran. */
  summary({ ok, ran, stopped, broken, verdict, time, sets = {}, made = [], large }, last) {
    const outcome = broken ?? (stopped ? STOPPED : ok ? `${verdict}Ran in ${seconds(time)}` : "Failed");
    const others = ok && ran.length > 1 ? [`, after ${counted(ran.length - 1, "cell")} above`] : [];
    const above = !ok && last !== this ? [" in ", element("a", { href: `#${last.node.id}` }, "a cell above"), ", which this one needs"] : [];
    const end = broken || stopped ? [] : ["."];
    const set = Object.entries(sets).flatMap(([name, texts]) => reportOfSet(name, texts, made.includes(name)));
    return [outcome, ...others, ...above, ...end, ...set, ...(large ? [` ${TOO_LARGE}`] : [])];
  }

  /** Count a verdict on this exercise and return it in words; "" if there is none. */
  verdict({ passed, exercise }) {
    const isJudged = typeof passed === "boolean" && this.node.matches(".tag_exercise") && [this.name, ""].includes(exercise);
    this.node.classList.toggle("live-right", isJudged && passed);
    if (!isJudged) return "";
    const why = keepVerdict(this.name, passed);
    const counted = why ? `but not counted in Your progress: ${why}` : "and counted in Your progress";
    return passed ? `Right, ${counted}. ` : "Not yet. ";
  }

  mark(isRunning) {
    this.isRunning = isRunning;
    this.runButton.textContent = isRunning ? "Stop" : "Run";
    this.runButton.ariaLabel = `${isRunning ? "Stop" : "Run"} cell ${this.index + 1}`;
    for (const cell of this.all) cell.runButton.disabled = isRunning && cell !== this;
  }
}

// main.js loads this file at the first press of a button, and calls this function.
globalThis.abhLive.cells = (parts) => {
  const all = [];
  for (const part of parts) all.push(new LiveCell(part, all));
  return all;
};
