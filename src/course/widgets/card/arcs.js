// One or two rows of words, with an arc for each weight: a thicker arc is a larger weight.

import { html, setAttribute, setText, svg } from "./elements.js";

const GAP = 40; // pixels between the rows
const THICKEST = 9; // width of an arc of weight 1, in pixels
const SMALLEST = 0.02; // only arcs of larger weights are drawn
const SPACE = 1.4; // room between two words, in letters

/**
 * The path of an arc in the gap between the rows: y is 0 at the upper row, `height` at the lower.
 *
 * @type {(from: [number, number], to: [number, number], height: number) => string}
 */
const arcPath = ([x, y], [toX, toY], height) => {
  const bend = y === toY ? Math.abs(y - 0.85 * height) : height / 2; // an arc within a row bends back
  const side = x === toX ? 0.35 * height : 0; // without it, an arc to a word at the same x would be a straight line
  return `M${x - side / 2} ${y}C${x - side} ${bend} ${toX + side} ${bend} ${toX + side / 2} ${toY}`;
};

/** Let the keyboard scroll a box whose content is wider than the box (WCAG 2.1.1). */
function letKeysScroll(box, isWide) {
  const names = { tabindex: "0", role: "group", "aria-label": "Words, scroll sideways" };
  for (const [name, text] of Object.entries(names)) {
    if (isWide) setAttribute(box, name, text);
    else box.removeAttribute(name);
  }
}

/**
 * Build the rows with a gap between them. If a row is too long, both rows scroll sideways.
 *
 * upper, lower: the names of the rows for a screen reader; lower is "" for a single row
 * signal: stops the observer of sizes
 * Returns { node, fill(row, nodes), write(row, words, roles), draw(arcs) }, where row is "upper"
 * or "lower". `fill` puts nodes into a row. `write` puts texts into a row; roles[i], if given, sets
 * the colour of word i. `draw` draws arcs { from: [row, i], to: [row, j], weight, role }.
 */
export function arcsBetween(upper, lower, signal) {
  const rows = Object.fromEntries(Object.entries({ upper, lower }).map(([row, name]) =>
    [row, html("div", { class: "abh-apart abh-arc-row", role: "group", "aria-label": name })]));
  const drawn = svg("svg", { class: "abh-arcs", "stroke-opacity": 0.75, "aria-hidden": "true", height: GAP });
  const node = html("div", { class: "abh-arc-words", style: `--abh-arc-rows: ${lower ? 2 : 1}` }, html("div", { class: "abh-arc-inner" }, rows.upper, drawn, rows.lower));
  /** @type {SVGElement[]} */
  const paths = [];
  /** @type {{ from: [string, number], to: [string, number], weight: number, role: string }[]} */
  let arcs = [];
  /** @type {Record<string, number[]> | null} */
  let middles = null; // x of each word's middle; kept until a size changes, because measuring is slow
  const measured = () => {
    const { left, width } = drawn.getBoundingClientRect();
    const zoom = width / drawn.clientWidth || 1; // a card in full screen is enlarged, but coordinates in the drawing are not
    return Object.fromEntries(Object.entries(rows).map(([row, { children }]) => [row, [...children].map((word) => {
      const box = word.getBoundingClientRect();
      return (box.left + box.width / 2 - left) / zoom;
    })]));
  };
  /** @type {(place: [string, number]) => [number, number]} */
  const endPoint = ([row, i]) => [Number(middles?.[row][i]?.toFixed(1) ?? 0), row === "upper" ? 0 : GAP];
  const redraw = () => {
    middles ??= measured();
    const shown = arcs.filter(({ weight }) => weight > SMALLEST);
    while (paths.length < shown.length) paths.push(drawn.appendChild(svg("path", { fill: "none" })));
    while (paths.length > shown.length) paths.pop()?.remove();
    paths.forEach((path, k) => {
      const { from, to, weight, role } = shown[k];
      setAttribute(path, "d", arcPath(endPoint(from), endPoint(to), GAP));
      setAttribute(path, "stroke-width", (THICKEST * weight).toFixed(2));
      setAttribute(path, "stroke", `var(--abh-${role})`);
    });
  };
  const draw = (wanted) => {
    arcs = wanted;
    redraw();
  };
  const sizes = new ResizeObserver(() => {
    middles = null;
    redraw();
    letKeysScroll(node, node.scrollWidth > node.clientWidth);
  });
  sizes.observe(node);
  signal.addEventListener("abort", () => sizes.disconnect());
  let roomFor = 0; // the number of letters in --abh-letters
  const written = { upper: "", lower: "" }; // the texts of the words, joined
  const fill = (row, nodes) => {
    const { children } = rows[row];
    while (children.length > nodes.length) rows[row].lastChild.remove();
    nodes.forEach((node, i) => {
      node.classList.add("abh-underlined");
      if (children[i] === node) return; // the browser need not lay out a word that stays
      if (children[i]) children[i].replaceWith(node);
      else rows[row].append(node);
      sizes.observe(node);
    });
    const texts = nodes.map(({ textContent }) => textContent).join("\n");
    if (texts === written[row]) return;
    written[row] = texts;
    if (nodes.length !== middles?.[row].length) middles = null;
    const letters = Math.max(...Object.values(rows).map(({ children }) =>
      [...children].reduce((sum, { textContent }) => sum + textContent.length + SPACE, 0)));
    if (letters !== roomFor) node.style.setProperty("--abh-letters", letters);
    roomFor = letters;
  };
  const write = (row, words, roles) => fill(row, words.map((word, i) => {
    const node = rows[row].children[i] ?? html("span", {}, word);
    setText(node, word);
    setAttribute(node, "style", roles[i] ? `color: var(--abh-${roles[i]}); font-weight: 600` : "");
    return node;
  }));
  return { node, fill, write, draw };
}
