// A query that the reader turns and stretches over keys, and the output among the values.

import { card } from "../card/card.js";
import { number, setPoints, setShare, setValue } from "../card/drawings.js";
import { button, html, setText, svg } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { arrow, attend, dot, hull, knob, meanOf, pointsOf, setAt, stage, vectorAt } from "./stage.js";

const DIAL = { size: [270, 270], origin: [135, 135], unit: 150, name: "Keys of the words, and the query as a line through them" };
const RIM = 0.82; // how far from the middle the longest query ends
const VALUES = { size: [270, 270], origin: [-152, 232], unit: 270, name: "Values of the words, and the output among them" };
const SHARES = [1, 0.8, 0.6, 0.4, 0.2]; // of the query's length; the outputs of such queries fill the reachable area
const ROWS = 4;
const EDGE = [0.49, 0.49, 0.02]; // shares of three values: a place near the middle of an edge
// Places of the names beside their points: pixels right, pixels down, and the text anchor.
/** @type {[number, number, string][]} */
const KEY_NAMES = [[0, -11, "middle"], [0, 22, "middle"], [-10, 5, "end"], [10, 5, "start"]];
const OTHER_SIDE = [[0, 22, "middle"], [0, -11, "middle"], [-4, -12, "end"], [-10, 5, "end"]]; // if the query ends near a name
const NEAR = 30; // pixels between the query's end and a name, below which OTHER_SIDE is used
const VALUE_NAMES = [[0, 24, "middle"], [0, -12, "middle"], [-30, 24, "start"], [0, -12, "middle"]];

function area(corners) {
  const twice = corners.reduce((sum, [x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length];
    return sum + x * v - y * u;
  }, 0);
  return Math.abs(twice) / 2;
}

/**
 * Return loopsOf(lengths, count), which returns a closed line for each length: the outputs of all
 * queries of this length over the first `count` words. It keeps its last result, because turning
 * a query does not change the lines.
 */
function outputLoops({ turns, keys, values }) {
  /** @type {[string, number[][][]]} */
  let [computedFor, loops] = ["", []];
  const loopOf = (length, k, v) =>
    Array.from({ length: turns }, (_, i) => attend(vectorAt((360 * i) / turns, length), k, v).output);
  return (lengths, count) => {
    const now = `${lengths} ${count}`;
    if (now !== computedFor) loops = lengths.map((length) => loopOf(length, keys.slice(0, count), values.slice(0, count)));
    computedFor = now;
    return loops;
  };
}

/** Join several closed lines to one line, so that one polygon fills all of them. */
function joined(loops) {
  const ends = loops.map((loop) => loop[0]);
  return [...loops.flatMap((loop) => [...loop, loop[0]]), ...ends.reverse()];
}

/** Return the end of a query's arrow. The arrow grows with the root of the query's length. */
const tipOf = (angle, length, longest) => vectorAt(angle, RIM * Math.sqrt(length / longest));

/** Draw a point with the name of its word, and return the function that moves both. */
function namedPoint(board, word, role) {
  const style = `fill: var(--abh-${role})`;
  const point = svg("circle", { class: "abh-point", style, r: 5 });
  const name = svg("text", { class: "abh-point-name", style }, word);
  board.drawing.append(point, name);
  /** @type {(place: number[], name: any[], shows: boolean) => void} */
  const show = ([x, y], [dx, dy, end], shows) => {
    setAt(point, { cx: x, cy: y });
    setAt(name, { x: x + dx, y: y + dy });
    if (name.style.textAnchor !== end) name.style.textAnchor = end;
    for (const { style } of [point, name]) {
      if ((style.visibility === "") !== shows) style.visibility = shows ? "" : "hidden";
    }
  };
  return show;
}

/** Draw the ring that marks a length of the query, and its label. */
function ringOf(middle, length, longest) {
  const [x, y] = middle;
  const r = DIAL.unit * tipOf(0, length, longest)[0];
  return [
    svg("circle", { class: "abh-rim", cx: x, cy: y, r: r.toFixed(2) }),
    svg("text", { class: "abh-tick abh-ring-name", "text-anchor": "middle", x, y: (y + r - 4).toFixed(2) }, `length ${length}`),
  ];
}

/** Draw the keys, the line of the query with the foot of each key, and the knob of the query. */
function dial({ words, keys, longest, lengths }, { get, put }) {
  const board = stage(DIAL);
  const middle = board.at([0, 0]);
  const axis = svg("polyline", { fill: "none", stroke: "var(--abh-query)", "stroke-opacity": 0.45 });
  const drops = words.map(() => svg("polyline", { class: "abh-perpendicular", fill: "none", stroke: "var(--abh-key)", "stroke-dasharray": "3 3" }));
  const feet = words.map(() => svg("circle", { class: "abh-perpendicular-foot", fill: "var(--abh-surface)", stroke: "var(--abh-query)", "stroke-width": 1.5, r: 3 }));
  const tip = svg("polygon", { fill: "var(--abh-query)" });
  board.drawing.append(
    ...lengths.flatMap((length) => ringOf(middle, length, longest)),
    svg("circle", { fill: "var(--abh-muted)", cx: middle[0], cy: middle[1], r: 2 }), axis, ...drops);
  const points = words.map((word) => namedPoint(board, word, "key"));
  board.drawing.append(...feet, tip);
  const press = (by) => {
    const step = get().some(Boolean) ? 0.02 : 0.05; // from length 0 a shorter step would be rounded to 0
    put(get().map((value, i) => value + step * by[i]));
  };
  const handle = knob(board, { role: "query", get, put, press });
  const show = (angle, length, count) => {
    const end = tipOf(angle, length, longest);
    const to = board.at(end);
    const along = vectorAt(angle, 1);
    const ends = [-0.9, 0.9].map((factor) => board.at(along.map((value) => factor * value)));
    setPoints(axis, pointsOf(ends));
    keys.forEach((key, i) => {
      const shows = i < count;
      const foot = board.at(along.map((value) => dot(along, key) * value));
      const place = board.at(key);
      const [right, down] = KEY_NAMES[i];
      const isNear = Math.hypot(place[0] + right - to[0], place[1] + down - to[1]) < NEAR;
      points[i](place, (isNear ? OTHER_SIDE : KEY_NAMES)[i], shows);
      setPoints(drops[i], shows ? pointsOf([place, foot]) : "");
      setAt(feet[i], { cx: foot[0], cy: foot[1] });
      feet[i].style.visibility = shows ? "" : "hidden";
    });
    setPoints(tip, arrow(middle, to, 3.5, 12));
    handle.show(end, end[0] < 0 ? "left" : "right");
  };
  return { node: board.node, handle, show };
}

/** Whether a point lies inside a closed line (a ray from it crosses the line an odd number of times). */
const isInside = (/** @type {number[]} */ [x, y], corners) => corners.filter(([u, v], i) => {
  const [s, w] = corners.at(i - 1);
  return (v > y) !== (w > y) && x < u + ((y - v) / (w - v)) * (s - u);
}).length % 2 === 1;

/** Draw the values, the area that queries up to a length reach, and the output. */
function mixtures({ words, values }) {
  const board = stage(VALUES);
  const middle = meanOf(EDGE, values);
  const [x, y] = board.at(middle); // in the grey part, until queries are long
  const label = svg("g", { class: "abh-beyond-name" },
    svg("polyline", { fill: "none", stroke: "var(--abh-muted)", points: pointsOf([[x, y], [x + 26, y + 26]]) }),
    svg("text", { x: x + 12, y: y + 42 }, "not"), svg("text", { x: x + 12, y: y + 62 }, "reachable"));
  const all = svg("polygon", { class: "abh-beyond", fill: "var(--abh-muted)", "fill-opacity": 0.28 });
  const within = svg("polygon", { fill: "var(--abh-surface)" });
  const edge = svg("polygon", { fill: "none", stroke: "var(--abh-value)", "stroke-linejoin": "round" });
  const ring = svg("polygon", { class: "abh-ring" });
  board.drawing.append(all, within, ring, edge, label);
  const points = words.map((word) => namedPoint(board, word, "value"));
  const end = svg("circle", { class: "abh-end", r: 6 });
  board.drawing.append(end);
  const show = (loops, output) => {
    setPoints(within, pointsOf(joined(loops).map(board.at)));
    setPoints(ring, pointsOf(loops[0].map(board.at)));
    const [cx, cy] = board.at(output);
    setAt(end, { cx, cy });
    label.style.display = loops.some((loop) => isInside(middle, loop)) ? "none" : "";
  };
  const place = (count) => {
    const corners = pointsOf(hull(values.slice(0, count)).map(board.at));
    setPoints(all, corners);
    setPoints(edge, corners);
    values.forEach((value, i) => points[i](board.at(value), VALUE_NAMES[i], i < count));
  };
  return { node: board.node, show, place };
}

/** Build the table of scores and weights, with an empty row if there is no fourth word. */
function table(words) {
  const lines = words.map((word, i) => {
    const cells = [number(), number()];
    const bar = html("span", { class: "abh-weighed" });
    const node = html("tr", { "data-name": `row-${i + 1}` }, html("th", { scope: "row" }, word),
      html("td", {}, cells[0]), html("td", { class: "abh-weight" }, html("span", { class: "abh-weighing" }, bar), cells[1]));
    return { node, cells, bar };
  });
  const room = html("tr", { "aria-hidden": "true" }, html("td", { colspan: 3 }));
  const body = html("tbody", {});
  const head = html("tr", {}, ...["word", "score", "weight"].map((text) => html("th", { scope: "col" }, text)));
  const node = html("table", { class: "abh-row" }, html("thead", {}, head), body);
  const place = (count) => body.replaceChildren(...lines.slice(0, count).map((line) => line.node), ...(count < ROWS ? [room] : []));
  const update = ({ scores, weights }) => weights.forEach((weight, i) => {
    const { cells, bar } = lines[i];
    setValue(cells[0], scores[i], fixed(scores[i]));
    setValue(cells[1], weight, fixed(weight, 3));
    setShare(bar, weight);
  });
  return { node, place, update };
}

/** Build the line of a vector: its name and its two numbers. */
function vector(key, name, role) {
  const places = [number(), number()];
  const node = html("p", { class: "abh-vector", style: `color: var(--abh-${role})`, "data-name": key }, name, ...places);
  return { node, update: (values) => values.forEach((value, i) => setValue(places[i], value, fixed(value))) };
}

function keyOf(weights, fourth) {
  const alike = Math.max(...weights) - Math.min(...weights) < 0.0005;
  return fourth ? (alike ? "all-alike" : "four") : alike ? "alike" : "three";
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const given = model.get("given");
  const { words, keys, values, longest } = given;
  const count = () => (model.get("fourth") ? ROWS : ROWS - 1);
  const dialled = dial(given, {
    get: () => tipOf(model.get("angle"), model.get("length"), longest),
    put: ([x, y]) => {
      const share = Math.min(Math.hypot(x, y) / RIM, 1);
      view.set({ angle: Math.round((Math.atan2(y, x) * 180) / Math.PI) + 0, length: Math.round(10 * longest * share * share) / 10 });
    },
  });
  const mixed = mixtures(given);
  const row = table(words);
  const loopsOf = outputLoops(given);
  const loops = (length) => loopsOf((count() === ROWS ? SHARES : [1]).map((share) => share * length), count()); // for three keys the first line encloses all others
  const [query, output] = [vector("query", "query", "query"), vector("output", "output", "output")];
  const add = button(" ", () => view.put("fourth", !model.get("fourth")));
  view.drawing.classList.add("abh-dial");
  view.drawing.append(
    html("div", { class: "abh-side" }, html("p", { class: "abh-caption" }, "Keys and query"), dialled.node,
      html("p", { class: "abh-note" }, "The rings show lengths of the query. The keys are drawn on a larger scale."), query.node),
    html("div", { class: "abh-side" }, html("p", { class: "abh-caption" }, "Values and output"), mixed.node, output.node),
    html("div", { class: "abh-side abh-side-row" }, row.node, add));
  view.watch(["fourth"], () => {
    row.place(count());
    mixed.place(count());
    setText(add, model.get("fourth") ? `Take “${words.at(-1)}” away` : `Add a word: “${words.at(-1)}”`);
  });
  view.watch(["angle", "length", "fourth"], () => {
    const [angle, length, n] = [model.get("angle"), model.get("length"), count()];
    const now = vectorAt(angle, length);
    const found = attend(now, keys.slice(0, n), values.slice(0, n));
    row.update(found);
    query.update(now);
    output.update(found.output);
    const largest = Math.max(...found.weights);
    const reach = n === ROWS ? 0 : area(loops(length)[0]) / area(values.slice(0, n)); // the sentences about four words do not use `reach`
    dialled.handle.describe("query", "", [angle, `${angle} degrees, length ${fixed(length, 1)}`]);
    view.say(keyOf(found.weights, n === ROWS), {
      first: words[found.weights.indexOf(largest)], largest, reach, added: words.at(-1), share: found.weights.at(-1),
    });
    dialled.show(angle, length, n);
    mixed.show(loops(length), found.output);
  });
}

export default { render };
