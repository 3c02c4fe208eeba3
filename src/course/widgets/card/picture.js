// A head's weights as a small picture.

import { setPoints } from "./drawings.js";
import { setAttribute, svg } from "./elements.js";

const LEVELS = 8; // number of shades for a weight

/** Return the level of a weight; -1 if the weight is too small to be seen. */
const levelOf = (weight) => (weight * LEVELS < 0.25 ? -1 : Math.min(Math.floor(weight * LEVELS), LEVELS - 1));

/**
 * Build a small picture of a head's weights. For speed it has one polygon per level, not a
 * rectangle per weight, and neighbours of equal level in a row are one piece of the polygon.
 * Returns { node, draw(weights), view(width, height) }: `view` sets how many columns and rows are
 * visible.
 */
export function pictureOf() {
  const shades = Array.from({ length: LEVELS }, (_, k) => svg("polygon", { "fill-opacity": (k + 0.5) / LEVELS, points: "" }));
  const node = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, ...shades);
  const draw = (weights) => {
    const points = shades.map(() => "");
    weights.forEach((row, y) => {
      for (let x = 0, end = 0; x < row.length; x = end) {
        const level = levelOf(row[x]);
        for (end = x + 1; end < row.length && levelOf(row[end]) === level; end++);
        if (level >= 0) points[level] += ` ${x},${y} ${end},${y} ${end},${y + 1} ${x},${y + 1} ${x},${y} 0,0`;
      }
    });
    shades.forEach((shade, k) => setPoints(shade, points[k] && `0,0${points[k]}`));
  };
  const view = (width, height) => setAttribute(node, "viewBox", `0 0 ${width} ${height}`);
  return { node, draw, view };
}
