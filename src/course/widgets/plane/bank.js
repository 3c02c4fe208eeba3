// The plane of "bank": words that the reader drags, the weight that "bank" gives to each word, and the new vector of "bank".

import { card } from "../card/card.js";
import { number, setPoints, setShare, setValue } from "../card/drawings.js";
import { html, setText, svg } from "../card/elements.js";
import { fixed, inPowersOfTen } from "../card/numbers.js";
import { KNOB_SIDES, TEXT_SIDES, finder } from "./names.js";
import { arrow, attend, band, clamped, dot, hull, knob, pointsOf, setAt, stage } from "./stage.js";

const AXES = ["money", "water"];
const SIZE = [360, 366];
const PLOT = { left: 26, right: 352, top: 20, bottom: 346 };
const AXIS_NAME = 104; // width of the name at the end of an axis, in pixels
const TICKS = [0.5, 1, 1.5];
const RING = 15; // radius in pixels of the ring, whose width is the weight of "bank" for itself
const LEVELS = 24; // lines of equal score: 1, 2, ... up to the largest whole score in the plane
const COLUMNS = ["score", "÷ √2", "eˣ", "weight"];
const WEIGHT = COLUMNS.indexOf("weight");

/** One row of attention: query and keys are the words' vectors doubled, values are the vectors. */
function rowOf(places, bankIndex) {
  const twice = places.map((place) => place.map((value) => 2 * value));
  return attend(twice[bankIndex], twice, places);
}

/** Return the weight of each name in a sentence. A word that occurs twice gets the sum. */
const sharesOf = (names, words, weights) =>
  names.map((name) => weights.reduce((sum, weight, i) => (words[i] === name ? sum + weight : sum), 0));

/**
 * Return the facts that the sentences need; `BankPlane.facts` in bank.py returns the same.
 *
 * @param {string[]} words
 * @param {number} bankIndex
 * @param {number[][]} places
 * @param {{ weights: number[], output: number[] }} found
 */
function factsOf(words, bankIndex, places, { weights, output: [money, water] }) {
  const others = words.map((_, i) => i).filter((i) => i !== bankIndex && words.indexOf(words[i]) === i);
  const shares = sharesOf(words, words, weights);
  const distances = places.map(([x, y]) => Math.hypot(x - places[bankIndex][0], y - places[bankIndex][1]));
  // Rounded to nine decimals, equal values are equal here and in Python, so a tie goes to the first word.
  const rounded = (value) => Math.round(1e9 * value);
  const first = others.reduce((best, i) => (rounded(shares[i]) > rounded(shares[best]) ? i : best));
  const nearer = others.reduce((best, i) => (rounded(distances[i]) < rounded(distances[best]) ? i : best));
  return {
    own: shares[bankIndex], first: words[first], largest: shares[first], first_distance: distances[first],
    nearer: words[nearer], nearer_weight: shares[nearer], nearer_distance: distances[nearer], money, water,
  };
}

function keyOf({ own, largest, nearer_weight, first_distance, nearer_distance }, toy) {
  const isNearer = first_distance - nearer_distance > toy.closer && largest - nearer_weight > toy.less;
  return (own > largest - toy.same ? "keeps" : "gives") + (isNearer ? "-nearer" : "");
}

/**
 * Corners of the part of the plane in which a word's score is at least `score`, if "bank" lies at `bank`.
 *
 * The square is cut along the line of this score (Sutherland and Hodgman): corners with a
 * lower score are left out, and an edge that crosses the line adds the crossing.
 */
function atLeast(bank, score, farthest) {
  const corners = [[0, 0], [farthest, 0], [farthest, farthest], [0, farthest]];
  const excess = corners.map((corner) => 4 * dot(bank, corner) - score); // q . k = 4 x . x'
  return corners.flatMap((corner, i) => {
    const previous = (i || corners.length) - 1;
    const [isIn, wasIn] = [excess[i] >= 0, excess[previous] >= 0];
    const found = [];
    if (isIn !== wasIn) {
      const share = excess[previous] / (excess[previous] - excess[i]);
      found.push(corners[previous].map((value, axis) => value + share * (corner[axis] - value)));
    }
    if (isIn) found.push(corner);
    return found;
  });
}

/** The lines of equal score with the query of "bank", and the name of each line. */
function contours(toPixels, farthest) {
  const lines = Array.from({ length: LEVELS }, () => svg("polygon", { class: "abh-level" }));
  const names = lines.map(() => svg("text", { class: "abh-level-name", "text-anchor": "end" }, " "));
  const nameLimit = farthest - 0.06; // the names stand a little inside the plane
  const [[left, top], [right, bottom]] = [[0, farthest], [farthest, 0]].map(toPixels);
  const frame = svg("rect", { class: "abh-frame", x: left, y: top, width: right - left, height: bottom - top });
  let drawnFor = "";
  /** @type {(bank: number[]) => void} */
  const update = ([x, y]) => {
    if (drawnFor === `${x} ${y}`) return; // "bank" has not moved
    drawnFor = `${x} ${y}`;
    const length = Math.hypot(x, y);
    const below = (limit) => Math.ceil(4 * limit * (x + y)) - 1; // the largest whole score below the score of the corner (limit, limit)
    const [highest, highestNamed] = [below(farthest), below(nameLimit)];
    lines.forEach((line, i) => {
      setPoints(line, i < highest ? pointsOf(atLeast([x, y], i + 1, farthest).map(toPixels)) : "");
      const end = i < highestNamed ? endOf([x / length, y / length], (i + 1) / (4 * length), nameLimit) : [0, -1];
      const place = toPixels(end);
      setAt(names[i], { x: place[0], y: place[1] });
      setText(names[i], i + 1 === highestNamed ? `score ${i + 1}` : String(i + 1));
      names[i].style.display = end[1] < 0 ? "none" : "";
    });
  };
  return { node: svg("g", {}, ...lines, frame, ...names), update };
}

/**
 * The point where a line of equal score meets the upper or the right edge; its y is below 0 if the line meets neither.
 *
 * @param {number[]} direction Unit vector perpendicular to the line.
 * @param {number} distance From the origin to the line; the corner (edge, edge) lies beyond the line.
 * @param {number} edge Largest coordinate.
 */
function endOf([ux, uy], distance, edge) {
  const x = ux > 1e-9 ? (distance - uy * edge) / ux : -1; // on the upper edge
  if (x >= 0 && x <= edge) return [x, edge];
  return [edge, uy > 1e-9 ? (distance - ux * edge) / uy : -1];
}

/** The boxes of the axes' names and of the ticks of the horizontal axis: left, top, right, bottom. */
const boxesOfTexts = (toPixels) => [
  [PLOT.right - AXIS_NAME, PLOT.bottom, PLOT.right, SIZE[1]], [PLOT.left - 4, 0, PLOT.left + AXIS_NAME, PLOT.top - 6],
  ...TICKS.map((tick) => toPixels([tick, 0])).map(([x, y]) => [x - 10, y + 5, x + 10, y + 18]),
];

function axes(toPixels, farthest) {
  const ends = [[farthest, 0], [0, farthest]];
  const [x, y] = toPixels([0, 0]);
  const lines = ends.map((end) => svg("line", { class: "abh-axis", stroke: "var(--abh-muted)", x1: x, y1: y, x2: toPixels(end)[0], y2: toPixels(end)[1] }));
  const across = TICKS.map((tick) => [toPixels([tick, 0])[0], tick]).filter(([left]) => left < PLOT.right - AXIS_NAME);
  return svg("g", {}, ...lines,
    ...across.map(([left, tick]) => svg("text", { class: "abh-tick abh-tick-x", "text-anchor": "middle", x: left, y: y + 16 }, String(tick))),
    ...TICKS.map((tick) => svg("text", { class: "abh-tick abh-tick-y", "text-anchor": "end", x: x - 6, y: toPixels([0, tick])[1] + 4 }, String(tick))),
    svg("text", { class: "abh-tick", "text-anchor": "end", x: PLOT.right, y: y + 16 }, "about money →"),
    svg("text", { class: "abh-tick", x: x - 4, y: PLOT.top - 8 }, "about water ↑"));
}

/** The plane: the drawing of places and weights, and a knob for each word. */
function plane(toy, { get, put }) {
  const unit = (PLOT.right - PLOT.left - 4) / toy.farthest;
  const board = stage({ size: SIZE, origin: [PLOT.left, PLOT.bottom], unit, name: "Plane of the words: about money, about water" });
  const levels = contours(board.at, toy.farthest);
  const reach = svg("polygon", { class: "abh-reach" });
  const before = [0, 1, 2, 3, 4].map(() => svg("circle", { class: "abh-before", r: 4.5 }));
  const lines = [0, 1, 2].map(() => svg("polygon", { class: "abh-share" }));
  const ring = svg("circle", { class: "abh-own", r: RING });
  const path = svg("polygon", { class: "abh-path", fill: "var(--abh-output)" });
  const end = svg("circle", { class: "abh-end", r: 5.5 });
  const name = svg("text", { class: "abh-end-name" }, `new ${toy.query_word}`);
  board.drawing.append(levels.node, axes(board.at, toy.farthest), reach, ...before, ...lines, ring, path, end, name);
  const knobs = [0, 1, 2, 3].map((slot) => knob(board, {
    role: "ink", get: () => get(slot),
    put: (place) => put(slot, place.map((value) => clamped(value, 0, toy.farthest))),
  }));
  /** Choose the side of each word's name and of the new vector's name. A name leaves its usual side if something else stands there. */
  const chooseSides = (labels, places, bankSlot, output) => {
    const [drawn, to] = [places.map(board.at), board.at(output)];
    const find = finder(PLOT.right, boxesOfTexts(board.at), [...drawn, to]);
    const sides = places.map(() => "");
    for (const slot of new Set([bankSlot, places.length - 1, ...places.keys()])) { // the last word chooses its side second: its name with "drag me" is the longest
      const wanted = sideOf(places[slot], slot === bankSlot, slot === bankSlot ? output : places[bankSlot]);
      sides[slot] = find(drawn[slot], labels[slot].length, KNOB_SIDES, wanted);
    }
    const wanted = to[1] > drawn[bankSlot][1] ? "below" : "above";
    return { sides, ofNew: TEXT_SIDES[find(to, name.textContent.length - 1, TEXT_SIDES, wanted)] };
  };
  const show = (labels, places, bankSlot, shares, output) => {
    const bankPixels = board.at(places[bankSlot]);
    const to = board.at(output);
    const { sides, ofNew } = chooseSides(labels, places, bankSlot, output);
    levels.update(places[bankSlot]);
    setPoints(reach, pointsOf(hull(places).map(board.at)));
    let line = 0;
    places.forEach((place, slot) => {
      if (slot !== bankSlot) setPoints(lines[line++], band(bankPixels, board.at(place), toy.thickness * shares[slot]));
      knobs[slot].show(place, sides[slot]);
    });
    setAt(ring, { cx: bankPixels[0], cy: bankPixels[1], "stroke-width": toy.thickness * shares[bankSlot] });
    setAt(end, { cx: to[0], cy: to[1] });
    setAt(name, { x: to[0] + ofNew.right, y: to[1] + ofNew.base });
    if (name.style.textAnchor !== ofNew.anchor) name.style.textAnchor = ofNew.anchor;
    setPoints(path, arrow(bankPixels, to));
  };
  /** Show where four words and the new vector lay, if they have moved. */
  const showBefore = (places, moved) => places.forEach((place, i) => {
    const [x, y] = board.at(place);
    setAt(before[i], { cx: x, cy: y });
    before[i].style.visibility = moved[i] ? "" : "hidden";
  });
  return { node: board.node, knobs, show, showBefore };

  /**
   * The usual side of a word's name: away from the line to `other`, and within the plane.
   *
   * @param {number[]} place
   * @param {boolean} isBank Whether the word is "bank".
   * @param {number[]} other
   */
  function sideOf([x, y], isBank, other) {
    if (isBank) return other[0] > x ? "left" : "right";
    const rises = other[1] - y > 0.5 * Math.abs(other[0] - x); // so steep that a name beside the word is clear of the line
    if (y < other[1] && (rises || y < 0.2) && x < toy.farthest - 0.5) return "beside";
    const end = x < 0.3 ? "-start" : x > toy.farthest - 0.3 ? "-end" : "";
    return (y < other[1] ? "below" : "above") + end;
  }
}

/** The table of weights of "bank": a line for each word, and their sum. */
function weightTable(count) {
  const step = (cell) => html("td", { class: "abh-step" }, cell);
  const lines = Array.from({ length: count }, (_, i) => {
    const word = html("th", { scope: "row" });
    const cells = [...COLUMNS, ...AXES].map(() => number());
    const bar = html("span", { class: "abh-weighed" });
    const mark = html("span", { class: "abh-mark" });
    const node = html("tr", { "data-name": `row-${i + 1}` }, word, ...cells.map((cell, j) =>
      j === WEIGHT ? html("td", { class: "abh-weight" }, html("span", { class: "abh-weighing" }, bar, mark), cell) : step(cell)));
    return { node, word, cells, bar, mark };
  });
  const sums = [number(), number(), number()];
  const total = html("tr", { "data-name": "sum" }, html("th", { scope: "row" }, "sum"),
    step(null), step(null), step(sums[0]), html("td", { class: "abh-weight" }, "1"), step(sums[1]), step(sums[2]));
  const head = html("tr", {}, html("th", { scope: "col" }, "word"),
    ...COLUMNS.map((text, i) => html("th", { scope: "col", class: i === WEIGHT ? "abh-weight" : "abh-step" }, text)),
    html("th", { scope: "col", colspan: 2, class: "abh-step" }, "weight × value"));
  const node = html("table", { class: "abh-row" }, html("thead", {}, head), html("tbody", {}, ...lines.map((line) => line.node), total));
  const update = (words, places, { scores, logits, weights, output }) => {
    const powers = logits.map(Math.exp);
    lines.forEach(({ word, cells, bar }, i) => {
      setText(word, words[i]);
      const parts = places[i].map((value) => weights[i] * value);
      const digits = [fixed(scores[i]), fixed(logits[i], 3), powerText(powers[i]), fixed(weights[i], 3), ...parts.map((part) => fixed(part, 3))];
      [scores[i], logits[i], powers[i], weights[i], ...parts].forEach((value, j) => setValue(cells[j], value, digits[j]));
      setShare(bar, weights[i]);
    });
    const sum = powers.reduce((all, power) => all + power, 0);
    setValue(sums[0], sum, powerText(sum));
    output.forEach((value, axis) => setValue(sums[axis + 1], value, fixed(value, 3)));
  };
  let shownMarks = "";
  /** Mark the weights that the words had before the reader moved a word. */
  const markBefore = (weights, isMoved) => {
    const wanted = `${isMoved} ${weights}`;
    if (wanted === shownMarks) return;
    shownMarks = wanted;
    lines.forEach(({ mark }, i) => {
      mark.hidden = !isMoved;
      mark.style.left = `${(100 * weights[i]).toFixed(2)}%`;
    });
  };
  return { node, update, markBefore };
}

const powerText = (power) => (power < 9999 ? fixed(power) : inPowersOfTen(power, 1));

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const toy = model.get("toy");
  /** @type {(word: string) => number[]} */
  const placeOf = (word) => model.get(word);
  /** @type {() => string[]} */
  const words = () => toy.sentences[model.get("sentence")];
  const slots = () => [...new Set(words())];
  const hasMoved = (word) => String(toy.table[word]) !== String(placeOf(word));
  const isMoved = () => slots().some(hasMoved);
  /** Return [name, hint]: the hint is "drag me" on the last word until the reader moves a word. */
  const labelOf = (slot) => {
    const [names, all] = [slots(), words()];
    const name = names[slot];
    const called = all.indexOf(name) === all.lastIndexOf(name) ? name : `${name} ×2`;
    return [called, !isMoved() && slot === names.length - 1 ? "drag me" : ""];
  };
  const drawn = plane(toy, {
    get: (slot) => placeOf(slots()[slot]),
    put: (slot, place) => view.put(slots()[slot], place),
  });
  const table = weightTable(words().length);
  view.drawing.classList.add("abh-plane");
  view.drawing.append(drawn.node, html("div", { class: "abh-beside" }, view.control("sentence"), table.node, view.control("steps"),
    html("p", { class: "abh-note" }, "The score says how well a word fits “bank”. A higher score gives a larger weight. Words on the same blue line have the same score. The new “bank” always lies inside the dashed shape.")));
  const traits = Object.keys(toy.table);
  view.watch(["sentence", ...traits], () => {
    const [names, all] = [slots(), words()];
    const places = all.map(placeOf);
    const bankIndex = all.indexOf(toy.query_word);
    const found = rowOf(places, bankIndex);
    table.update(all, places, found);
    const before = rowOf(all.map((word) => toy.table[word]), bankIndex);
    table.markBefore(before.weights, isMoved());
    drawn.showBefore([...names.map((name) => toy.table[name]), before.output], [...names.map(hasMoved), isMoved()]);
    names.forEach((name, slot) => {
      const [called, hint] = labelOf(slot);
      const place = placeOf(name);
      const text = place.map((value, i) => `${AXES[i]} ${fixed(value)}`).join(", ");
      drawn.knobs[slot].describe(called, hint, [place[0], text]);
    });
    const facts = factsOf(all, bankIndex, places, found);
    view.say(keyOf(facts, toy), facts);
    drawn.show(names.map((_, slot) => labelOf(slot).join(" ").trim()), names.map(placeOf), names.indexOf(toy.query_word), sharesOf(names, all, found.weights), found.output);
  });
  view.watch(["steps"], () => table.node.classList.toggle("abh-stepwise", model.get("steps")));
}

export default { render };
