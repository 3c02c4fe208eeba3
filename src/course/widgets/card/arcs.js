// Words in rows, and arcs between them: who looks at whom, the thicker the more.

import { html, setAttribute, setText, svg } from "./elements.js";

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

/** Let the keyboard scroll a box that is wider than its place (WCAG 2.1.1). */
function reachable(box, isWide) {
  const names = { tabindex: "0", role: "group", "aria-label": "Words, scroll sideways" };
  for (const [name, text] of Object.entries(names)) {
    if (isWide) setAttribute(box, name, text);
    else box.removeAttribute(name);
  }
}

/**
 * Two rows of words with a gap between them; where they are too long, all scrolls sideways.
 *
 * upper, lower: what the rows are called, the second "" where there is none; words: for each row its nodes, in order
 * signal: ends it
 * Returns { node, fill(row, nodes), write(row, words, roles), draw(arcs) }: row is "upper" or
 * "lower", `write` fills it with texts, each in the colour of its role or in none; an arc is
 * { from: [row, i], to: [row, j], weight, role }.
 */
export function arcsBetween(upper, lower, signal) {
  const rows = Object.fromEntries([["upper", upper], ["lower", lower]].map(([row, name]) =>
    [row, html("div", { class: "abh-arc-row", role: "group", "aria-label": name })]));
  const drawn = svg("svg", { class: "abh-arcs", "aria-hidden": "true", height: GAP });
  const node = html("div", { class: "abh-arc-words", style: `--abh-arc-rows: ${lower ? 2 : 1}` }, html("div", { class: "abh-arc-inner" }, rows.upper, drawn, rows.lower));
  /** @type {SVGElement[]} */
  const paths = [];
  /** @type {{ from: [string, number], to: [string, number], weight: number, role: string }[]} */
  let arcs = [];
  /** @type {Record<string, number[]> | null} */
  let middles = null; // of the words, until one has another size: to measure them lays out the page
  const measured = () => {
    const { left, width } = drawn.getBoundingClientRect();
    const zoom = width / drawn.clientWidth || 1; // a card on the whole screen is larger, arcs with it
    return Object.fromEntries(Object.entries(rows).map(([row, { children }]) => [row, [...children].map((word) => {
      const box = word.getBoundingClientRect();
      return (box.left + box.width / 2 - left) / zoom;
    })]));
  };
  /** @type {(place: [string, number]) => [number, number]} */
  const end = ([row, i]) => [Number(middles?.[row][i]?.toFixed(1) ?? 0), row === "upper" ? 0 : GAP];
  const place = () => {
    middles ??= measured();
    const shown = arcs.filter(({ weight }) => weight > FAINTEST);
    while (paths.length < shown.length) paths.push(drawn.appendChild(svg("path", { fill: "none" })));
    while (paths.length > shown.length) paths.pop()?.remove();
    paths.forEach((path, k) => {
      const { from, to, weight, role } = shown[k];
      setAttribute(path, "d", way(end(from), end(to), GAP));
      setAttribute(path, "stroke-width", (THICKEST * weight).toFixed(2));
      setAttribute(path, "stroke", `var(--abh-${role})`);
    });
  };
  const draw = (wanted) => {
    arcs = wanted;
    place();
  };
  const sizes = new ResizeObserver(() => {
    middles = null;
    place();
    reachable(node, node.scrollWidth > node.clientWidth);
  });
  sizes.observe(node);
  signal.addEventListener("abort", () => sizes.disconnect());
  let fitted = 0; // letters that there is room for
  const told = { upper: "", lower: "" }; // the texts of the words
  const fill = (row, nodes) => {
    const { children } = rows[row];
    while (children.length > nodes.length) rows[row].lastChild.remove();
    nodes.forEach((node, i) => {
      node.classList.add("abh-underlined");
      if (children[i] === node) return; // a word that stays is not laid out anew
      if (children[i]) children[i].replaceWith(node);
      else rows[row].append(node);
      sizes.observe(node);
    });
    const texts = nodes.map(({ textContent }) => textContent).join("\n");
    if (texts === told[row]) return;
    told[row] = texts;
    if (nodes.length !== middles?.[row].length) middles = null;
    const letters = Math.max(...Object.values(rows).map(({ children }) =>
      [...children].reduce((sum, { textContent }) => sum + textContent.length + 1.4, 0)));
    if (letters !== fitted) node.style.setProperty("--abh-letters", letters);
    fitted = letters;
  };
  const write = (row, words, roles) => fill(row, words.map((word, i) => {
    const node = rows[row].children[i] ?? html("span", {}, word);
    setText(node, word);
    setAttribute(node, "style", roles[i] ? `color: var(--abh-${roles[i]}); font-weight: 600` : "");
    return node;
  }));
  return { node, fill, write, draw };
}
