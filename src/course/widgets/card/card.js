// What every view shares: the card's layout, the predict-first gate, native
// controls bound to traits, matrices, bars and number formats.
//
// A view knows only the anywidget model (get, set, on, off, save_changes) and
// therefore runs unchanged on the static page and in JupyterLab.

// --- Elements ---------------------------------------------------------------

/** Fill an element: attributes, `on<event>` listeners, children. */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * Build an HTML element: html("p", { class: "x" }, "text", child).
 *
 * A control is marked so that JupyterLab leaves it its keys: in a notebook the arrows
 * of a slider and the Enter of a button would otherwise move from cell to cell.
 */
export function html(tag, props, ...children) {
  const node = document.createElement(tag);
  if (node.matches("button, input, select, textarea")) node.dataset.lmSuppressShortcuts = "";
  return fill(node, props, children);
}

/** Build an SVG element, with the same arguments as `html`. */
export function svg(tag, props, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return fill(node, props, children);
}

/** A letter with a subscript, as in d_k: symbol("d", "k"). */
export function symbol(letter, subscript) {
  return html("span", { class: "abh-symbol" }, html("i", {}, letter), html("sub", {}, subscript));
}

/** An id that no other view on the page has. */
export function uid(prefix) {
  return `${prefix}-${Math.random().toString(36).slice(2, 10)}`;
}

// --- Numbers ----------------------------------------------------------------

/** Fixed decimals with a true minus sign; -0.00 is written 0.00. */
export function fixed(value, digits = 2) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "\u2212");
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number in a text, its decimals after a point or a comma; NaN where there is none. */
export function readDecimal(text) {
  const plain = text.trim().replace(/[\u2212\u2013]/g, "-").replace(",", ".");
  return DECIMAL.test(plain) ? Number(plain) : NaN;
}

/** The whole number in a text, which may be in groups of three: 1,024; NaN where there is none. */
function readWhole(text) {
  const plain = text.trim().replace(/(?<=\d)[,\s](?=\d{3}(?!\d))/g, "");
  return /^\d+$/.test(plain) ? Number(plain) : NaN;
}

const GROUPS = new Intl.NumberFormat("en-US"); // slow to make, quick to use

/** A whole number in groups of three: 1,048,576. */
export function grouped(value) {
  return GROUPS.format(value);
}

/** Change an element's text in place, without touching the tree. */
export function setText(node, text) {
  if (!node.firstChild) node.textContent = text;
  else if (node.firstChild.data !== text) node.firstChild.data = text;
}

/** A place for one number: a box of its own, so that a new number lays out nothing else. */
export function number(props) {
  return html("span", { class: "abh-number", ...props }, "\u00a0");
}

/** Make room for numbers of so many characters in `node`; it never shrinks, unless made anew. */
export function roomFor(node, characters, anew = false) {
  if (!anew && characters <= (node.abhRoom ?? 0)) return;
  node.abhRoom = characters;
  node.style.setProperty("--abh-characters", characters);
}

/** Colour a number's box, unless it has that colour already; the cell would cost the table. */
export function tint(shown, colour) {
  if (shown.abhColour === colour) return;
  shown.abhColour = colour;
  shown.style.backgroundColor = colour;
}

/** Fill a bar to a share from 0 to 1, unless it is filled so already. */
export function setShare(bar, share) {
  const wanted = `scaleX(${Math.min(Math.max(share, 0), 1).toFixed(5)})`;
  if (bar.abhShare === wanted) return;
  bar.abhShare = wanted;
  bar.style.transform = wanted;
}

/**
 * Move the corners of a polygon or a line, unless they are there already. Unlike the
 * `d` of a path they are no style, and so the browser styles nothing anew.
 */
export function setPoints(shape, points) {
  if (shape.abhPoints === points) return;
  shape.abhPoints = points;
  shape.setAttribute("points", points);
}

/** Show a number rounded and keep it whole in `data-value`, unless it stands there. */
export function setValue(node, value, text) {
  if (node.abhValue === value) return;
  node.abhValue = value;
  node.setAttribute("data-value", value);
  setText(node, text);
}

// --- Colour -----------------------------------------------------------------

/** Background of a weight from 0 to 1. */
export function weightColour(weight) {
  const percent = (100 * Math.min(Math.max(weight, 0), 1)).toFixed(1);
  return `color-mix(in oklab, var(--abh-weight-low), var(--abh-weight-high) ${percent}%)`;
}

/** Background of a signed number on a scale from -limit to limit. */
export function signedColour(value, limit) {
  const end = value < 0 ? "negative" : "positive";
  const percent = (100 * Math.min(Math.abs(value) / (limit || 1), 1)).toFixed(1);
  return `color-mix(in oklab, var(--abh-zero), var(--abh-${end}) ${percent}%)`;
}

// --- Arithmetic that several views need ---------------------------------------

/** softmax(beta * logits) of one row. */
export function softmax(logits, beta = 1) {
  const scaled = logits.map((logit) => beta * logit);
  const peak = Math.max(...scaled);
  const powers = scaled.map((logit) => Math.exp(logit - peak));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Entropy of one row of weights, in nats. */
export function entropy(weights) {
  return -weights.reduce((total, p) => total + (p > 0 ? p * Math.log(p) : 0), 0) || 0;
}

// --- The card -----------------------------------------------------------------

/**
 * Build a card in `el` and return its parts.
 *
 * label: its accessible name; lines: room kept for the reading, in lines on a wide
 * and on a narrow card, so that nothing below moves when its text changes
 *
 * controls, drawing: where the view puts its own elements
 * say(text):         the one-line reading, also read out by a screen reader
 * watch(traits, f):  run f now and whenever one of the traits changes, here,
 *                    in another view or in Python
 * put(trait, value): change a trait and send it to Python
 * dispose:           what `render` returns, so that the host can clean up
 */
export function card({ model, el }, { label = "Interactive figure", lines = [2, 3] } = {}) {
  const forgets = [];
  const watch = (traits, update) => {
    for (const trait of traits) {
      model.on(`change:${trait}`, update);
      forgets.push(() => model.off(`change:${trait}`, update));
    }
    update();
  };
  const put = (trait, value) => {
    model.set(trait, value);
    model.save_changes();
  };
  const controls = html("div", { class: "abh-controls" });
  const drawing = html("div", { class: "abh-drawing" });
  const words = html("span", {});
  const reading = html("p", { class: "abh-reading", "aria-live": "polite" }, words);
  const growth = growWith(words, reading);
  const body = html("div", { class: "abh-body" }, controls, drawing, reading);
  const root = html("div", { role: "group", class: "abh-card", "aria-label": label });
  root.style.setProperty("--abh-lines", lines[0]);
  root.style.setProperty("--abh-lines-narrow", lines[1]);
  const parts = { model, root, body, controls, drawing, watch, put };
  root.append(predictFirst(parts), body);
  el.append(root);
  return {
    ...parts,
    say: (text) => setText(words, text),
    dispose: () => {
      growth.disconnect();
      for (const forget of forgets) forget();
      root.remove();
    },
  };
}

/**
 * Let a box whose size does not depend on its words grow with them: new words then lay
 * out nothing else, but for the rare line too many.
 */
function growWith(words, box) {
  const growth = new ResizeObserver(([{ borderBoxSize: [{ blockSize }] }]) =>
    box.style.setProperty("--abh-words", `${blockSize}px`));
  growth.observe(words);
  return growth;
}

/** The gate: the body stays hidden until the reader commits to an answer. */
function predictFirst({ model, body, watch, put }) {
  const name = uid("predict");
  const commit = html("button", { type: "button", class: "abh-button" }, "Commit to this answer");
  const again = html("button", { type: "button", class: "abh-button abh-quiet" }, "Predict again");
  const prompt = html("legend", { class: "abh-prompt" });
  const choices = html("div", { class: "abh-choices" });
  const open = html("div", { class: "abh-open" }, choices, commit);
  const verdict = html("p", { class: "abh-verdict", tabindex: "-1" });
  const closed = html("div", { class: "abh-closed" }, verdict, again);
  const gate = html("fieldset", { class: "abh-predict" }, prompt, open, closed);
  const picked = () => choices.querySelector("input:checked");

  choices.addEventListener("change", () => (commit.disabled = !picked()));
  commit.addEventListener("click", () => {
    put("answer", Number(picked().value));
    verdict.focus();
  });
  again.addEventListener("click", () => {
    put("answer", -1);
    (picked() ?? choices.querySelector("input")).focus();
  });
  watch(["question"], () => {
    const question = model.get("question");
    setText(prompt, question.prompt ?? "");
    choices.replaceChildren(
      ...(question.choices ?? []).map((choice, index) => radioChoice(name, index, choice.text)),
    );
  });
  watch(["question", "answer"], () => {
    const answer = model.get("answer");
    const asked = Boolean(model.get("question").prompt);
    const choice = asked ? model.get("question").choices[answer] : undefined;
    gate.hidden = !asked;
    body.hidden = asked && !choice;
    open.hidden = Boolean(choice);
    closed.hidden = !choice;
    if (choice) {
      choices.querySelectorAll("input")[answer].checked = true;
      showVerdict(gate, verdict, choice);
    } else delete gate.dataset.verdict;
    commit.disabled = !picked();
  });
  return gate;
}

/** One choice of a radio group. */
function radioChoice(name, index, text) {
  const input = html("input", { type: "radio", name, value: index });
  return html("label", { class: "abh-choice" }, input, html("span", {}, text));
}

/** Say in words whether the prediction held, and why. */
function showVerdict(gate, verdict, choice) {
  gate.dataset.verdict = choice.right ? "right" : "wrong";
  verdict.replaceChildren(
    html("span", { class: "abh-said" }, `You predicted: ${choice.text}`),
    html("strong", {}, choice.right ? "Right." : "Not so."),
    ` ${choice.why}`,
  );
}

// --- Controls -------------------------------------------------------------------

/** Values from min to max in even steps, free of rounding noise. */
export function evenStops(min, max, step) {
  const count = Math.round((max - min) / step);
  return Array.from({ length: count + 1 }, (_, i) => Number((min + i * step).toFixed(9)));
}

/** Whole numbers from min to max in even ratios, `perOctave` to a doubling. */
export function ratioStops(min, max, perOctave = 4) {
  const count = Math.round(Math.log2(max / min) * perOctave);
  const stops = Array.from({ length: count + 1 }, (_, i) => Math.round(min * 2 ** (i / perOctave)));
  return [...new Set([...stops, max])];
}

/** Index of the stop nearest to a value. */
function nearestStop(stops, value) {
  let best = 0;
  stops.forEach((stop, i) => {
    if (Math.abs(stop - value) < Math.abs(stops[best] - value)) best = i;
  });
  return best;
}

/** The stop that a key leads to from a value between two stops; undefined for other keys. */
function stopBeside(stops, value, key) {
  if (["ArrowRight", "ArrowUp", "PageUp"].includes(key)) return stops.find((stop) => stop > value);
  if (["ArrowLeft", "ArrowDown", "PageDown"].includes(key)) return stops.findLast((stop) => stop < value);
  return { Home: stops[0], End: stops.at(-1) }[key];
}

/**
 * A number trait as a slider over `stops` and a field for any value between them.
 *
 * label: text of the control's name; mark: an optional node shown after it (a
 * symbol); whole: only whole numbers may be typed. The field is one of text, because
 * one of numbers drops a comma without a word: 0,5 would be read as 05.
 */
export function slider({ model, controls, watch, put }, { trait, label, mark = null, stops, whole = false }) {
  const [min, max] = [stops[0], stops.at(-1)];
  const id = uid(trait);
  const range = html("input", { type: "range", id, min: 0, max: stops.length - 1, step: 1 });
  const field = html("input", {
    type: "text", class: "abh-field", autocomplete: "off", inputmode: whole ? "numeric" : "decimal",
    "aria-label": `${label}, typed: ${min} to ${max}`,
  });
  const typed = () => {
    const value = (whole ? readWhole : readDecimal)(field.value);
    return value >= min && value <= max ? value : null;
  };
  range.addEventListener("input", () => put(trait, stops[range.valueAsNumber]));
  range.addEventListener("keydown", (event) => {
    const value = model.get(trait);
    const stop = stops.includes(value) ? undefined : stopBeside(stops, value, event.key);
    if (stop === undefined) return;
    event.preventDefault();
    put(trait, stop);
  });
  let before = model.get(trait);
  field.addEventListener("focus", () => (before = model.get(trait)));
  field.addEventListener("input", () => {
    const value = typed();
    field.ariaInvalid = value === null ? "true" : null;
    if (value !== null) put(trait, value);
  });
  field.addEventListener("change", () => {
    if (typed() === null) put(trait, before);
    field.ariaInvalid = null;
    field.value = String(model.get(trait));
    before = model.get(trait);
  });
  const row = html("div", { class: "abh-control", "data-trait": trait },
    html("label", { for: id }, label, ...(mark ? [" ", mark] : [])),
    html("div", { class: "abh-track" }, range), html("div", {}, field));
  controls.append(row);
  watch([trait], () => {
    const value = model.get(trait);
    const stop = nearestStop(stops, value);
    if (range.valueAsNumber !== stop) range.value = String(stop);
    range.setAttribute("aria-valuetext", value);
    if (typed() !== value) field.value = String(value);
  });
  return row;
}

/** A number trait as a list of named options; the option's index is the value. */
export function select({ model, controls, watch, put }, { trait, label, options }) {
  const id = uid(trait);
  const list = html("select", { id, class: "abh-field" },
    ...options.map((text, value) => html("option", { value }, text)));
  list.addEventListener("change", () => put(trait, Number(list.value)));
  const row = html("div", { class: "abh-control", "data-trait": trait },
    html("label", { for: id }, label), list);
  controls.append(row);
  watch([trait], () => (list.value = String(model.get(trait))));
  return row;
}

/** A checkbox with its label; `set` is called with the new state. */
export function checkbox(label, set) {
  const input = html("input", { type: "checkbox" });
  input.addEventListener("change", () => set(input.checked));
  return { node: html("label", { class: "abh-check" }, input, html("span", {}, label)), input };
}

// --- Drawings --------------------------------------------------------------------

/**
 * A cell of a matrix; at the rim it carries its part of the brackets, as elements:
 * a `::before` would be styled anew with every colour.
 */
export function matrixCell(props, [row, column], [rows, columns], content, ...more) {
  const sides = [column === 0 && "left", column === columns - 1 && "right"].filter(Boolean);
  const ends = [row === 0 && "top", row === rows - 1 && "bottom"].filter(Boolean);
  const hooks = ends.flatMap((end) => sides.map((side) =>
    html("span", { class: `abh-hook abh-${side} abh-${end}`, "aria-hidden": "true" })));
  const td = html("td", props, content, ...hooks, ...more);
  td.classList.add(...sides.map((side) => `abh-rim-${side}`));
  return td;
}

/**
 * A matrix as a table in brackets: tokens at the rows, names at the columns.
 *
 * scale: "weights" (0 to 1, with a bar below the number), "signed" or "none";
 * role: the colour role of the name ("query", "key", "value", "output");
 * key: the name of its numbers in Python.
 * Returns { node, cells, update(values, limit) }; `update` changes text and
 * colours in place.
 */
export function matrix({ key, name, rows, columns, scale = "none", digits = 2, role = "ink" }) {
  const size = [rows.length, columns.length];
  const cell = (i, j) => matrixCell({}, [i, j], size, number(),
    ...(scale === "weights" ? [html("span", { class: "abh-cellbar", "aria-hidden": "true" })] : []));
  const cells = rows.map((_, i) => columns.map((_, j) => cell(i, j)));
  const head = html("tr", {}, html("td", { class: "abh-corner" }),
    ...columns.map((text) => html("th", { scope: "col" }, text)));
  const lines = rows.map((text, i) => html("tr", {}, html("th", { scope: "row" }, text), ...cells[i]));
  const node = html("table", { class: "abh-matrix", "data-name": key },
    html("caption", { style: `color: var(--abh-${role})` }, name),
    html("thead", {}, head), html("tbody", {}, ...lines));
  const paint = (td, value, limit) => {
    td.dataset.value = String(value);
    const text = fixed(value, digits);
    roomFor(node, text.length);
    setText(td.firstChild, text);
    if (scale === "weights") {
      tint(td.firstChild, weightColour(value));
      setShare(td.lastChild, value);
    } else if (scale === "signed") tint(td.firstChild, signedColour(value, limit));
  };
  const update = (values, limit = Math.max(...values.flat().map(Math.abs))) =>
    cells.forEach((line, i) => line.forEach((td, j) => paint(td, values[i][j], limit)));
  return { node, cells, update };
}

/**
 * A row of weights as bars with their numbers, one line a key.
 *
 * The browser pays for each element that changes and for each box around one, so all bars
 * are one polygon, a comb whose back lies on the left edge, and the rows of the table have
 * no box. `key` is the name of its numbers in Python. Returns { node, update(weights) }.
 */
export function bars({ key, name, labels, digits = 3, role = "output" }) {
  const comb = svg("polygon", {});
  const drawn = svg("svg", { viewBox: `0 0 1 ${labels.length}`, preserveAspectRatio: "none", "aria-hidden": "true" }, comb);
  const places = labels.map(() => number({ role: "cell" }));
  const lines = labels.map((text, i) => html("div", { role: "row" }, html("span", { role: "rowheader" }, text), places[i]));
  const longest = Math.max(...labels.map((text) => text.length));
  const style = `--abh-bar: var(--abh-${role}); --abh-characters: ${digits + 1.6}; --abh-label-characters: ${longest}`;
  const title = html("p", { id: uid("bars"), class: "abh-caption" }, name);
  const node = html("div", { class: "abh-bars", style, "data-name": key }, title,
    html("div", { role: "table", "aria-labelledby": title.id }, ...lines, drawn));
  const update = (weights) => {
    weights.forEach((weight, i) => setValue(places[i], weight, fixed(weight, digits)));
    setPoints(comb, weights.map((weight, i) => {
      const [end, top, bottom] = [weight.toFixed(5), i + 0.14, i + 0.86];
      return `0,${top} ${end},${top} ${end},${bottom} 0,${bottom}`;
    }).join(" "));
  };
  return { node, update };
}

/**
 * Named numbers in a list: facts([["entropy", "Entropy"], ...]).
 *
 * Returns { node, update(key, value, text) }.
 */
export function facts(entries) {
  const values = new Map(entries.map(([key]) => [key, number({ "data-name": key })]));
  const node = html("dl", { class: "abh-facts", style: "--abh-characters: 6" },
    ...entries.map(([key, ...term]) => html("div", {}, html("dt", {}, ...term), html("dd", {}, values.get(key)))));
  return { node, update: (key, value, text) => setValue(values.get(key), value, text) };
}

export default { render: (host) => card(host).dispose };
