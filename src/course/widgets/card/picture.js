// A head's weights as a small picture.

import { setPoints } from "./drawings.js";
import { svg } from "./elements.js";

const LEVELS = 8; // of a weight in the small pictures

/**
 * The weights of a head as a small picture: a polygon for each level, since many small
 * rectangles would take longer than the whole translation. What is not written yet lies
 * outside the view.
 */
export function pictureOf() {
  const shades = Array.from({ length: LEVELS }, (_, k) => svg("polygon", { "fill-opacity": (k + 0.5) / LEVELS, points: "" }));
  const node = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, ...shades);
  const draw = (values) => {
    const points = shades.map(() => "");
    values.forEach((row, y) => row.forEach((weight, x) => {
      if (weight * LEVELS < 0.25) return;
      const corners = `${x},${y} ${x + 1},${y} ${x + 1},${y + 1} ${x},${y + 1} ${x},${y}`;
      points[Math.min(Math.floor(weight * LEVELS), LEVELS - 1)] += `0,0 ${corners} 0,0 `;
    }));
    shades.forEach((shade, k) => setPoints(shade, points[k]));
  };
  let box = "";
  const view = (width, height) => {
    const wanted = `0 0 ${width} ${height}`;
    if (box !== wanted) node.setAttribute("viewBox", wanted);
    box = wanted;
  };
  return { node, draw, view };
}
