// Tiles of attention in one pass, and the outputs.

import { card } from "./card/card.js";
import { bars, facts } from "./card/drawings.js";
import { html, setAttribute, svg } from "./card/elements.js";
import { grouped } from "./card/numbers.js";

const COUNTS = [["computed", "Tiles computed"], ["skipped", "Tiles skipped"], ["scores", "Scores computed"], ["held", "Scores in memory at once"], ["kept", "Numbers kept for the queries"]];
const GAP = 0.08; // gap between two tiles; one word is 1 wide

/** Return every tile: its corner, size and kind ("full", "cut" by the mask, or "skipped"). */
function tilesOf(words, block, causal) {
  const firsts = Array.from({ length: Math.ceil(words / block) }, (_, i) => i * block);
  return firsts.flatMap((row) => firsts.map((column) => {
    const [high, wide] = [row, column].map((first) => Math.min(block, words - first));
    const isLater = causal && column > row + high - 1;
    const isCut = causal && column + wide - 1 > row;
    return { row, column, high, wide, kind: isLater ? "skipped" : isCut ? "cut" : "full" };
  }));
}

/** Return the outputs, computed tile by tile: each query keeps a maximum, a sum and an output. */
export function onePass(logits, values, block, causal) {
  const kept = logits.map(() => ({ top: -Infinity, sum: 0, output: 0 }));
  for (const { row, column, high, wide, kind } of tilesOf(logits.length, block, causal)) {
    if (kind === "skipped") continue;
    for (let i = row; i < row + high; i++) {
      const seen = causal ? Math.min(wide, i + 1 - column) : wide;
      const tile = logits[i].slice(column, column + Math.max(seen, 0));
      const query = kept[i];
      const top = Math.max(query.top, ...tile);
      const factor = query.sum && Math.exp(query.top - top); // the kept sums are relative to the old maximum
      const powers = tile.map((logit) => Math.exp(logit - top));
      query.sum = query.sum * factor + powers.reduce((sum, power) => sum + power, 0);
      query.output = query.output * factor + powers.reduce((sum, power, j) => sum + power * values[column + j], 0);
      query.top = top;
    }
  }
  return kept.map(({ output, sum }) => output / sum);
}

/** Build the map of the tiles, with a row for each block of queries. */
function tileMap(words) {
  const drawn = Array.from({ length: words ** 2 }, () => svg("rect", {}));
  const node = svg("svg", { class: "abh-tile-map", viewBox: `0 0 ${words} ${words}`, role: "img", "aria-label": "Blocks of queries from top to bottom, blocks of keys from left to right" }, ...drawn);
  const show = (tiles) => drawn.forEach((rect, i) => {
    const { row, column, high, wide, kind } = tiles[i] ?? { row: 0, column: 0, high: GAP, wide: GAP, kind: "none" };
    const box = { x: column, y: row, width: wide - GAP, height: high - GAP };
    for (const [name, value] of Object.entries(box)) setAttribute(rect, name, value.toFixed(2));
    setAttribute(rect, "class", `abh-tile-${kind}`);
  });
  return { node, show };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const [logits, values] = [model.get("logits"), model.get("values")];
  const map = tileMap(values.length);
  const counts = facts(COUNTS);
  const row = bars({ key: "output", name: "Outputs, tile by tile", labels: values.map((_, i) => `word ${i + 1}`) });
  view.drawing.append(html("div", { class: "abh-columns", style: "--abh-least: 15.25rem" },
    html("div", {}, html("p", { class: "abh-caption" }, "Queries down, keys across"), map.node, counts.node), row.node));
  view.watch(["block", "causal"], () => {
    const [block, causal] = [model.get("block"), model.get("causal")];
    const tiles = tilesOf(values.length, block, causal);
    const skipped = tiles.filter(({ kind }) => kind === "skipped").length;
    const computed = tiles.length - skipped;
    const scores = tiles.reduce((sum, { high, wide, kind }) => sum + (kind === "skipped" ? 0 : high * wide), 0);
    const found = { computed, skipped, scores, held: block ** 2, kept: 3 * block };
    map.show(tiles);
    for (const [name, count] of Object.entries(found)) counts.update(name, count, grouped(count));
    row.update(onePass(logits, values, block, causal));
    view.say(tiles.length === 1 ? "whole" : causal ? "skips" : "all", { ...found, tiles: tiles.length });
  });
}

export default { render };
