// A plane whose points one drags: where a place is drawn, what is drawn there, the knobs.

import { html, setText, svg } from "../card/elements.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const GLIDE = 140; // milliseconds from one state to another that a link or a button sets
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEPS = [0.02, 0.02];
const LEAP = 5; // steps at once, with Shift

/** Corners of a shape through drawn places. */
export const through = (corners) => corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

/**
 * Corners of a straight band of so many pixels between two drawn places.
 *
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} width
 */
export function band([x, y], [toX, toY], width) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [((toY - y) / length) * width / 2, ((x - toX) / length) * width / 2];
  return through([[x + dx, y + dy], [toX + dx, toY + dy], [toX - dx, toY - dy], [x - dx, y - dy]]);
}

/**
 * Corners of an arrow between two drawn places; none where they are one.
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
  return through([side(0, half), side(neck, half), side(neck, wing), [toX, toY], side(neck, -wing), side(neck, -half), side(0, -half)]);
}

/** Set lengths of a shape that is drawn, in pixels, where they are others: { cx: 3.5, cy: 2 }. */
export function setAt(node, lengths) {
  for (const [name, length] of Object.entries(lengths)) {
    const wanted = length.toFixed(2);
    if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
  }
}

/** The hull of some places, in their order around it (Andrew's monotone chain). */
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
 * A stage: a drawing of fixed size in its own units, which the page scales, and knobs on it.
 *
 * size: [width, height] of the drawing; origin: where (0, 0) is drawn; unit: how long 1 is.
 * Returns { node, drawing, size, at(place), from(x, y) }: a place as it is drawn, and back.
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
 * A knob on a stage: a point with a name that is dragged, or moved by the arrow keys.
 *
 * get(): where it is; put(place): where the reader wants it; steps: of the arrow keys,
 * across and up; press(by): what an arrow key does, such a step if left out. Returns { node, show(place, side),
 * tell(name, invites, [now, words]) }: `side` is where its name stands, `invites` what it
 * says beside it, `now` and `words` where it is, for who does not see it.
 */
export function knob(board, {
  kind, get, put, steps = STEPS, press = (by) => put(get().map((value, i) => value + steps[i] * by[i])),
}) {
  const text = html("span", {}, " ");
  const hint = html("span", { class: "abh-hint" }, " ");
  const node = html("button", {
    type: "button", class: `abh-knob abh-knob-${kind}`, role: "slider",
    "aria-roledescription": "point in a plane", "aria-valuenow": 0,
  }, html("span", { class: "abh-knob-dot" }), html("span", { class: "abh-knob-name" }, text, hint));
  const [width, height] = board.size;
  /** @type {((x: number, y: number) => number[]) | null} */
  let held = null; // while it is dragged: from pixels of the screen to places
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
    const by = KEYS[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const times = event.shiftKey ? LEAP : 1;
    press(by.map((each) => times * each));
  });
  let [shown, told] = ["", ""]; // where it is drawn, what it says: of several knobs most stand still
  const show = (place, side) => {
    const [x, y] = board.at(place);
    const wanted = `${x} ${y}`;
    if (shown !== wanted) {
      shown = wanted;
      node.style.left = `${((100 * x) / width).toFixed(3)}%`;
      node.style.top = `${((100 * y) / height).toFixed(3)}%`;
    }
    if (node.dataset.side !== side) node.dataset.side = side;
  };
  const tell = (called, invites, [now, words]) => {
    if (told === (told = `${called} ${invites} ${now} ${words}`)) return;
    setText(text, called);
    setText(hint, invites);
    node.ariaLabel = called;
    node.ariaValueNow = now;
    node.ariaValueText = words;
  };
  board.node.append(node);
  return { node, show, tell };
}

/** A number of a place within bounds, in hundredths. */
export const kept = (value, low, high) => Math.round(100 * Math.min(Math.max(value, low), high)) / 100;

/**
 * Draw a list of numbers as it changes: at once what a hand moves, else within GLIDE.
 *
 * Returns { to(numbers), atOnce(act) }: what `act` changes is drawn at once.
 */
export function glide(signal, draw) {
  /** @type {number[] | null} */
  let shown = null;
  let frame = 0;
  let byHand = false;
  signal.addEventListener("abort", () => cancelAnimationFrame(frame));
  const set = (numbers) => {
    shown = numbers;
    draw(numbers);
  };
  const to = (numbers) => {
    cancelAnimationFrame(frame);
    if (!shown || byHand || STILL.matches || shown.length !== numbers.length) return set(numbers);
    const [from, begun] = [shown, performance.now()];
    const step = (now) => {
      const share = Math.min(Math.max((now - begun) / GLIDE, 0), 1);
      const eased = share * (2 - share);
      set(share === 1 ? numbers : numbers.map((number, i) => from[i] + eased * (number - from[i])));
      if (share < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return undefined;
  };
  const atOnce = (act) => {
    byHand = true;
    act();
    byHand = false;
  };
  return { to, atOnce };
}
