// What views draw with: numbers in boxes, colours, bars and lists of facts.

import { html, setText, svg, uid } from "./elements.js";
import { clamp, fixed } from "./numbers.js";

/** Build a box for one number. Its size is fixed, so a new number moves nothing else. */
export function number(props) {
  return html("span", { class: "abh-number", ...props }, "\u00a0");
}

/** Wrap a number for a grid or a flexbox: else each change makes the browser lay out all items. */
export const held = (shown, props = {}) => html("span", props, shown);

/** Reserve room for `characters` characters in `node`. The room shrinks only if `mayShrink`. */
export function roomFor(node, characters, mayShrink = false) {
  const room = node.abhRoom ?? 0;
  if (characters === room || (!mayShrink && characters < room)) return;
  node.abhRoom = characters;
  node.style.setProperty("--abh-characters", characters);
}

/**
 * Colour the box around a number, unless it has that colour already. To colour the cell
 * itself would make the browser lay out its whole table anew.
 */
export function tint(shown, colour) {
  if (shown.abhColour === colour) return;
  shown.abhColour = colour;
  shown.style.backgroundColor = colour;
}

/** Fill a bar to a share from 0 to 1, if the share differs. */
export function setShare(bar, share) {
  const wanted = `scaleX(${clamp(share, 0, 1).toFixed(5)})`;
  if (bar.abhShare === wanted) return;
  bar.abhShare = wanted;
  bar.style.transform = wanted;
}

/**
 * Set the corners of a polygon or a line, if they differ. Unlike the `d` of a path,
 * `points` is no style property, so the browser computes no styles.
 */
export function setPoints(shape, points) {
  if (shape.abhPoints === points) return;
  shape.abhPoints = points;
  shape.setAttribute("points", points);
}

/** Show a number as `text` and keep it unrounded in `data-value`, if the number differs. */
export function setValue(node, value, text) {
  if (node.abhValue === value) return;
  node.abhValue = value;
  node.setAttribute("data-value", value);
  setText(node, text);
}

/** Return the corners of one polygon with a bar from 0 to each number, in lines of height 1. */
export const barCorners = (numbers, gap) => numbers.map((x, i) => {
  const [end, top, bottom] = [x.toFixed(5), i + gap, (i + 1 - gap).toFixed(2)];
  return `0,${top} ${end},${top} ${end},${bottom} 0,${bottom}`;
}).join(" ");

/**
 * Build a row of weights as bars with their numbers, one line for each weight.
 *
 * For speed, few elements change: all bars are one polygon, which returns to the left edge after
 * each bar, and the rows of the table have no box. `key` is the name of the numbers in Python.
 * Returns { node, update(weights) }.
 */
export function bars({ key, name, labels, digits = 3, role = "output" }) {
  const polygon = svg("polygon", {});
  const drawn = svg("svg", { viewBox: `0 0 1 ${labels.length}`, preserveAspectRatio: "none", "aria-hidden": "true" }, polygon);
  const numbers = labels.map(() => number({ role: "cell" }));
  const lines = labels.map((text, i) => html("div", { role: "row" }, html("span", { role: "rowheader" }, text), numbers[i]));
  const longest = Math.max(...labels.map((text) => text.length));
  const style = `--abh-bar: var(--abh-${role}); --abh-characters: ${digits + 1.6}; --abh-label-characters: ${longest}`;
  const title = html("p", { id: uid("bars"), class: "abh-caption" }, name);
  const node = html("div", { class: "abh-bars", style, "data-name": key }, title,
    html("div", { role: "table", "aria-labelledby": title.id }, ...lines, drawn));
  const update = (weights) => {
    weights.forEach((weight, i) => setValue(numbers[i], weight, fixed(weight, digits)));
    setPoints(polygon, barCorners(weights, 0.14));
  };
  return { node, update };
}

/**
 * Build a list of named numbers: facts([["entropy", "Entropy"], ...]).
 *
 * Returns { node, update(key, value, text) }.
 */
export function facts(entries) {
  const values = new Map(entries.map(([key]) => [key, number({ "data-name": key })]));
  const node = html("dl", { class: "abh-facts", style: "--abh-characters: 6" },
    ...entries.map(([key, ...term]) => html("div", { class: "abh-apart" }, html("dt", {}, ...term), html("dd", {}, values.get(key)))));
  return { node, update: (key, value, text) => setValue(values.get(key), value, text) };
}
