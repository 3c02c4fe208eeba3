// Shapes of multi-head attention: every product as three boxes, all on one scale.

import { card } from "./card/card.js";
import { number, setPoints, setValue } from "./card/drawings.js";
import { html, setText, svg, symbol } from "./card/elements.js";
import { grouped, inPowersOfTen } from "./card/numbers.js";

const LONGEST = 68; // pixels of the longest side
const SHORTEST = 6; // pixels of the shortest side
const GAP_AT = 0.12; // distance of a gap from the middle of a side, as a share of the side
const LEAN = 2.5; // pixels by which the ends of a slanted gap lie beside its middle
const SIZES = ["n", "d_model", "h", "d_k", "d_v"];

/**
 * Return the six products by name: the shapes of the factors and of the result, and the costs.
 *
 * @param {Record<string, number>} sizes
 */
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

/** Return the title of each product, and the names and colour roles of its boxes. */
function captions() {
  return {
    query: ["Queries of all heads", [symbol("X"), "ink"], [symbol("W", "", "Q"), "query"], [symbol("Q"), "query"]],
    key: ["Keys of all heads", [symbol("X"), "ink"], [symbol("W", "", "K"), "key"], [symbol("K"), "key"]],
    value: ["Values of all heads", [symbol("X"), "ink"], [symbol("W", "", "V"), "value"], [symbol("V"), "value"]],
    scores: ["Scores, each head", [symbol("Q"), "query"], [symbol("K", "", "T"), "key"], ["scores", "muted"]],
    mix: ["Weighted sums, each head", ["weights", "muted"], [symbol("V"), "value"], ["head", "output"]],
    output: ["Output", ["all heads", "output"], [symbol("W", "", "O"), "output"], ["output", "ink"]],
  };
}

/** Return the pixels for one entry, so that even the shortest side is visible. */
function commonScale(steps) {
  const sides = Object.values(steps).flatMap(({ left, right }) => [...left, ...right]);
  return Math.max(LONGEST / Math.max(...sides), SHORTEST / Math.min(...sides));
}

/** Return the corners of a box of height × width pixels around the origin. */
function corners(height, width) {
  const [x, y] = [width / 2, height / 2];
  return `${-x},${-y} ${x},${-y} ${x},${y} ${-x},${y}`;
}

/** Return the gap in a side of `length` pixels: a slanted line across the box. */
function gapLine(length, across, swap) {
  const [at, end] = [GAP_AT * length, across / 2 + 0.75];
  const ends = [[at + LEAN, -end], [at - LEAN, end]];
  return ends.map((point) => (swap ? point.toReversed() : point).join(",")).join(" ");
}

/** Build one matrix: name, size and box. A side that is too long has a gap. */
function box([name, role], column) {
  const size = number();
  const colour = `--abh-box: var(--abh-${role})`;
  const label = html("span", { style: colour }, name);
  const frame = svg("polygon", {});
  const gaps = [0, 1].map(() => svg("polyline", { class: "abh-gap" }));
  const middle = (100 * (2 * column + 1) / 6).toFixed(2); // percent of the width
  const drawn = svg("g", { class: "abh-box", style: `${colour}; transform: translate(${middle}%, 50%)` }, frame, ...gaps);
  const update = (sides, scale) => {
    const lengths = sides.map((side) => Math.min(side * scale, LONGEST));
    setPoints(frame, corners(...lengths));
    sides.forEach((side, i) => {
      const isBroken = side * scale > LONGEST + 0.5;
      setPoints(gaps[i], isBroken ? gapLine(lengths[i], lengths[1 - i], i === 0) : "");
    });
    setText(size, sides.join(" × "));
  };
  return { label, size, drawn, update };
}

/**
 * Draw a product as left × right = result.
 *
 * @param {any[]} caption
 */
function productFigure([title, ...names]) {
  const boxes = names.map(box);
  const sign = (text, x) => svg("text", { x, y: "50%", dy: "0.35em" }, text);
  const times = number();
  const node = html("div", { class: "abh-shape" },
    html("p", { class: "abh-note abh-shape-title" }, `${title} `, times),
    html("div", { class: "abh-names" }, ...boxes.map(({ label }) => label)),
    html("div", { class: "abh-note abh-sizes" }, ...boxes.map(({ size }) => size)),
    svg("svg", { class: "abh-boxes" }, ...boxes.map(({ drawn }) => drawn), sign("×", "33.3%"), sign("=", "66.7%")));
  const update = (step, scale) => {
    setText(times, step.times > 1 ? `(× ${step.times})` : " ");
    ["left", "right", "result"].forEach((part, i) => boxes[i].update(step[part], scale));
  };
  return { node, update };
}

/** Write a count: up to four digits in full, else with two significant digits, 1.7 × 10⁷. */
const countText = (value) => (value < 1e4 ? grouped(value) : inPowersOfTen(value, 1));

/** Return a product's title for the table of costs, which counts all heads. */
function ofAll(title) {
  return title.replace("each head", "all heads");
}

/** Build the table of costs. Its labels give the shapes, for readers who cannot see the boxes. */
function costTable(names) {
  const cells = {};
  const row = (key, title) => {
    const head = html("th", { scope: "row" }, title);
    const [parameters, multiplications] = ["parameters", "multiplications"].map((what) =>
      number({ "data-name": `${key}-${what}` }));
    cells[key] = { head, parameters, multiplications };
    return html("tr", {}, head, html("td", {}, parameters), html("td", {}, multiplications));
  };
  const body = Object.entries(names).map(([key, [title]]) => row(key, ofAll(title)));
  const node = html("table", { class: "abh-costs" },
    html("thead", {}, html("tr", {}, html("td"),
      html("th", { scope: "col" }, "Parameters"), html("th", { scope: "col" }, "Multiplications"))),
    html("tbody", {}, ...body), html("tfoot", {}, row("total", "Together")));
  const update = (steps, total) => {
    for (const [key, { left, right }] of Object.entries(steps)) {
      cells[key].head.ariaLabel = `${ofAll(names[key][0])}, ${left.join(" × ")} times ${right.join(" × ")}`;
    }
    for (const [key, step] of Object.entries({ ...steps, total })) {
      for (const what of ["parameters", "multiplications"]) setValue(cells[key][what], step[what], countText(step[what]));
    }
  };
  return { node, update };
}

/** @param {Record<string, number>} sizes */
function keyOf({ d_model, h, d_k, d_v }) {
  const widths = d_k !== d_v ? "apart" : h * d_k === d_model ? "as_token" : "alike";
  return `${h === 1 ? "one" : "several"}_${widths}`;
}

function render(host) {
  const view = card(host, { lines: [2, 5] });
  const { model } = view;
  const names = captions();
  const figures = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, productFigure(name)]));
  const costs = costTable(names);
  view.drawing.append(
    html("div", { class: "abh-columns", style: "--abh-least: 18.25rem", "aria-hidden": "true" }, ...Object.values(figures).map(({ node }) => node)),
    html("p", { class: "abh-note" }, "All boxes have the same scale. If a side has a gap, it is longer than drawn."), costs.node,
    html("p", { class: "abh-note" }, "The table counts the products of matrices, without biases, scaling and softmax."));
  view.watch(SIZES, () => {
    const sizes = Object.fromEntries(SIZES.map((trait) => [trait, model.get(trait)]));
    const steps = products(sizes);
    const sum = (what) => Object.values(steps).reduce((total, step) => total + step[what], 0);
    const total = { parameters: sum("parameters"), multiplications: sum("multiplications") };
    const scale = commonScale(steps);
    for (const [key, step] of Object.entries(steps)) figures[key].update(step, scale);
    costs.update(steps, total);
    const pairs = steps.scores.multiplications + steps.mix.multiplications;
    const { h, d_k, d_v } = sizes;
    view.say(keyOf(sizes), { keys: h * d_k, values: h * d_v, share: (100 * pairs) / total.multiplications });
  });
}

export default { render };
