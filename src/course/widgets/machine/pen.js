// Draws into an SVG. Elements are kept by key; numbers move gradually to their targets.

import { svg as element } from "../card/elements.js";
import { fixed } from "../card/numbers.js";

const TIME_CONSTANT = 105; // milliseconds

/** Round a number to one decimal, which keeps the SVG text short. */
export const toTenth = (n) => Math.round(n * 10) / 10;

const rounded = (x) => (typeof x === "number" ? toTenth(x) : x);

/** Template tag: return a path or another text with its numbers rounded. */
export const path = (texts, ...values) =>
  texts.reduce((all, text, i) => all + rounded(values[i - 1]) + text);

const areEqual = (a, b) => Object.keys(a).every((name) => a[name] === b[name]);

const MARK = /([\^_])(\w)/g;

/** Put a text with raised (^) and lowered (_) letters into an element. */
function setMarked(node, text) {
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(MARK)) {
    if (found.index > last) parts.push(text.slice(last, found.index));
    const [dy, back] = found[1] === "^" ? ["-.38em", ".38em"] : [".22em", "-.22em"];
    parts.push(element("tspan", { dy, "font-size": ".8em" }, found[2]),
      element("tspan", { dy: back }, "\u200b"));
    last = found.index + 2;
  }
  if (last < text.length) parts.push(text.slice(last));
  node.replaceChildren(...parts);
}

/**
 * Return the style of a cell; `top` is the colour's percentage at the largest value, `most`.
 * `dim` below 1 makes the cell paler.
 */
function inked({ value, most, colour, top = 92, dim = 1 }, isHollow) {
  const share = Math.min(1, Math.abs(value) / most) || 0;
  const mix = (percent) => `color-mix(in oklab,${colour} ${percent}%,var(--abh-paper))`;
  const line = Math.round((34 + 60 * share) * (0.35 + 0.65 * dim));
  return isHollow
    ? `fill:${mix(5)};stroke:${mix(line)};stroke-width:1.5;stroke-dasharray:3 2`
    : `fill:${mix(Math.round((7 + (top - 7) * share) * dim))}`;
}

export class Pen {
  #nodes = new Map(); // by key
  #values = new Map(); // numbers that move gradually, by key
  #kept = new Map(); // by part: the facts that it shows, and its nodes
  #part = /** @type {any[] | null} */ (null); // nodes of the part being drawn
  #frame = 0; // number of the frame being drawn
  #step = 16; // milliseconds since the last frame
  moving = false; // whether at least one number moves
  still = false; // whether all numbers jump to their targets
  smallest = 11; // least font size, in units of the drawing

  constructor(root) {
    this.root = root;
  }

  /** Begin a frame, `step` milliseconds after the last frame. */
  begin(step) {
    this.#step = Math.min(48, Math.max(8, step));
    this.#frame += 1;
    this.moving = false;
  }

  /** End a frame: remove the elements that it did not draw. */
  end() {
    for (const [key, node] of this.#nodes) {
      if (node.frame === this.#frame) continue;
      node.element.remove();
      this.#nodes.delete(key);
      this.#kept.clear(); // a part may have kept this node
    }
  }

  /** Draw a part only if one of the facts on which it depends has changed. */
  part(key, facts, draw) {
    const kept = this.#kept.get(key);
    if (kept && facts.every((fact, i) => fact === kept.facts[i])) {
      for (const node of kept.nodes) node.frame = this.#frame;
      return;
    }
    const nodes = (this.#part = []);
    draw();
    this.#part = null;
    this.#kept.set(key, { facts, nodes });
  }

  /** Forget the numbers whose keys have this beginning: `ease` then begins at `from` again. */
  forget(beginning = "") {
    for (const key of this.#values.keys())
      if (key.startsWith(beginning)) this.#values.delete(key);
  }

  /** Create the element of a key, or change its attributes and its text if they differ. */
  put(parent, key, tag, attributes, text) {
    let node = this.#nodes.get(key);
    if (!node) {
      node = { element: element(tag, {}), set: {}, frame: 0 };
      this.#nodes.set(key, node);
    }
    if (node.parent !== parent) parent.append(node.element);
    node.parent = parent;
    node.frame = this.#frame;
    this.#part?.push(node);
    this.#set(node, attributes);
    if (text !== undefined && node.text !== text) {
      node.text = text;
      if (/[\^_]/.test(text) && !attributes["data-plain"])
        setMarked(node.element, text);
      else node.element.textContent = text;
    }
    return node.element;
  }

  #set(node, attributes) {
    for (const name in attributes) {
      const value = attributes[name];
      if (node.set[name] === value) continue;
      node.set[name] = value;
      if (value === null || value === undefined) node.element.removeAttribute(name);
      else node.element.setAttribute(name, value);
    }
  }

  rect(parent, key, { x, y, w, h }, attributes) {
    return this.put(parent, key, "rect", { x: toTenth(x), y: toTenth(y),
      width: toTenth(w), height: toTenth(h), ...attributes });
  }

  group(parent, key, attributes = {}) {
    return this.put(parent, key, "g", attributes);
  }

  /** Move numbers one frame towards `to`; a new key starts at `from`. Return the numbers. */
  ease(key, to, from = to, time = TIME_CONSTANT) {
    let now = this.#values.get(key);
    if (!now) this.#values.set(key, (now = { ...from }));
    const share = this.still ? 1 : 1 - Math.exp(-this.#step / time);
    for (const name in to) {
      const left = to[name] - now[name];
      if (share === 1 || Math.abs(left) < 0.003) now[name] = to[name];
      else {
        now[name] += left * share;
        this.moving = true;
      }
    }
    return now;
  }

  eased(key, to, time) {
    return this.ease(key, { to }, undefined, time).to;
  }

  /**
   * Draw a cell: filled if positive, hollow and dashed if negative. `ink` is set only if
   * it has changed; if `attributes` is a function, it is called only for a new cell.
   */
  cell(parent, key, { x, y, w, h }, ink, attributes) {
    const inset = ink.value < -1e-9 ? 0.75 : 0;
    const box = { x: x + inset, y: y + inset, w: Math.max(0.4, w - 2 * inset),
      h: Math.max(0.4, h - 2 * inset) };
    this.rect(parent, key, box, { rx: toTenth(Math.min(5, w / 6, h / 6)) });
    const node = this.#nodes.get(key);
    if (typeof attributes !== "function") this.#set(node, attributes);
    else if (!node.ink) this.#set(node, attributes());
    if (node.ink && areEqual(ink, node.ink)) return;
    node.ink = ink;
    this.#set(node, { style: inked(ink, inset) });
  }

  line(parent, key, d, colour, width, opacity, attributes = {}) {
    return this.put(parent, key, "path", { d, fill: "none", style: `stroke:${colour}`,
      "stroke-width": Math.round(width * 100) / 100,
      "stroke-opacity": Math.round(opacity * 100) / 100, "pointer-events": "none",
      ...attributes });
  }

  text(parent, key, x, y, text, /** @type {Record<string, any>} */ options = {}) {
    const { size = 13, at = "start", bold, colour, a = 1, ...more } = options;
    return this.put(parent, key, "text", { x: toTenth(x), y: toTenth(y), "text-anchor": at,
      "font-size": toTenth(Math.max(size, this.smallest)),
      "font-weight": bold ? 650 : null, style: colour ? `fill:${colour}` : null,
      opacity: a >= 0.995 ? null : Math.round(a * 100) / 100,
      "pointer-events": more.class ? null : "none", ...more }, text);
  }
}

/** Return a path that runs right, bends, and runs up or down. */
export function hook(x1, y1, x2, y2, radius = 14) {
  const r = Math.min(radius, Math.abs(x2 - x1), Math.abs(y2 - y1));
  const sign = y2 < y1 ? -1 : 1;
  return path`M${x1} ${y1}H${x2 - r}Q${x2} ${y1} ${x2} ${y1 + sign * r}V${y2}`;
}

/** Return a curve with horizontal ends; `curveOn` continues a path instead. */
export const curve = (x1, y1, x2, y2) =>
  path`M${x1} ${y1}${curveOn(x1, y1, x2, y2)}`;

export function curveOn(x1, y1, x2, y2) {
  const bend = toTenth((x1 + x2) / 2);
  return path`C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`;
}

export const middle = (box) => box.y + box.h / 2;

/** Return how many decimals show every number of a matrix exactly, from 1 to `most`. */
export function decimalsOf(matrix, most) {
  for (let k = 1; k < most; k++) {
    const scale = 10 ** k;
    const isExact = (x) =>
      !Number.isFinite(x) || Math.abs(x * scale - Math.round(x * scale)) < 1e-7;
    if (matrix.every((row) => row.every(isExact))) return k;
  }
  return most;
}

export const written = (value, decimals) =>
  fixed(Math.abs(value) < 1e-12 ? 0 : value, decimals);
