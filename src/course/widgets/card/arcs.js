// Words in rows, and arcs between them: who looks at whom, the thicker the more.

import { followSize, html, svg } from "./elements.js";

const [GAP, THICKEST, FAINTEST] = [40, 9, 0.02]; // height between rows and thickest arc in pixels; weights

/**
 * From one word to another, in a gap of some height; a word above has y 0.
 *
 * @type {(from: [number, number], to: [number, number], height: number) => string}
 */
const way = ([x, y], [to, end], height) => {
  const bend = y === end ? Math.abs(y - 0.85 * height) : height / 2; // back to its own row
  const side = x === to ? 0.35 * height : 0;
  return `M${x - side / 2} ${y}C${x - side} ${bend} ${to + side} ${bend} ${to + side / 2} ${end}`;
};

/**
 * Two rows of words with a gap between them; where they are too long, all scrolls sideways.
 *
 * upper, lower: what the rows are called; words: for each row its nodes, in order
 * signal: ends it
 * Returns { node, fill(row, nodes), draw(arcs) }: row is "upper" or "lower", an arc
 * { from: [row, i], to: [row, j], weight, role }, its role a colour.
 */
export function arcsBetween(upper, lower, signal) {
  const rows = Object.fromEntries([["upper", upper], ["lower", lower]].map(([row, name]) =>
    [row, html("div", { class: "abh-arc-row", role: "group", "aria-label": name })]));
  const drawn = svg("svg", { class: "abh-arcs", "aria-hidden": "true", height: GAP });
  const node = html("div", { class: "abh-arc-words" }, html("div", { class: "abh-arc-inner" }, rows.upper, drawn, rows.lower));
  /** @type {SVGElement[]} */
  const paths = [];
  /** @type {{ from: [string, number], to: [string, number], weight: number, role: string }[]} */
  let arcs = [];
  const place = () => {
    const left = drawn.getBoundingClientRect().left;
    const middles = Object.fromEntries(Object.entries(rows).map(([row, { children }]) => [row, [...children].map((word) => {
      const box = word.getBoundingClientRect();
      return box.left + box.width / 2 - left;
    })]));
    /** @type {(place: [string, number]) => [number, number]} */
    const end = ([row, i]) => [Number(middles[row][i]?.toFixed(1) ?? 0), row === "upper" ? 0 : GAP];
    const shown = arcs.filter(({ weight }) => weight > FAINTEST);
    while (paths.length < shown.length) paths.push(drawn.appendChild(svg("path", { fill: "none" })));
    while (paths.length > shown.length) paths.pop()?.remove();
    paths.forEach((path, k) => {
      const { from, to, weight, role } = shown[k];
      path.setAttribute("d", way(end(from), end(to), GAP));
      path.setAttribute("stroke-width", (THICKEST * weight).toFixed(2));
      path.setAttribute("stroke", `var(--abh-${role})`);
    });
  };
  const draw = (wanted) => {
    arcs = wanted;
    place();
  };
  followSize(node, signal, place);
  let fitted = 0; // letters that there is room for
  const fill = (row, nodes) => {
    const { children } = rows[row];
    while (children.length > nodes.length) rows[row].lastChild.remove();
    nodes.forEach((node, i) => {
      node.classList.add("abh-underlined");
      if (!children[i]) rows[row].append(node);
      else if (children[i] !== node) children[i].replaceWith(node); // a word that stays is not laid out anew
    });
    const letters = Math.max(...Object.values(rows).map(({ children }) =>
      [...children].reduce((sum, { textContent }) => sum + textContent.length + 1.4, 0)));
    if (letters !== fitted) node.style.setProperty("--abh-letters", letters);
    fitted = letters;
  };
  return { node, fill, draw };
}
