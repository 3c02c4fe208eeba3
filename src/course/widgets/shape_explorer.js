// Shapes of multi-head attention: every product as three boxes, all on one scale.

const LONGEST = 68; // pixels of the longest side
const SHORTEST = 6; // pixels of the shortest side
const PRESETS = [
  ["Base model of the paper", { n: 64, d_model: 512, h: 8 }],
  ["Big model of the paper", { n: 64, d_model: 1024, h: 16 }],
];
const SIZES = ["n", "d_model", "h", "d_k", "d_v"];

/** Text with raised letters: power("W", "Q"). */
function power(letter, above) {
  return html("span", { class: "abh-symbol" }, html("i", {}, letter), html("sup", {}, above));
}

/** The six products: names of the factors and of the result, shapes, cost. */
function products({ n, d_model, h, d_k, d_v }) {
  const learned = (left, right) => ({ left, right, times: 1, parameters: right[0] * right[1] });
  const perHead = (left, right) => ({ left, right, times: h, parameters: 0 });
  const all = {
    query: learned([n, d_model], [d_model, h * d_k]),
    key: learned([n, d_model], [d_model, h * d_k]),
    value: learned([n, d_model], [d_model, h * d_v]),
    scores: perHead([n, d_k], [d_k, n]),
    mix: perHead([n, n], [n, d_v]),
    output: learned([n, h * d_v], [h * d_v, d_model]),
  };
  for (const step of Object.values(all)) {
    step.result = [step.left[0], step.right[1]];
    step.multiplications = step.times * step.left[0] * step.left[1] * step.right[1];
  }
  return all;
}

/** What each product is called, and the names and colour roles of its boxes. */
function captions() {
  const x = () => html("i", {}, "X");
  const letter = (name) => html("i", {}, name);
  return {
    query: ["Queries of all heads", [x(), "ink"], [power("W", "Q"), "query"], [letter("Q"), "query"]],
    key: ["Keys of all heads", [x(), "ink"], [power("W", "K"), "key"], [letter("K"), "key"]],
    value: ["Values of all heads", [x(), "ink"], [power("W", "V"), "value"], [letter("V"), "value"]],
    scores: ["Scores, each head", [letter("Q"), "query"], [power("K", "T"), "key"], ["scores", "muted"]],
    mix: ["Weighted sums, each head", ["weights", "muted"], [letter("V"), "value"], ["head", "output"]],
    output: ["Output", ["all heads", "output"], [power("W", "O"), "output"], ["output", "ink"]],
  };
}

/** Pixels per entry, so that the shortest side can still be seen. */
function commonScale(steps) {
  const sides = Object.values(steps).flatMap(({ left, right }) => [...left, ...right]);
  return Math.max(LONGEST / Math.max(...sides), SHORTEST / Math.min(...sides));
}

/** A side as its pieces, from its middle: one, or two with a gap where it is broken. */
function pieces(length, isBroken) {
  const [end, gap] = [length / 2, 0.12 * length];
  return isBroken ? [[-end, gap - 3], [gap + 3, end]] : [[-end, end]];
}

/** Outline of a box of height by width pixels; at a gap its edges lean. */
function outline([height, width], [brokenHeight, brokenWidth]) {
  const lean = (at, end, across, otherEnd) => (Math.abs(at) < end ? at - (2.5 * across) / otherEnd : at);
  const corner = (x, y) =>
    `${lean(x, width / 2, y, height / 2).toFixed(4)} ${lean(y, height / 2, x, width / 2).toFixed(4)}`;
  return pieces(height, brokenHeight).flatMap(([top, bottom]) =>
    pieces(width, brokenWidth).map(([left, right]) =>
      `M${corner(left, top)}L${corner(right, top)}L${corner(right, bottom)}L${corner(left, bottom)}Z`)).join("");
}

/** One matrix as a box under its name and shape; a side that is too long is broken. */
function box([name, role]) {
  const shape = number();
  const frame = svg("path", {});
  const place = html("div", { class: "abh-frame" }, svg("svg", { viewBox: "-42 -42 84 84" }, frame));
  const node = html("div", { class: "abh-slot", style: `--abh-box: var(--abh-${role})` },
    html("span", { class: "abh-name" }, name), html("div", { class: "abh-size" }, shape), place);
  const update = (sides, scale) => {
    const lengths = sides.map((side) => Math.min(side * scale, LONGEST));
    frame.setAttribute("d", outline(lengths, sides.map((side) => side * scale > LONGEST + 0.5)));
    setText(shape, sides.join(" × "));
  };
  return { node, update };
}

/** A product drawn as left × right = result. */
function productFigure([title, ...names]) {
  const boxes = names.map(box);
  const sign = (text) => html("span", { class: "abh-sign" }, text);
  const times = number();
  const node = html("div", { class: "abh-shape" },
    html("p", { class: "abh-shape-title" }, `${title} `, times),
    html("div", { class: "abh-boxes" }, boxes[0].node, sign("×"), boxes[1].node, sign("="), boxes[2].node));
  const update = (step, scale) => {
    setText(times, step.times > 1 ? `(× ${step.times})` : " ");
    ["left", "right", "result"].forEach((part, i) => boxes[i].update(step[part], scale));
  };
  return { node, update };
}

/** A count in full up to ten digits, beyond that as 6.597 × 10¹². */
function counted(value) {
  if (value < 1e10) return grouped(value);
  const [digits, exponent] = value.toExponential(3).split("e+");
  const raised = [...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `${digits} × 10${raised}`;
}

/** Costs of all products in a table; its rows tell the shapes to who cannot see the boxes. */
function costTable(names) {
  const cells = {};
  const row = (key, title) => {
    const head = html("th", { scope: "row" }, title);
    const [parameters, multiplications] = ["parameters", "multiplications"].map((what) =>
      number({ "data-name": `${key}-${what}` }));
    cells[key] = { head, parameters, multiplications };
    return html("tr", {}, head, html("td", {}, parameters), html("td", {}, multiplications));
  };
  const body = Object.entries(names).map(([key, [title]]) => row(key, title));
  const node = html("table", { class: "abh-costs" },
    html("thead", {}, html("tr", {}, html("td"),
      html("th", { scope: "col" }, "Parameters"), html("th", { scope: "col" }, "Multiplications"))),
    html("tbody", {}, ...body), html("tfoot", {}, row("total", "Together")));
  const update = (steps, total) => {
    for (const [key, { left, right }] of Object.entries(steps)) {
      cells[key].head.ariaLabel = `${names[key][0]}, ${left.join(" × ")} times ${right.join(" × ")}`;
    }
    for (const [key, step] of Object.entries({ ...steps, total })) {
      for (const what of ["parameters", "multiplications"]) setValue(cells[key][what], step[what], counted(step[what]));
    }
  };
  return { node, update };
}

/** One line in words. */
function sentence(sizes, steps, total) {
  const { d_model, h, d_k, d_v } = sizes;
  const pairs = steps.scores.multiplications + steps.mix.multiplications;
  const share = (100 * pairs) / total.multiplications;
  const width = d_k === d_v ? `${h * d_k}` : `${h * d_k} (keys), ${h * d_v} (values)`;
  const fill = h * d_k === d_model && h * d_v === d_model;
  return `${h} heads together are ${width} wide, ${fill ? "as is a token" : `a token ${d_model}`}. Comparing and ` +
    `mixing words takes ${fixed(share, 1)}% of the multiplications; only this grows with n².`;
}

/** Width of a key and of a value while they are linked. */
function linkedWidth(model) {
  return Math.max(1, Math.floor(model.get("d_model") / model.get("h")));
}

/** Whether the linked widths have followed, so that a move is drawn once and whole. */
function isSettled(model) {
  const width = linkedWidth(model);
  return !model.get("linked") || (model.get("d_k") === width && model.get("d_v") === width);
}

/** Sliders for the sizes; while linked, d_k and d_v follow d_model and h. */
function sizeControls(view) {
  const { model } = view;
  const set = (changes) => {
    for (const [trait, value] of Object.entries(changes)) model.set(trait, value);
    if (model.get("linked")) {
      model.set("d_k", linkedWidth(model));
      model.set("d_v", linkedWidth(model));
    }
    model.save_changes();
  };
  const linkedView = { ...view, put: (trait, value) => set({ [trait]: value }) };
  const buttons = PRESETS.map(([text, sizes]) => html("button", {
    type: "button", class: "abh-button abh-quiet", onclick: () => set({ ...sizes, linked: true }),
  }, text));
  const widths = html("span", {}, "Keep ", symbol("d", "k"), " = ", symbol("d", "v"), " = ",
    symbol("d", "model"), " / ", html("i", {}, "h"));
  const link = checkbox(widths, (linked) => set({ linked }));
  view.controls.append(html("div", { class: "abh-presets" }, ...buttons));
  const add = (trait, label, mark, stops) => slider(linkedView, { trait, label, mark, stops, whole: true });
  add("n", "Tokens", html("i", {}, "n"), ratioStops(1, 4096, 2));
  add("d_model", "Width of a token", symbol("d", "model"), ratioStops(1, 4096, 2));
  add("h", "Heads", html("i", {}, "h"), evenStops(1, 64, 1));
  view.controls.append(link.node);
  const linkedRows = [add("d_k", "Width of a key", symbol("d", "k"), ratioStops(1, 4096, 2)),
    add("d_v", "Width of a value", symbol("d", "v"), ratioStops(1, 4096, 2))];
  view.watch(["linked"], () => {
    link.input.checked = model.get("linked");
    for (const row of linkedRows) for (const input of row.querySelectorAll("input")) input.disabled = model.get("linked");
  });
}

function render({ model, el }) {
  const view = card({ model, el }, { label: "Shapes of multi-head attention", lines: [2, 5] });
  sizeControls(view);
  const names = captions();
  const figures = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, productFigure(name)]));
  const costs = costTable(names);
  const inFull = html("span", {}, "One scale for all boxes, and every side is drawn in full length.");
  const withGaps = html("span", {}, "One scale for all boxes; a side with a gap is longer than it is drawn.");
  view.drawing.append(
    html("div", { class: "abh-shapes", "aria-hidden": "true" }, ...Object.values(figures).map(({ node }) => node)),
    html("p", { class: "abh-note abh-either" }, inFull, withGaps), costs.node,
    html("p", { class: "abh-note" }, "Counted are the products of matrices; biases, scaling and softmax are left out."));
  view.watch([...SIZES, "linked"], () => {
    if (!isSettled(model)) return;
    const sizes = Object.fromEntries(SIZES.map((trait) => [trait, model.get(trait)]));
    const steps = products(sizes);
    const sum = (what) => Object.values(steps).reduce((total, step) => total + step[what], 0);
    const total = { parameters: sum("parameters"), multiplications: sum("multiplications") };
    const scale = commonScale(steps);
    const broken = Object.values(steps).some(({ left, right }) => Math.max(...left, ...right) * scale > LONGEST + 0.5);
    for (const [key, step] of Object.entries(steps)) figures[key].update(step, scale);
    inFull.toggleAttribute("data-not-so", broken);
    withGaps.toggleAttribute("data-not-so", !broken);
    costs.update(steps, total);
    view.say(sentence(sizes, steps, total));
  });
  return view.dispose;
}

export default { render };
