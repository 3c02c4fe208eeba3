// Results of one head and of two heads, which the reader drags: *who* and *how*.

/** @import { Get, Result } from "../contract.d.ts" */

import { card } from "../card/card.js";
import { bars, setPoints } from "../card/drawings.js";
import { html, setHidden, svg } from "../card/elements.js";
import { goalOf, resultsOfGoal } from "../card/goal.js";
import { clamp, fixed, inFull } from "../card/numbers.js";
import { knob, meanOf, pointsOf, setAt, stage } from "./stage.js";

const PLANE = { size: [330, 318], origin: [160, 156], unit: 118, name: "Plane of who and how: the triangle of three words, and a star in a corner of the dashed box" };
const STAR_RADIUS = 11;
/** @type {[number, number, string][]} */
const NAMES = [[0, 20, "middle"], [-9, 4, "end"], [0, -12, "middle"]]; // of the words, beside their points
const LOW = -0.6; // below this *how*, the name of head 1 would cover the name of *cat*
const ENDS = [-1, 0, 1];

/** @type {(one: number[], other: number[]) => number} */
const distanceOf = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

/** Return the weights that bring the mean of the values to a place; outside the triangle a weight is negative. */
function sharesAt([x, y], [[ax, ay], [bx, by], [cx, cy]]) {
  const whole = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  const second = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / whole;
  const third = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / whole;
  return [1 - second - third, second, third];
}

/** Return the weights, each at least `least`, that bring the mean of the values nearest to a place, as two_heads.py does. */
function weightsAt(place, { values, least }) {
  const weights = sharesAt(place, values);
  if (Math.min(...weights) >= least) return weights;
  const corner = (i) => [0, 1, 2].map((j) => (i === j ? 1 - 2 * least : least));
  const onEdges = [0, 1, 2].map((i) => {
    const [start, end] = [corner(i), corner((i + 1) % 3)];
    const [[x, y], [u, v]] = [start, end].map((each) => meanOf(each, values));
    const along = ((place[0] - x) * (u - x) + (place[1] - y) * (v - y)) / ((u - x) ** 2 + (v - y) ** 2);
    const share = clamp(along, 0, 1);
    return start.map((weight, j) => weight + share * (end[j] - weight));
  });
  const distances = onEdges.map((each) => distanceOf(meanOf(each, values), place));
  return onEdges[distances.indexOf(Math.min(...distances))];
}

/** Return *who* of the first head and *how* of the last head. */
function resultOf(heads, { values }) {
  return [meanOf(heads[0], values)[0], meanOf(heads.at(-1), values)[1]];
}

/** Whether the places of both heads bring the result as near as the goal asks. */
const reaches = (given) => (flat) => {
  const heads = [flat.slice(0, 2), flat.slice(2)].map((place) => weightsAt(place, given));
  return distanceOf(resultOf(heads, given), given.star) < given.within;
};

/**
 * The goal, and the places with which the reader first reached it.
 *
 * @param {Get} get
 * @returns {Result[]}
 */
export const results = (get) => resultsOfGoal(get, 4, reaches(get("given")));

/** Corners of a five-pointed star around a drawn place. */
const starAt = ([x, y]) => pointsOf(Array.from({ length: 10 }, (_, i) => {
  const [radius, angle] = [STAR_RADIUS * (i % 2 ? 0.42 : 1), (Math.PI * i) / 5];
  return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
}));

/** Draw the plane: triangle, box, star, the result, and a knob for each head. */
function plane({ words, values, star }, { get, put }) {
  const board = stage(PLANE);
  const { at } = board;
  const [[left, top], [right, bottom]] = [[-1, 1], [1, -1]].map(at);
  const text = (props, words) => svg("text", { class: "abh-tick", ...props }, words);
  const [starX, starY] = at(star);
  const across = svg("polyline", { class: "abh-guide", fill: "none", stroke: "var(--abh-head-1)" });
  const upwards = svg("polyline", { class: "abh-guide", fill: "none", stroke: "var(--abh-head-2)" });
  const toStar = svg("polyline", { class: "abh-guide", fill: "none", stroke: "var(--abh-muted)", "stroke-dasharray": "2 4" });
  const end = svg("circle", { class: "abh-end", r: 6 });
  const name = svg("text", { class: "abh-end-name" }, "result");
  board.drawing.append(
    svg("rect", { fill: "none", stroke: "var(--abh-ink)", "stroke-dasharray": "5 4", x: left, y: top, width: right - left, height: bottom - top }),
    svg("polygon", { fill: "var(--abh-value)", "fill-opacity": 0.1, stroke: "var(--abh-value)", "stroke-linejoin": "round", points: pointsOf(values.map(at)) }),
    ...ENDS.flatMap((tick) => [
      text({ x: at([tick, 0])[0], y: bottom + 38, "text-anchor": "middle" }, inFull(tick)),
      text({ x: left - 30, y: at([0, tick])[1] + 4, "text-anchor": "end" }, inFull(tick))]),
    text({ x: at([0.5, 0])[0], y: bottom + 38, "text-anchor": "middle" }, "who →"),
    text({ x: left - 38, y: top - 22 }, "how ↑"),
    ...words.flatMap((word, i) => {
      const [[x, y], [dx, dy, anchor]] = [at(values[i]), NAMES[i]];
      return [svg("circle", { class: "abh-corner", fill: "var(--abh-value)", cx: x, cy: y, r: 5 }),
        svg("text", { class: "abh-corner-name", x: x + dx, y: y + dy, style: `fill: var(--abh-value); text-anchor: ${anchor}` }, word)];
    }),
    across, upwards, toStar,
    svg("polygon", { class: "abh-star", fill: "var(--abh-output)", points: starAt([starX, starY]) }),
    svg("text", { class: "abh-star-name", style: "fill: var(--abh-output)", x: starX + 40, y: starY - 16, "text-anchor": "end" }, `who of ${words[0]}, how of ${words[2]}`),
    end, name);
  const knobs = [0, 1].map((head) => knob(board, { role: `head-${head + 1}`, get: () => get(head), put: (place) => put(head, place) }));
  const show = (places, result, isTwo) => {
    const [x, y] = at(result);
    const drawn = places.map(at);
    setAt(end, { cx: x, cy: y });
    setAt(name, { x: x + 12, y: y + 4 });
    name.style.display = isTwo ? "" : "none";
    end.style.display = isTwo ? "" : "none";
    setPoints(toStar, pointsOf([[x, y], [starX, starY]]));
    setPoints(across, isTwo ? pointsOf([drawn[0], [x, y]]) : "");
    setPoints(upwards, isTwo ? pointsOf([drawn[1], [x, y]]) : "");
    knobs.forEach((each, head) => each.show(places[head], head || places[head][1] < LOW ? "left" : "below"));
  };
  return { node: board.node, knobs, show };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model, put } = view;
  const given = model.get("given");
  const { words, values, star } = given;
  const traits = ["first", "second"];
  const placeOf = (place) => meanOf(weightsAt(place, given), values);
  const thousandth = (value) => Math.round(1000 * value) / 1000;
  const drawn = plane(given, {
    get: (head) => placeOf(model.get(traits[head])),
    put: (head, place) => put(traits[head], placeOf(place).map(thousandth)),
  });
  const rows = traits.map((key, head) => bars({ key, name: `Weights of head ${head + 1}`, labels: words, role: `head-${head + 1}`, digits: 3 }));
  const goal = goalOf(view, 4, reaches(given));
  view.drawing.classList.add("abh-plane", "abh-two-heads");
  view.drawing.append(drawn.node, html("div", { class: "abh-beside" },
    ...goal.nodes, view.control("two"),
    html("div", { class: "abh-pair" }, ...rows.map(({ node }) => node)),
    html("p", { class: "abh-note" }, "Drag the result of a head to another place.")));
  view.watch(["two"], () => {
    const isTwo = model.get("two");
    setHidden(rows[1].node, !isTwo);
    drawn.knobs[1].node.hidden = !isTwo;
  });
  view.watch(["two", ...traits], () => {
    const isTwo = model.get("two");
    const places = traits.map((trait) => model.get(trait));
    const heads = places.map((place) => weightsAt(place, given));
    heads.forEach((weights, head) => {
      rows[head].update(weights);
      const [who, how] = meanOf(weights, values);
      drawn.knobs[head].describe(`head ${head + 1}`, "", [who, `who ${fixed(who)}, how ${fixed(how)}`]);
    });
    const result = resultOf(isTwo ? heads : heads.slice(0, 1), given);
    const distance = distanceOf(result, star);
    const isLimit = distance - given.limit < given.near;
    const isWithin = distance < given.within;
    view.say(isTwo ? (isWithin ? "within" : "two") : isLimit ? "limit" : "one", { distance, limit: given.limit });
    if (isTwo) goal.meet(places.flat());
    drawn.show(heads.map((weights) => meanOf(weights, values)), result, isTwo);
  });
}

export default { render };
