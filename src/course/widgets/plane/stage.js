// A plane whose points the reader drags: its coordinates, its shapes and its knobs.

import { html, setText, svg } from "../card/elements.js";
import { clamp, softmax } from "../card/numbers.js";
import { KNOB_SIDES } from "./names.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEPS = [0.02, 0.02];
const LEAP = 5; // number of steps of an arrow key with Shift
const REM = 0.0512; // rem for each pixel in KNOB_SIDES

/** @type {(one: number[], other: number[]) => number} */
export const dot = ([x, y], [u, v]) => x * u + y * v;

/** @type {(weights: number[], places: number[][]) => number[]} */
export const meanOf = (weights, places) =>
  [0, 1].map((axis) => weights.reduce((sum, weight, i) => sum + weight * places[i][axis], 0));

/** Return the vector of a direction in degrees and of a length. */
export function vectorAt(degrees, length = 1) {
  const angle = ((degrees % 360) * Math.PI) / 180;
  return [length * Math.cos(angle), length * Math.sin(angle)];
}

/** Return one row of attention, for keys and values of width 2. */
export function attend(query, keys, values) {
  const scores = keys.map((key) => dot(query, key));
  const logits = scores.map((score) => score / Math.SQRT2);
  const weights = softmax(logits);
  return { scores, logits, weights, output: meanOf(weights, values) };
}

/** Return the `points` attribute of a shape with these corners, in pixels. */
export const pointsOf = (corners) => corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

/**
 * Return the corners of a straight band, `width` pixels wide, between two places in pixels.
 *
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} width
 */
export function band([x, y], [toX, toY], width) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [((toY - y) / length) * width / 2, ((x - toX) / length) * width / 2];
  return pointsOf([[x + dx, y + dy], [toX + dx, toY + dy], [toX - dx, toY - dy], [x - dx, y - dy]]);
}

/**
 * Return the corners of an arrow between two places in pixels; none if the places are equal.
 *
 * @param {number[]} from
 * @param {number[]} to
 */
export function arrow([x, y], [toX, toY], width = 2.5, head = 11) {
  const length = Math.hypot(toX - x, toY - y);
  if (length < 0.5) return "";
  const tip = Math.min(head, length);
  const [ux, uy] = [(toX - x) / length, (toY - y) / length];
  const side = (along, across) => [x + ux * along - uy * across, y + uy * along + ux * across];
  const [neck, half, wing] = [length - tip, width / 2, tip * 0.45];
  return pointsOf([side(0, half), side(neck, half), side(neck, wing), [toX, toY], side(neck, -wing), side(neck, -half), side(0, -half)]);
}

/** Set those attributes of a shape, in pixels, that have changed: { cx: 3.5, cy: 2 }. */
export function setAt(node, lengths) {
  for (const [name, length] of Object.entries(lengths)) {
    const wanted = length.toFixed(2);
    if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
  }
}

/** Return the corners of the convex hull of some places, in order (Andrew's monotone chain). */
export function hull(places) {
  const sorted = [...places].sort(([x, y], [u, v]) => x - u || y - v);
  const turn = ([x, y], [u, v], [s, w]) => (u - x) * (w - y) - (v - y) * (s - x);
  const chain = (all) => all.reduce((kept, place) => {
    while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), place) <= 0) kept.pop();
    return [...kept, place];
  }, []).slice(0, -1);
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/**
 * Build a stage for knobs: a drawing of fixed size in its own pixels, which the page scales.
 *
 * size: [width, height] of the drawing; origin: pixels of the place (0, 0); unit: pixels of 1.
 * Returns { node, drawing, size, at(place), from(x, y) }: `at` converts a place to pixels, and
 * `from` converts pixels to a place.
 *
 * @param {{ size: number[], origin: number[], unit: number, name: string }} how
 */
export function stage({ size: [width, height], origin: [left, bottom], unit, name }) {
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  const node = html("div", { class: "abh-stage", style: `aspect-ratio: ${width} / ${height}` }, drawing);
  return {
    node,
    drawing,
    size: [width, height],
    /** @type {(place: number[]) => number[]} */
    at: ([x, y]) => [left + unit * x, bottom - unit * y],
    /** @type {(x: number, y: number) => number[]} */
    from: (x, y) => [(x - left) / unit, (bottom - y) / unit],
  };
}

/**
 * Build a knob on a stage: a point with a name that the reader drags or moves by arrow keys.
 *
 * role: the role of its colour; get(): returns the place of the knob; put(place): called with the
 * place that the reader wants; steps: distances of a move by an arrow key, across and up;
 * press(by): called for an arrow key, by default moves the knob by `steps`
 * Returns { node, show(place, side), describe(name, hint, [now, words]) }: `side` is the side of
 * the name, `hint` a text beside it, `now` and `words` are the place for a screen reader.
 */
export function knob(board, {
  role, get, put, steps = STEPS, press = (by) => put(get().map((value, i) => value + steps[i] * by[i])),
}) {
  const nameNode = html("span", {}, " ");
  const hintNode = html("span", { class: "abh-hint" }, " ");
  const label = html("span", { class: "abh-knob-name" }, nameNode, hintNode);
  const node = html("button", {
    type: "button", class: "abh-bare abh-knob", style: `color: var(--abh-${role})`, role: "slider",
    "aria-roledescription": "point in a plane", "aria-valuenow": 0,
  }, html("span", { class: "abh-knob-dot" }), label);
  const [width, height] = board.size;
  /** @type {((x: number, y: number) => number[]) | null} */
  let held = null; // during a drag: converts pixels of the screen to a place
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const { left, top, width: wide } = board.drawing.getBoundingClientRect();
    const scale = width / wide;
    const place = (x, y) => board.from((x - left) * scale, (y - top) * scale);
    const [x, y] = place(event.clientX, event.clientY);
    const [atX, atY] = get();
    held = (u, v) => place(u, v).map((value, i) => value + [atX - x, atY - y][i]);
    node.setPointerCapture(event.pointerId);
    node.dataset.held = "";
  });
  node.addEventListener("pointermove", ({ clientX, clientY }) => held && put(held(clientX, clientY)));
  for (const type of ["pointerup", "pointercancel"]) {
    node.addEventListener(type, () => {
      held = null;
      delete node.dataset.held;
    });
  }
  node.addEventListener("keydown", (event) => {
    const by = ARROWS[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const times = event.shiftKey ? LEAP : 1;
    press(by.map((each) => times * each));
  });
  let [shownAt, shownSide, shownTexts] = ["", "", ""]; // the last values: most knobs do not move
  const show = (place, side) => {
    const [x, y] = board.at(place);
    const wanted = `${x} ${y}`;
    if (shownAt !== wanted) {
      shownAt = wanted;
      node.style.left = `${((100 * x) / width).toFixed(3)}%`;
      node.style.top = `${((100 * y) / height).toFixed(3)}%`;
    }
    if (shownSide === side) return;
    shownSide = side;
    const { right, shift, top } = KNOB_SIDES[side];
    label.style.translate = `calc(${right * REM}rem + ${100 * shift}%) ${top * REM}rem`;
  };
  const describe = (name, hint, [now, words]) => {
    const wanted = `${name} ${hint} ${now} ${words}`;
    if (shownTexts === wanted) return;
    shownTexts = wanted;
    setText(nameNode, name);
    setText(hintNode, hint);
    node.ariaLabel = name;
    node.ariaValueNow = now;
    node.ariaValueText = words;
  };
  board.node.append(node);
  return { node, show, describe };
}

/** Clamp a coordinate to its bounds, and round it to hundredths. */
export const clamped = (value, low, high) => Math.round(100 * clamp(value, low, high)) / 100;
