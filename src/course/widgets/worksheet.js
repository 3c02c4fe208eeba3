// The worksheet: a whole attention computation, its walk and its arithmetic.

const STEP_WORDS = {
  input: (s) => `Each token is a row of d_model = ${s.d_model} numbers. Change any of them.`,
  queries: () => "Every row of X times W_Q: what a token looks for.",
  keys: () => "Every row of X times W_K: what a token can be found by.",
  values: () => "Every row of X times W_V: what a token passes on.",
  scores: () => "Q K\u1d40: each row of Q with each row of K, one dot product a cell.",
  scaled: (s) => `Every score divided by \u221ad_k = \u221a${s.d_k}.`,
  mask: () => "\u2212\u221e where a token may not look: its exponential is 0.",
  weights: () => "Softmax of each row: positive numbers that add up to 1.",
  head: () => "Each row of weights mixes the rows of V.",
  concat: () => "The outputs of the heads side by side.",
  output: (s) => `The heads mixed, and back to d_model = ${s.d_model} columns.`,
  sheet: () => "Select a cell to see where its number comes from.",
};

const OPERATORS = {
  queries: ["\u00b7", "="],
  keys: ["\u00b7", "="],
  values: ["\u00b7", "="],
  scores: ["\u00b7", "="],
  scaled: ["\u00f7 \u221ad\u2096 ="],
  mask: ["+ mask ="],
  weights: ["softmax \u2192"],
  head: ["\u00b7", "="],
  output: ["\u00b7", "="],
};

const SHEET_ROWS = [
  ["What you set", ["X"], ["W_Q", "W_K", "W_V"]],
  ["Queries, keys, values", ["Q", "K", "V"]],
  ["Who looks at whom", ["scores", "scaled", "masked", "weights"]],
  ["New vectors", ["head", "concat"], ["W_O", "output"]],
];

const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

// ------------------------------------------------------------------ the state

/** Inputs that a page kept are used only if they still make sense. */
function soundInputs(inputs) {
  try {
    const { tokens, d_model, d_k, d_v, heads, width } = sizes(inputs);
    const shape = (matrix, rows, columns) =>
      matrix.length === rows &&
      matrix.every((row) => row.length === columns && row.every(Number.isFinite));
    const stack = (list, columns) =>
      list.length === heads && list.every((matrix) => shape(matrix, d_model, columns));
    return (
      inputs.padding.length === tokens && shape(inputs.X, tokens, d_model) &&
      stack(inputs.W_Q, d_k) && stack(inputs.W_K, d_k) && stack(inputs.W_V, d_v) &&
      (inputs.W_O === null || shape(inputs.W_O, width, d_model))
    );
  } catch {
    return false;
  }
}

/** What the traits say, and the ways to change them. */
function worksheetState({ model, put }) {
  // An address can name a preset that does not exist.
  const example = () => {
    const presets = model.get("presets");
    return model.get("example") in presets ? model.get("example") : Object.keys(presets)[0];
  };
  const stated = () => model.get("presets")[example()];
  const checked = new WeakMap();
  const edited = () => {
    const kept = model.get("edits")[example()];
    if (!kept) return null;
    if (!checked.has(kept)) checked.set(kept, soundInputs(kept));
    return checked.get(kept) ? kept : null;
  };
  const inputs = () => edited() ?? stated().inputs;
  const apply = (next) => {
    const { [example()]: _, ...others } = model.get("edits");
    const untouched = sameInputs(next, stated().inputs);
    put("edits", untouched ? others : { ...others, [example()]: next });
  };
  const head = () => Math.min(Math.max(model.get("head"), 1), inputs().W_Q.length) - 1;
  return { example, stated, edited, inputs, apply, head, step: () => currentStep(inputs(), model.get("step")) };
}

/** The step asked for, or the nearest one before it that these inputs have. */
function currentStep(inputs, wanted) {
  const list = steps(inputs);
  const before = { mask: "scaled", output: "concat", concat: "head" };
  const find = (id) => list.find((step) => step.id === id);
  const found = find(wanted) ?? find(before[wanted]) ?? find(before[before[wanted]]);
  return found ?? list.at(-1);
}

// ------------------------------------------------------------------- the view

/** A list of choices with its label. */
function choice({ label, options, set }) {
  const id = uid("abh-ws-choice");
  const list = html("select", { id, class: "abh-field" },
    ...options.map(([value, shown]) => html("option", { value }, shown)));
  list.addEventListener("change", () => set(list.value));
  const node = html("div", { class: "abh-ws-choice" }, html("label", { for: id }, label), list);
  return { node, update: (value) => (list.value = String(value)) };
}

/** The walk: back, one mark a step, on. */
function walk(go) {
  const back = guardedButton("Back", "Back one step", () => go(-1));
  const next = guardedButton("Next", "Next step", () => go(1));
  const list = html("ol", { class: "abh-ws-progress" });
  const said = html("p", { class: "abh-ws-step" });
  const node = html("div", { role: "group", class: "abh-ws-walk", "aria-label": "Steps of the computation" },
    list, html("div", { class: "abh-ws-turn" }, said, back.button, next.button));
  const mark = (step, index, all) =>
    html("li", {}, html("button", { type: "button", "aria-label": `${step.title}: step ${index + 1} of ${all.length}`, onclick: () => go(0, step.id) },
      html("span", {}, step.title)));
  let built = "";
  const update = (all, step, words) => {
    const signature = all.map((s) => s.id).join();
    if (signature !== built) list.replaceChildren(...all.map(mark));
    built = signature;
    const at = all.findIndex((s) => s.id === step.id);
    [...list.children].forEach((item, i) => {
      item.dataset.state = i < at ? "done" : i === at ? "here" : "ahead";
      if (i === at) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    });
    back.guard(at === 0 ? "first" : "");
    next.guard(at === all.length - 1 ? "last" : "");
    said.replaceChildren(html("span", {}, `Step ${at + 1} of ${all.length}`), html("strong", {}, step.title), html("span", {}, words));
  };
  return { node, update };
}

/** Buttons to choose the head that is shown. */
function headTabs(set) {
  const node = html("div", { class: "abh-ws-heads", role: "group", "aria-label": "Head shown" });
  const update = (count, head, kinds) => {
    node.hidden = count < 2 || !kinds.some((kind) => kind !== "head" && PER_HEAD.includes(kind));
    if (node.children.length !== count) {
      node.replaceChildren(...Array.from({ length: count }, (_, i) =>
        html("button", { type: "button", onclick: () => set(i + 1) }, `Head ${i + 1}`)));
    }
    [...node.children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === head)));
  };
  return { node, update };
}

/** The inputs as plain tables, for the reader who has not answered yet. */
function givenNumbers(inputs) {
  const table = (id, values) => {
    const [rows, columns] = labels(inputs, splitId(id).kind);
    const places = inputDecimals(values);
    const body = values.map((line, i) => html("tr", {}, html("th", { scope: "row" }, rows[i]),
      ...line.map((x) => html("td", {}, cellNumber(x, places)))));
    const top = html("tr", {}, html("td", { class: "abh-corner" }), ...columns.map((c) => html("th", { scope: "col" }, c)));
    const frame = matrixFrame(html("table", { class: "abh-matrix" },
      captionNode(inputs, id, rows.length, columns.length), html("thead", {}, top), html("tbody", {}, ...body)), rows, columns.length);
    roomFor(frame, charactersOf(id, values, places));
    return frame;
  };
  const values = compute(inputs);
  const ids = matrixIds(inputs).filter(isInput);
  const shown = ids.map((id) => table(id, values[id]));
  if (inputs.W_Q.length === 1) return [html("div", { class: "abh-ws-row" }, ...shown)];
  return [
    html("div", { class: "abh-ws-row" }, shown[0]),
    html("details", {}, html("summary", {}, "The weights"), html("div", { class: "abh-ws-row" }, ...shown.slice(1))),
  ];
}

/** Title, provenance and, before the reader has answered, the given numbers. */
function heading({ root, model, watch, body }, state) {
  const title = html("p", { class: "abh-ws-heading" }, " ");
  const provenance = html("p", { class: "abh-note" }, " ");
  const given = html("div", { class: "abh-ws-given" });
  const node = html("header", { class: "abh-ws-header" }, title, provenance, given);
  root.prepend(node);
  const update = () => {
    setText(title, state.stated().title);
    setText(provenance, state.stated().provenance);
    given.hidden = !body.hidden;
    if (!given.hidden) given.replaceChildren(...givenNumbers(state.inputs()));
  };
  watch(["presets", "example", "question", "answer"], update);
}

// ---------------------------------------------------------------- the stage

/** What the step shows, as ids of matrices: one head, beside the outputs of all. */
function idsOf(inputs, step, head) {
  return step.kinds.flatMap((kind) =>
    kind === "head" && ["concat", "sheet"].includes(step.id)
      ? inputs.W_Q.map((_, i) => matrixId("head", i))
      : [matrixId(kind, head)],
  );
}

/** The grids of a step as one equation. */
function equation(step, ids, take) {
  const signs = OPERATORS[step.id] ?? ids.slice(1).map((_, i) => (i === ids.length - 2 ? "=" : "|"));
  return [html("div", { class: "abh-ws-row abh-ws-equation" }, ...ids.flatMap((id, i) =>
    i ? [html("span", { class: "abh-ws-sign", "aria-hidden": "true" }, signs[i - 1]), take(id).node] : [take(id).node]))];
}

/** All grids, in four groups; what belongs together breaks to a new line together. */
function wholeSheet(ids, take) {
  return SHEET_ROWS.map(([title, ...parts]) => {
    const rows = parts.map((kinds) => {
      const own = ids.filter((id) => kinds.includes(splitId(id).kind));
      return html("div", { class: "abh-ws-row" }, ...own.map((id) => take(id).node));
    });
    return html("div", { class: "abh-ws-group" }, html("p", { class: "abh-ws-group-title" }, title),
      html("div", { class: "abh-ws-row" }, ...rows));
  });
}

function signatureOf(inputs) {
  return JSON.stringify([inputs.tokens, sizes(inputs), inputs.W_O !== null, hasMask(inputs)]);
}

function shapeSignature(inputs) {
  return signatureOf(inputs) + JSON.stringify([inputs.padding, inputs.causal]);
}

/**
 * The grids in use: built when first shown, thrown away when the shape changes.
 *
 * Another head takes the places of the one before; all else stays where it is, and
 * keeps the focus.
 */
function stageOf(node) {
  let [grids, built, shown] = [new Map(), "", []];
  const take = (inputs, id) => {
    if (!grids.has(id)) grids.set(id, grid(inputs, id));
    return grids.get(id);
  };
  const swap = (inputs, ids) => ids.forEach((id, i) => {
    if (id !== shown[i].id) shown[i].node.replaceWith(take(inputs, id).node);
  });
  const arrange = (inputs, step, head) => {
    const signature = `${step.id} ${signatureOf(inputs)}`;
    const ids = idsOf(inputs, step, head);
    if (signature === built) swap(inputs, ids);
    else {
      grids = new Map();
      const from = (id) => take(inputs, id);
      node.replaceChildren(...(step.id === "sheet" ? wholeSheet(ids, from) : equation(step, ids, from)));
    }
    built = signature;
    shown = ids.map((id) => grids.get(id));
    return shown;
  };
  return { arrange };
}

/** The cell that an event happened in, as { id, row, column }, or null. */
function eventCell(event) {
  const td = event.target.closest?.("td[data-row]");
  if (!td) return null;
  const id = td.closest("table").dataset.matrix;
  return { id, row: Number(td.dataset.row), column: Number(td.dataset.column) };
}

function sameCell(a, b) {
  return Boolean(a && b) && a.id === b.id && a.row === b.row && a.column === b.column;
}

// ------------------------------------------------------------- the worksheet

class WorksheetView {
  constructor(parts) {
    this.parts = parts;
    this.state = worksheetState(parts);
    this.node = html("div", { class: "abh-ws-stage" });
    this.stage = stageOf(this.node);
    this.trail = [];
    this.marked = [];
    this.keys = new Map();
    this.shown = [];
    this.build();
    this.listen();
    const traits = ["presets", "example", "edits", "step", "head", "decimals", "answer"];
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
    this.panel = arithmeticPanel({
      follow: (cell) => this.follow(cell),
      back: () => this.back(),
      nudge: (change) => this.nudge(change),
      numpy: () => numpyText(this.values[this.selected.id]),
    });
    this.shape = shapePanel(state.inputs, state.apply);
    this.problem = html("p", { class: "abh-ws-problem", role: "status", id: uid("abh-ws-problem") });
    controls.append(this.example.node, this.walk.node, this.heads.node);
    drawing.append(this.node, this.problem, this.panel.node, this.footer(), this.shape.node);
  }

  footer() {
    const { put } = this.parts;
    this.decimals = choice({
      label: "Decimals", options: [2, 3, 4, 5, 6].map((n) => [n, n]), set: (n) => put("decimals", Number(n)),
    });
    this.reset = guardedButton("Reset the numbers", "Reset the numbers to where they started", () => {
      this.state.apply(this.state.stated().inputs);
    });
    return html("div", { class: "abh-ws-footer" }, this.reset.button, this.decimals.node);
  }

  listen() {
    const { node } = this;
    node.addEventListener("focusin", (event) => this.onFocus(event));
    node.addEventListener("focusout", (event) => this.onLeave(event));
    node.addEventListener("pointerover", (event) => this.onHover(event));
    node.addEventListener("pointerleave", () => this.explain(this.selected));
    node.addEventListener("keydown", (event) => this.onKey(event));
    node.addEventListener("input", (event) => this.onInput(event));
    for (const type of ["pointerover", "focusin"]) {
      this.panel.node.addEventListener(type, (event) => this.point(event));
    }
    this.panel.node.addEventListener("pointerleave", () => this.point(null));
  }

  // --- from the traits to the page

  refresh() {
    const { state, parts } = this;
    const { model } = parts;
    const inputs = state.inputs();
    const [step, head, decimals] = [state.step(), state.head(), model.get("decimals")];
    this.values = compute(inputs);
    this.shown = this.stage.arrange(inputs, step, head);
    for (const shown of this.shown) shown.update(this.values[shown.id], decimals);
    this.keepSelection(step, head);
    this.explain(this.selected);
    this.once("example", state.example(), (name) => this.example.update(name));
    this.once("decimals", decimals, (count) => this.decimals.update(count));
    this.once("shape", shapeSignature(inputs), () => this.shape.update(inputs));
    this.once("walk", `${step.id} ${shapeSignature(inputs)}`, () =>
      this.walk.update(steps(inputs), step, STEP_WORDS[step.id](sizes(inputs))));
    this.once("heads", `${head} ${step.id} ${inputs.W_Q.length}`, () =>
      this.heads.update(inputs.W_Q.length, head, step.kinds));
    this.once("edited", state.edited() !== null, (edited) => this.reset.guard(edited ? "" : "as given"));
    this.sayProblem();
    parts.say(reading(inputs, this.values, head, this.selected));
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

  /** Light up a cell's sources and say its arithmetic. */
  explain(cell) {
    const inputs = this.state.inputs();
    const decimals = Math.max(4, this.parts.model.get("decimals"));
    const explanation = explain(inputs, this.values, cell, decimals);
    this.mark(cell, explanation.sources);
    const from = this.trail.at(-1);
    this.panel.show({
      inputs, explanation, decimals, name: nameText(inputs, cell.id), editable: isInput(cell.id),
      from: from && cellTitle(inputs, from),
    });
    this.explained = cell;
    return explanationText(explanation, decimals);
  }

  mark(cell, sources) {
    const td = (place) => this.visibleGrid(place.id)?.cells[place.row]?.[place.column];
    const wanted = [[td(cell), "abh-ws-here"], ...sources.map((source) => [td(source), "abh-ws-source"])];
    const next = wanted.filter(([node]) => node);
    const same = next.length === this.marked.length && next.every(([node], i) => node === this.marked[i][0]);
    if (same) return;
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

  /** Take a cell; one of another head brings that head's matrices with it. */
  select(cell) {
    const { kind, head } = splitId(cell.id);
    this.selected = cell;
    if (PER_HEAD.includes(kind) && head !== this.state.head()) this.parts.put("head", head + 1);
    this.visibleGrid(cell.id).activate(cell.row, cell.column);
    this.panel.speak(this.explain(cell));
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

  onLeave(event) {
    if (event.target.tagName !== "INPUT" || event.target.hasAttribute("aria-invalid")) return;
    const cell = eventCell(event);
    if (!this.exists(cell)) return;
    const matrix = this.values[cell.id];
    event.target.value = inputNumber(matrix[cell.row][cell.column], inputDecimals(matrix));
  }

  onHover(event) {
    const cell = eventCell(event);
    if (!sameCell(cell ?? this.selected, this.explained)) this.explain(cell ?? this.selected);
  }

  onInput(event) {
    const cell = eventCell(event);
    const { value, message } = parseNumber(event.target.value);
    if (message) {
      event.target.setAttribute("aria-invalid", "true");
      event.target.setAttribute("aria-describedby", this.problem.id);
      event.target.dataset.message = message;
      this.sayProblem();
      return;
    }
    clearInvalid(event.target);
    this.setEntry(cell, value);
  }

  setEntry({ id, row, column }, value) {
    const inputs = this.state.inputs();
    if (this.values[id][row][column] === value) this.sayProblem();
    else this.state.apply(withEntry(inputs, id, row, column, value));
  }

  nudge(change) {
    const cell = this.selected;
    const moved = Number(change(this.values[cell.id][cell.row][cell.column]).toFixed(6));
    const value = Math.max(-LIMITS.size, Math.min(LIMITS.size, moved === 0 ? 0 : moved));
    const field = this.visibleGrid(cell.id).target(cell.row, cell.column);
    clearInvalid(field);
    field.value = signed(String(value));
    this.setEntry(cell, value);
  }

  /** Say what is wrong with the first marked cell, and what the sheet still uses. */
  sayProblem() {
    const field = this.node.querySelector("input[aria-invalid]");
    if (!field) {
      setText(this.problem, "");
      return;
    }
    const cell = eventCell({ target: field });
    const kept = String(this.values[cell.id][cell.row][cell.column]);
    const where = cellTitle(this.state.inputs(), cell);
    setText(this.problem, `${where}. ${field.dataset.message} The sheet still uses ${signed(kept)}; Escape brings it back.`);
  }

  onKey(event) {
    const cell = eventCell(event);
    if (!cell || event.altKey || event.metaKey) return;
    const field = event.target.tagName === "INPUT" ? event.target : null;
    if (field && event.key === "Escape") this.restore(field, cell);
    else if (field && ["PageUp", "PageDown"].includes(event.key)) {
      this.nudge((x) => x + (event.key === "PageUp" ? 0.1 : -0.1));
    } else if (!field && event.key === "Enter") this.panel.node.querySelector(".abh-ws-follow")?.focus();
    else if (!this.moveFrom(cell, event, field)) return;
    event.preventDefault();
  }

  restore(field, { id, row, column }) {
    clearInvalid(field);
    field.value = signed(String(this.values[id][row][column]));
    field.select();
    this.sayProblem();
  }

  /** Move by an arrow key, Home or End; true where the key was used. */
  moveFrom({ id, row, column }, event, field) {
    const shown = this.visibleGrid(id);
    const [rows, columns] = [shown.cells.length, shown.cells[0].length];
    if (field && event.key === "Enter") return this.land(shown, Math.min(row + 1, rows - 1), column);
    if (field && !leavesField(field, event.key)) return false;
    if (event.key === "Home") return this.land(shown, event.ctrlKey ? 0 : row, 0);
    if (event.key === "End") return this.land(shown, event.ctrlKey ? rows - 1 : row, columns - 1);
    const [down, right] = ARROWS[event.key] ?? [0, 0];
    if (!down && !right) return false;
    const clamp = (x, count) => Math.max(0, Math.min(count - 1, x));
    return this.land(shown, clamp(row + down, rows), clamp(column + right, columns));
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

/** The one-line reading: who looks most at whom; of many tokens, the selected one. */
function reading(inputs, values, head, selected) {
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
  return `${from} looks most at \u201c${tokens[row.indexOf(top)]}\u201d (${shortNumber(100 * top, 1)} %)`;
}

function render(host) {
  const parts = card(host, { label: "Worksheet" });
  new WorksheetView(parts);
  return parts.dispose;
}

export default { render };
