// Why divide by sqrt(d_k): the same row of scores through softmax, as it is and divided.

import { card } from "./card/card.js";
import { bars, number, setPoints, setValue } from "./card/drawings.js";
import { html, svg } from "./card/elements.js";
import { entropy, fixed, softmax } from "./card/numbers.js";
import { drawnScores } from "./drawn.js";

const SPREADS = { min: 0.05, max: 200 }; // the plot's horizontal axis, logarithmic
const TOP_NORM = 0.55;
const CURVE_STEPS = 48;
const SIDES = ["undivided", "divided"];
const DOTS = { undivided: ["rim", "core"], divided: ["core"] }; // a ring and a disc

/** Standard deviation of all entries of a table. */
function deviation(table) {
  const entries = table.flat();
  const mean = entries.reduce((sum, x) => sum + x, 0) / entries.length;
  return Math.sqrt(entries.reduce((sum, x) => sum + (x - mean) ** 2, 0) / entries.length);
}

/** The second largest and the largest of some weights. */
function twoLargest(weights) {
  let [second, largest] = [0, 0];
  for (const weight of weights) {
    if (weight > largest) [second, largest] = [largest, weight];
    else if (weight > second) second = weight;
  }
  return [second, largest];
}

/**
 * Largest eigenvalue of diag(p) - p p^T, which lies between the two largest
 * weights: the root of 1 - sum p_i^2 / (p_i - x), which falls there all the way.
 * Every halving of the interval gives one more binary digit.
 */
function jacobianNorm(p, halvings = 60) {
  let [low, high] = twoLargest(p);
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    let rest = 1;
    for (const weight of p) if (weight > 0) rest -= (weight * weight) / (weight - middle);
    if (rest > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Everything the view says about one table of scores. */
function readScores(table, row, beta) {
  const weights = softmax(table[row], beta);
  return {
    weights,
    spread: beta * deviation(table),
    entropy: entropy(weights),
    largest: Math.max(...weights),
    norm: jacobianNorm(weights),
  };
}

/** Place of a spread on the axis, in percent. */
function spreadPercent(spread) {
  const { min, max } = SPREADS;
  return (100 * Math.log(spread / min)) / Math.log(max / min);
}

/** Place of a norm on its axis, in percent from the top. */
function normPercent(norm) {
  return 100 * (1 - norm / TOP_NORM);
}

/** A tick of an axis with its number. */
function tick(axis, at, text) {
  const place = axis === "x" ? { x: `${at}%`, y: "100%", dy: "1.25em" } : { x: 0, y: `${at}%`, dx: -8, dy: "0.35em" };
  return svg("text", { ...place, class: `abh-tick abh-tick-${axis}` }, text);
}

/** The plot: the Jacobian's norm of this row at every spread, and where the two stand. */
function normPlot() {
  const curve = svg("polyline", { class: "abh-curve" });
  const dots = SIDES.map((side) => DOTS[side].map((part) =>
    svg("polyline", { class: `abh-dot abh-dot-${part} abh-dot-${side}` })));
  const plot = svg("svg", { class: "abh-plot", role: "img", "aria-label": "Norm of the softmax’s Jacobian against the spread of all 64 logits" },
    ...[0.1, 1, 10, 100].map((x) => tick("x", spreadPercent(x), String(x))),
    ...[0, 0.25, 0.5].map((y) => tick("y", normPercent(y), fixed(y))),
    ...[0.25, 0.5].map((y) => svg("line", { class: "abh-grid", x1: 0, x2: "100%", y1: `${normPercent(y)}%`, y2: `${normPercent(y)}%` })),
    svg("line", { class: "abh-axis", x1: 0, x2: "100%", y1: "100%", y2: "100%" }),
    svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", width: "100%", height: "100%" }, curve, ...dots.flat()));
  const node = html("div", { class: "abh-norms" },
    html("p", { class: "abh-axis-name" }, "Norm of the Jacobian"), plot,
    html("p", { class: "abh-axis-name abh-axis-x" }, "spread of all 64 logits"));
  const trace = (row, spread) => {
    const points = Array.from({ length: CURVE_STEPS + 1 }, (_, i) => {
      const x = SPREADS.min * (SPREADS.max / SPREADS.min) ** (i / CURVE_STEPS);
      const norm = jacobianNorm(softmax(row, x / spread), 12);
      return `${((100 * i) / CURVE_STEPS).toFixed(2)},${normPercent(norm).toFixed(2)}`;
    });
    setPoints(curve, points.join(" "));
  };
  const mark = (read) => SIDES.forEach((side, i) => {
    const { spread, norm } = read[side];
    const at = `${spreadPercent(spread)},${normPercent(norm)}`;
    for (const part of dots[i]) setPoints(part, spread < SPREADS.min ? "" : `${at} ${at}`);
  });
  return { node, trace, mark };
}

/** What is compared, with its decimals. */
function quantitiesOf(queries, keys) {
  const all = [["spread", `Spread of all ${queries * keys} logits`, 2], ["largest", "Largest weight", 3]];
  const most = `at most ln ${keys} = ${fixed(Math.log(keys), 3)}`;
  return [...all, ["entropy", `Entropy of the row (${most})`, 3], ["norm", "Norm of the Jacobian", 4]];
}

/** The numbers of both sides, one line a quantity. */
function comparison(quantities) {
  const cells = {};
  const lines = quantities.map(([key, term]) => {
    const pair = SIDES.map((side) => number({ "data-name": `${side}-${key}` }));
    cells[key] = pair;
    return html("tr", {}, html("th", { scope: "row" }, term), ...pair.map((place) => html("td", {}, place)));
  });
  const heads = ["q · k", "q · k / √dₖ"].map((text, i) =>
    html("th", { scope: "col" }, html("span", { class: `abh-key abh-key-${SIDES[i]}`, "aria-hidden": "true" }), text));
  const node = html("table", { class: "abh-compare" },
    html("thead", {}, html("tr", {}, html("td"), ...heads)), html("tbody", {}, ...lines));
  const update = (read) => quantities.forEach(([key, , digits]) =>
    SIDES.forEach((side, i) => setValue(cells[key][i], read[side][key], fixed(read[side][key], digits))));
  return { node, update };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const { labels, table: scoreTable } = drawnScores(model.get("draws"));
  const rows = ["β q · k", "β q · k / √dₖ"].map((logits, i) =>
    bars({ key: `${SIDES[i]}-weights`, name: `softmax of ${logits.replaceAll(" ", "\u00a0")}`, labels }));
  const table = comparison(quantitiesOf(scoreTable(1).length, labels.length));
  const plot = normPlot();
  view.drawing.append(html("div", { class: "abh-pair" }, ...rows.map(({ node }) => node)), table.node, plot.node,
    html("p", { class: "abh-note" }, "The Jacobian diag(p) − p pᵀ holds the derivative of each weight with respect to each logit. ",
      "Its norm is its largest eigenvalue: how much the weights can change for a small change of the logits. ",
      `The curve shows this row at every spread. A row below ${SPREADS.min} has no dot.`));

  let scores;
  view.watch(["d_k", "row"], () => {
    scores = scoreTable(model.get("d_k"));
    plot.trace(scores[model.get("row")], deviation(scores));
  });
  view.watch(["d_k", "beta", "row"], () => {
    const [dK, beta, row] = ["d_k", "beta", "row"].map((trait) => model.get(trait));
    const root = Math.sqrt(dK);
    const scaled = scores.map((line) => line.map((score) => score / root));
    const read = { undivided: readScores(scores, row, beta), divided: readScores(scaled, row, beta) };
    SIDES.forEach((side, i) => rows[i].update(read[side].weights));
    table.update(read);
    plot.mark(read);
    const facts = SIDES.flatMap((side) => ["spread", "largest"].map((name) => [`${side}_${name}`, read[side][name]]));
    view.say("spreads", { root, ...Object.fromEntries(facts) });
  });
}

export default { render };
