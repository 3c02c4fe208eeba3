// The worksheet: a whole attention computation, its walk and its arithmetic.

import { card } from "../card/card.js";
import { html, setText, uid } from "../card/elements.js";
import { arithmeticPanel, plusTenth } from "./arithmetic.js";
import { blockText, placeBlock, readBlock, shapeText } from "./block.js";
import {
  cellTitle, explain, explanationText, finite, inputDecimals, inputNumber, labels, numpyText,
  shortNumber, signed,
} from "./explain.js";
import { clearInvalid, nameText } from "./grid.js";
import { keysList } from "./keys.js";
import {
  PER_HEAD, compute, hasMask, isInput, matrixId, readEntry, sizes, splitId, stepOf,
  steps, withBlock,
} from "./model.js";
import { player } from "./play.js";
import { guardedButton, shapePanel } from "./shape.js";
import { eventCell, sameCell, shapeSignature, stageOf } from "./stage.js";
import { codecs, refuses, worksheetState } from "./state.js";
import { STEP_WORDS, choice, headTabs, heading, walk } from "./walk.js";

const WIDE = 90; // rem from which the arithmetic stands beside the matrices, as in the stylesheet

const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

class WorksheetView {
  constructor(parts) {
    this.parts = parts;
    this.state = worksheetState(parts);
    this.node = html("div", { class: "abh-ws-stage" });
    this.stage = stageOf(this.node);
    this.trail = [];
    this.marked = [];
    this.keys = new Map();
    this.veiled = new WeakSet();
    this.wide = false;
    this.shown = [];
    this.told = "";
    this.refused = new Set();
    this.tellsWeights = false;
    [this.terms, this.hidden, this.term, this.played] = [[], [], [], false];
    this.build();
    this.listen();
    this.followWidth();
    const traits = ["presets", "example", "edits", "step", "head", "decimals"];
    parts.watch(traits, () => this.refresh());
  }

  build() {
    const { parts, state } = this;
    const { model, put, root, controls, drawing } = parts;
    root.classList.add("abh-ws-card");
    heading(parts, state);
    const options = Object.entries(model.get("presets")).map(([name, { title }]) => [name, title]);
    this.example = choice({ label: "Start from", options, set: (name) => put("example", name) });
    this.example.node.hidden = options.length < 2;
    this.walk = walk((by, id) => this.go(by, id));
    this.heads = headTabs((head) => put("head", head));
    this.player = player({ count: (mode) => this.playable(mode), show: (mode, at) => this.playTo(mode, at) });
    this.panel = arithmeticPanel({
      player: this.player.node,
      follow: (cell) => this.follow(cell),
      back: () => this.back(),
      nudge: (change) => this.nudge(change),
      copies: [
        { words: "Copy", form: "as a block", text: () => blockText(this.values[this.explained.id]) },
        { words: "Copy as NumPy", form: "as NumPy", text: () => numpyText(this.values[this.explained.id]) },
      ],
    });
    this.shape = shapePanel(state.inputs, state.apply, state.limits);
    this.problem = html("p", { class: "abh-ws-problem", role: "status", id: uid("abh-ws-problem") });
    controls.append(this.example.node, this.walk.node, this.heads.node);
    drawing.append(this.node, this.problem, this.panel.node, this.footer(), this.shape.node, keysList());
  }

  footer() {
    const { put } = this.parts;
    const { minimum, maximum } = this.parts.model.get("_page").traits.decimals.schema;
    const options = Array.from({ length: maximum - minimum + 1 }, (_, i) => [minimum + i, minimum + i]);
    this.decimals = choice({ label: "Decimals", options, set: (n) => put("decimals", Number(n)) });
    this.reset = guardedButton("Reset the numbers", "Reset the numbers to where they started", () => {
      for (const field of this.wrongFields()) this.restore(field, eventCell({ target: field }));
      this.state.apply(this.state.stated().inputs);
      this.tell("The numbers are as they were given; Undo brings yours back.");
    });
    return html("div", { class: "abh-ws-footer" }, this.reset.button, this.decimals.node);
  }

  listen() {
    const { node } = this;
    node.addEventListener("focusin", (event) => this.onFocus(event));
    node.addEventListener("click", (event) => this.onClick(event));
    node.addEventListener("focusout", (event) => this.onLeave(event));
    node.addEventListener("pointerover", (event) => this.onHover(event));
    for (const type of ["pointermove", "pointerdown"]) {
      this.parts.root.addEventListener(type, ({ clientX, clientY }) => (this.mouse = [clientX, clientY]));
    }
    node.addEventListener("pointerleave", () => this.played || this.explain(this.selected));
    node.addEventListener("keydown", (event) => this.onKey(event));
    node.addEventListener("input", (event) => this.onInput(event));
    node.addEventListener("paste", (event) => this.onPaste(event));
    node.addEventListener("copy", (event) => this.onCopy(event));
    for (const type of ["pointerover", "focusin"]) {
      this.panel.node.addEventListener(type, (event) => this.point(event));
    }
    this.panel.node.addEventListener("pointerleave", () => this.point(null));
  }

  followWidth() {
    const followed = new ResizeObserver(([{ contentRect }]) => {
      const wide = contentRect.width >= WIDE * parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (wide === this.wide) return;
      this.wide = wide;
      this.placePanel();
    });
    followed.observe(this.parts.drawing);
  }

  // --- from the traits to the page

  refresh() {
    const { state, parts } = this;
    const { model } = parts;
    this.once("told", model.get("edits"), () => (this.told = ""));
    const inputs = state.inputs();
    const [step, head, decimals] = [state.step(), state.head(), model.get("decimals")];
    const shape = shapeSignature(inputs);
    this.values = compute(inputs);
    this.shown = this.stage.arrange(inputs, step, head);
    for (const shown of this.shown) shown.update(this.values[shown.id], decimals);
    this.veilWeights();
    this.keepSelection(step, head);
    this.once("held", `${step.id} ${shape}`, () => this.panel.forget());
    this.placePanel();
    this.explain(this.selected);
    this.once("example", state.example(), (name) => this.example.update(name));
    this.once("decimals", decimals, (count) => this.decimals.update(count));
    this.once("shape", shape, () => this.shape.update(inputs));
    this.once("walk", `${step.id} ${shape}`, () =>
      this.walk.update(steps(inputs), step, STEP_WORDS[step.id]({ ...sizes(inputs), masked: hasMask(inputs) })));
    this.once("heads", `${head} ${step.id} ${inputs.W_Q.length}`, () =>
      this.heads.update(inputs.W_Q.length, head, step.kinds));
    this.sayProblem();
    this.read();
  }

  /** Say what the step shows; of many tokens, of the selected one. */
  read() {
    const { state, parts } = this;
    parts.read(reading(state.inputs(), this.values, state.step(), state.head(), this.selected));
  }

  /** The weights answer the questions that ask for a veil, and the reading, which the card veils. */
  veilWeights() {
    for (const { id, node } of this.shown) {
      if (splitId(id).kind !== "weights" || this.veiled.has(node)) continue;
      this.veiled.add(node);
      this.parts.veil(node);
      this.veilArithmetic ??= this.parts.veil(this.panel.held, () => this.tellsWeights);
    }
  }

  /** Act only when a key is not what it was: an edit then touches little of the page. */
  once(name, key, act) {
    if (this.keys.get(name) === key) return;
    this.keys.set(name, key);
    act(key);
  }

  /** Keep the selected cell where it is still shown; else take the step's result. */
  keepSelection(step, head) {
    const cell = this.selected;
    this.trail = this.trail.filter((passed) => this.exists(passed));
    if (cell && this.visibleGrid(cell.id) && this.exists(cell)) return;
    this.selected = { id: matrixId(step.result, head), row: 0, column: 0 };
    this.trail = [];
  }

  /** Light up a cell's sources and say its arithmetic, all of it. */
  explain(cell) {
    if (this.played) this.endPlay();
    this.showArithmetic(cell);
    this.player.rest();
  }

  /** Decimals of the arithmetic: those of the cells, and no fewer than four. */
  decimalsSaid() {
    return Math.max(4, this.parts.model.get("decimals"));
  }

  showArithmetic(cell) {
    const inputs = this.state.inputs();
    const decimals = this.decimalsSaid();
    const explanation = explain(inputs, this.values, cell, decimals);
    this.mark(cell, explanation.sources);
    const from = this.trail.at(-1);
    this.panel.show({
      inputs, explanation, decimals, name: nameText(inputs, cell.id), editable: isInput(cell.id),
      from: from && cellTitle(inputs, from),
    });
    [this.explained, this.explanation, this.terms] = [cell, explanation, explanation.terms];
    this.tellsWeights = [cell, ...explanation.sources].some(({ id }) => splitId(id).kind === "weights");
    this.once("tells weights", this.tellsWeights, () => this.veilArithmetic?.());
  }

  // --- playing

  /** Play by a key, as by the button. */
  play(mode) {
    this.parts.lift();
    this.player.press(mode);
  }

  /** How much there is to play: the terms of the cell explained, or the cells of its matrix. */
  playable(mode) {
    if (mode === "cell") return this.terms.length;
    const id = this.playedId();
    return isInput(id) ? 0 : this.values[id].length * this.values[id][0].length;
  }

  /** The matrix that plays: of an input's step, the one that it computes. */
  playedId() {
    const { id } = this.explained;
    return isInput(id) ? matrixId(this.state.step().result, this.state.head()) : id;
  }

  /** Show the first `at` terms of a cell, or cells of a matrix; gives what is reached. */
  playTo(mode, at) {
    this.played = true;
    if (mode === "matrix") {
      this.playCells(at);
      return "";
    }
    const term = this.terms[at - 1];
    this.panel.reach(at, this.terms.length);
    this.hide(at < this.terms.length ? [this.explained] : []);
    this.lightTerm(term?.cells ?? []);
    return `${term?.name ?? "sum"} ${shortNumber(term?.number ?? 0, this.decimalsSaid())}`;
  }

  playCells(at) {
    const id = this.playedId();
    const all = this.values[id].flatMap((line, row) => line.map((_, column) => ({ id, row, column })));
    this.lightTerm([]);
    this.showArithmetic(all[Math.max(0, at - 1)]);
    this.panel.reach(at ? Infinity : 0, 1);
    this.hide(all.slice(at));
  }

  endPlay() {
    this.played = false;
    this.hide([]);
    this.lightTerm([]);
    this.panel.reach(Infinity, 0);
  }

  hide(cells) {
    for (const td of this.hidden) td.classList.remove("abh-ws-later");
    this.hidden = cells.map(({ id, row, column }) => this.visibleGrid(id).cells[row][column]);
    for (const td of this.hidden) td.classList.add("abh-ws-later");
  }

  lightTerm(cells) {
    for (const td of this.term) td.classList.remove("abh-ws-pointed");
    this.term = cells.map(({ id, row, column }) => this.visibleGrid(id)?.cells[row][column]).filter(Boolean);
    for (const td of this.term) td.classList.add("abh-ws-pointed");
  }

  mark(cell, sources) {
    const td = (place) => this.visibleGrid(place.id)?.cells[place.row]?.[place.column];
    const wanted = [[td(cell), "abh-ws-here"], ...sources.map((source) => [td(source), "abh-ws-source"])];
    const next = wanted.filter(([node]) => node);
    const kept = next.filter(([node], i) => node === this.marked[i]?.[0]);
    if (kept.length === next.length && next.length === this.marked.length) return;
    for (const [node, name] of this.marked) node.classList.remove(name);
    for (const [node, name] of next) node.classList.add(name);
    this.marked = next;
  }

  exists({ id, row, column }) {
    return this.values[id]?.[row]?.[column] !== undefined;
  }

  visibleGrid(id) {
    return this.shown.find((shown) => shown.id === id);
  }

  /** Show which cell a source in the panel stands for. */
  point(event) {
    this.pointed?.classList.remove("abh-ws-pointed");
    const data = event?.target.closest?.(".abh-ws-follow")?.dataset;
    this.pointed = data && this.visibleGrid(data.id)?.cells[data.row]?.[data.column];
    this.pointed?.classList.add("abh-ws-pointed");
  }

  // --- from the reader to the traits

  go(by, id) {
    const all = steps(this.state.inputs());
    const at = all.findIndex((step) => step.id === this.state.step().id);
    this.parts.put("step", id ?? all[at + by].id);
  }

  /**
   * Put the arithmetic below the matrices of the step, or of the group that a cell is in;
   * on a wide card it stands beside them all.
   */
  placePanel() {
    const { node } = this.visibleGrid(this.selected.id);
    const place = (!this.wide && node.closest(".abh-ws-group")) || this.node;
    if (place.nextElementSibling !== this.panel.node) place.after(this.panel.node);
  }

  /** Take a cell and say its arithmetic. */
  select(cell) {
    this.selected = cell;
    this.placePanel();
    this.visibleGrid(cell.id).activate(cell.row, cell.column);
    this.explain(cell);
    this.read();
    this.panel.speak(explanationText(this.explanation, this.decimalsSaid()));
  }

  /** Bring the matrices of a cell's head; only a click, Enter or Space asks for that. */
  bringHead({ id }) {
    const { kind, head } = splitId(id);
    if (!PER_HEAD.includes(kind) || head === this.state.head()) return false;
    this.parts.put("head", head + 1);
    return true;
  }

  onFocus(event) {
    const cell = eventCell(event);
    if (!cell) return;
    if (!this.following) this.trail = [];
    this.select(cell);
    if (event.target.tagName === "INPUT") {
      const value = this.values[cell.id][cell.row][cell.column];
      if (!event.target.hasAttribute("aria-invalid")) event.target.value = signed(String(value));
      event.target.select();
    }
  }

  /** A tap does not give every browser's table cell the focus. */
  onClick(event) {
    const td = event.target.closest("td[tabindex]");
    if (!td) return;
    if (!td.matches(":focus")) td.focus();
    this.bringHead(eventCell(event));
  }

  onLeave(event) {
    if (event.target.tagName !== "INPUT" || event.target.hasAttribute("aria-invalid")) return;
    const cell = eventCell(event);
    if (!cell || !this.exists(cell)) return;
    const matrix = this.values[cell.id];
    event.target.value = inputNumber(matrix[cell.row][cell.column], inputDecimals(matrix));
  }

  /** A scroll brings other cells under a mouse at rest: they are not pointed at. */
  onHover(event) {
    if (this.player.playing() || (this.played && this.panel.node.contains(event.target))) return;
    if (event.clientX === this.mouse?.[0] && event.clientY === this.mouse[1]) return;
    const cell = eventCell(event);
    if (!sameCell(cell ?? this.selected, this.explained)) this.explain(cell ?? this.selected);
  }

  onInput(event) {
    const cell = eventCell(event);
    if (!cell) return;
    this.told = "";
    const { value, message } = readEntry(event.target.value, this.state.limits.size);
    if (message) {
      event.target.setAttribute("aria-invalid", "true");
      event.target.setAttribute("aria-describedby", this.problem.id);
      event.target.dataset.message = message;
      this.refused.add(event.target);
      this.sayProblem();
      return;
    }
    clearInvalid(event.target);
    this.setEntry(cell, value);
  }

  setEntry({ id, row, column }, value) {
    this.setBlock(id, row, column, [[value]]);
  }

  /** Put numbers into an input, as one change of the sheet. */
  setBlock(id, row, column, block) {
    this.told = "";
    const held = this.values[id];
    const isThere = block.every((line, i) => line.every((value, j) => held[row + i][column + j] === value));
    if (isThere) this.sayProblem();
    else this.state.apply(withBlock(this.state.inputs(), id, row, column, block));
  }

  /** A block of a spreadsheet fills the matrix; a single number is its field's own. */
  onPaste(event) {
    const cell = eventCell(event);
    if (!cell) return;
    const { clipboardData: pasted } = event;
    const matrix = this.values[cell.id];
    const shape = [matrix.length, matrix[0].length];
    const fromTable = /<td/i.test(pasted.getData("text/html"));
    const read = readBlock(pasted.getData("text/plain"), shape, this.state.limits.size, fromTable);
    if (!read) return;
    event.preventDefault();
    this.pasteBlock(cell, shape, read);
  }

  pasteBlock({ id, row, column }, shape, { block, message }) {
    const name = nameText(this.state.inputs(), id);
    const { at, message: misfit } = message || !isInput(id) ? {} : placeBlock(block, shape, [row, column], name);
    const refusal = isInput(id) ? message ?? misfit : `${name} is computed: paste into a matrix that you set.`;
    if (refusal) {
      this.tell(`Nothing was pasted. ${refusal}`, true);
      return;
    }
    this.settleFields(id, at, block);
    this.setBlock(id, ...at, block);
    this.tell(`${shapeText([block.length, block[0].length])} numbers pasted into ${name}.`);
  }

  /** Let no half-typed number stand where a block goes. */
  settleFields(id, [row, column], block) {
    const { target } = this.visibleGrid(id);
    block.forEach((line, i) => line.forEach((_, j) => {
      const cell = { id, row: row + i, column: column + j };
      const field = target(cell.row, cell.column);
      if (field.hasAttribute("aria-invalid")) this.restore(field, cell);
    }));
  }

  /** Where no text is selected, the whole matrix is copied. */
  onCopy(event) {
    const cell = eventCell(event);
    const { selectionStart: start, selectionEnd: end } = event.target;
    if (!cell || start !== end || !getSelection().isCollapsed) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", blockText(this.values[cell.id]));
    this.tell(`${nameText(this.state.inputs(), cell.id)} copied as a block.`);
  }

  /** Say what came of a paste or a copy, where problems are said; the next edit ends it. */
  tell(words, refused = false) {
    this.told = words;
    this.problem.classList.toggle("abh-ws-told", !refused);
    this.sayProblem();
  }

  /** Change an input: the one that the panel is about, or the one given. */
  nudge(change, cell = this.explained) {
    this.parts.lift();
    const moved = change(this.values[cell.id][cell.row][cell.column]);
    const { size } = this.state.limits;
    const value = Math.max(-size, Math.min(size, moved === 0 ? 0 : moved));
    const field = this.visibleGrid(cell.id).target(cell.row, cell.column);
    clearInvalid(field);
    field.value = signed(String(value));
    this.setEntry(cell, value);
  }

  /** Say what is wrong with the first marked cell, and what the sheet still uses. */
  sayProblem() {
    const [field] = this.wrongFields();
    const touched = Boolean(field) || this.state.edited() !== null;
    this.once("touched", touched, () => this.reset.guard(touched ? "" : "as given"));
    if (this.told || !field) {
      setText(this.problem, this.told);
      return;
    }
    this.problem.classList.remove("abh-ws-told");
    const cell = eventCell({ target: field });
    const kept = String(this.values[cell.id][cell.row][cell.column]);
    const where = cellTitle(this.state.inputs(), cell);
    const instead = `The sheet still uses ${signed(kept)}; Escape brings it back.`;
    setText(this.problem, `${where}. ${field.dataset.message} ${instead}`);
  }

  /** The marked fields that are shown; to look for them takes long, and seldom is there one. */
  wrongFields() {
    for (const field of this.refused) if (!field.hasAttribute("aria-invalid")) this.refused.delete(field);
    return this.refused.size ? this.node.querySelectorAll("input[aria-invalid]") : [];
  }

  onKey(event) {
    const cell = eventCell(event);
    if (!cell || event.altKey || event.metaKey) return;
    const field = event.target.tagName === "INPUT" ? event.target : null;
    if (field && event.key === "Escape") this.restore(field, cell);
    else if (!event.ctrlKey && event.key.toLowerCase() === "p") this.play(event.shiftKey ? "matrix" : "cell");
    else if (field && ["PageUp", "PageDown"].includes(event.key)) {
      this.nudge(plusTenth(event.key === "PageUp" ? 1 : -1), cell);
    } else if (!field && event.key === " ") this.bringHead(cell);
    else if (!field && event.key === "Enter" && this.bringHead(cell)) this.refresh();
    else if (!field && event.key === "Enter") this.panel.node.querySelector(".abh-ws-follow")?.focus();
    else if (!this.moveFrom(cell, event, field)) return;
    event.preventDefault();
  }

  restore(field, { id, row, column }) {
    clearInvalid(field);
    field.value = signed(String(this.values[id][row][column]));
    if (field.matches(":focus")) field.select();
    this.sayProblem();
  }

  /** Move by an arrow key, Home or End; true where the key was used. */
  moveFrom({ id, row, column }, event, field) {
    const shown = this.visibleGrid(id);
    const [rows, columns] = [shown.cells.length, shown.cells[0].length];
    const clamp = (x, count) => Math.max(0, Math.min(count - 1, x));
    if (field && event.key === "Enter") return this.land(shown, clamp(row + (event.shiftKey ? -1 : 1), rows), column);
    if (field && (event.shiftKey || !leavesField(field, event.key))) return false;
    if (event.key === "Home") return this.land(shown, event.ctrlKey ? 0 : row, 0);
    if (event.key === "End") return this.land(shown, event.ctrlKey ? rows - 1 : row, columns - 1);
    const [down, right] = ARROWS[event.key] ?? [0, 0];
    if (!down && !right) return false;
    const [by, along] = shown.turned ? [right, down] : [down, right];
    return this.land(shown, clamp(row + by, rows), clamp(column + along, columns));
  }

  land(shown, row, column) {
    shown.target(row, column).focus();
    return true;
  }

  // --- following a number to where it comes from

  /** Go to a source: in this step where it shows, else where the cell is computed. */
  follow(cell) {
    this.trail.push(this.explained);
    const home = stepOf(this.state.inputs(), splitId(this.explained.id).kind);
    this.reveal(cell, home);
  }

  back() {
    const cell = this.trail.pop();
    this.reveal(cell, stepOf(this.state.inputs(), splitId(cell.id).kind));
  }

  reveal(cell, home) {
    const { put } = this.parts;
    const { kind, head } = splitId(cell.id);
    const trail = this.trail;
    if (!this.visibleGrid(cell.id)) {
      if (PER_HEAD.includes(kind) && this.state.head() !== head) put("head", head + 1);
      if (!this.visibleGrid(cell.id)) put("step", home);
    }
    this.trail = trail;
    this.following = true;
    this.visibleGrid(cell.id).target(cell.row, cell.column).focus();
    this.following = false;
  }
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

/** The one-line reading of a step: nothing of what a later step reveals. */
function reading(inputs, values, step, head, selected) {
  if (["weights", "head", "concat", "output", "sheet"].includes(step.id)) {
    return whoLooksAtWhom(inputs, values, head, selected);
  }
  const id = matrixId(step.result, head);
  const shown = finite(values[id].flat());
  if (!shown.length) return `${nameText(inputs, id)}: every cell is masked.`;
  const [low, high] = [Math.min(...shown), Math.max(...shown)].map((x) => shortNumber(x, 4));
  return `${nameText(inputs, id)}: numbers from ${low} to ${high}.`;
}

/** Who looks most at whom in the head shown; of many tokens, the selected one. */
function whoLooksAtWhom(inputs, values, head, selected) {
  const name = inputs.W_Q.length > 1 ? `Head ${head + 1}: ` : "";
  const weights = values[`weights.${head}`];
  const one = labels(inputs, splitId(selected.id).kind)[0] === inputs.tokens ? selected.row : 0;
  const rows = weights.length > 5 ? [one] : weights.map((_, i) => i);
  return `${name}${rows.map((i) => favourite(inputs.tokens, weights[i], i)).join("; ")}.`;
}

function favourite(tokens, row, index) {
  const top = Math.max(...row);
  const from = `\u201c${tokens[index]}\u201d`;
  if (top === 0) return `${from} looks at nobody, every key is masked`;
  if (row.filter((weight) => top - weight < 1e-12).length > 1) return `${from} has no favourite`;
  return `${from} looks most at \u201c${tokens[row.indexOf(top)]}\u201d (${shortNumber(100 * top, 1)}%)`;
}

function render(host) {
  new WorksheetView(card(host));
}

export default { codecs, refuses, render };
