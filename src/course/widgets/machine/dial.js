// The dial between scores and weights: the divisor sqrt(d_k) / beta.

import { divisorOf } from "./arithmetic.js";
import { toTenth, path } from "./pen.js";
import { clamp, fixed } from "../card/numbers.js";

const LEAST = 1 / 16;
const MOST = 16;
const DEGREES = 30; // turn of the needle when beta doubles

/** Return beta after the dial turns by `degrees`; a beta close to 1 becomes 1. */
export function turned(beta, degrees) {
  const power = clamp(Math.log2(beta) + degrees / DEGREES, Math.log2(LEAST), Math.log2(MOST));
  return Math.abs(power) < 0.08 ? 1 : Math.round(2 ** power * 1e4) / 1e4;
}

const pointAt = (centre, radius, degrees) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  return path`${centre.x + x * radius} ${centre.y + y * radius}`;
};

export function drawDial({ pen, state }, layer, key, place, shown) {
  const { x, y, r } = place;
  const divisor = divisorOf(state);
  const needle = Math.log2(state.beta) * DEGREES;
  pen.put(layer, `${key} face`, "circle", { cx: toTenth(x), cy: toTenth(y), r: toTenth(r),
    style: "fill:var(--abh-paper);stroke:var(--abh-line)", class: "abh-ma-dial",
    "data-act": "dial", role: "slider", tabindex: shown > 0.5 ? 0 : null,
    // Keys up and right increase a slider's value, so the value is the sharpness.
    "aria-label": "Sharpness", "aria-valuenow": state.beta,
    "aria-valuemin": LEAST, "aria-valuemax": MOST,
    "aria-valuetext": `${fixed(state.beta, 2)}, scores divided by ${fixed(divisor, 2)}` });
  const quiet = { "pointer-events": "none", fill: "none" };
  const [from, to] = [-120, 120].map((degrees) => pointAt(place, r - 1, degrees));
  const arc = path`M${from}A${r - 1} ${r - 1} 0 1 1 ${to}`;
  pen.put(layer, `${key} arc`, "path", { d: arc, ...quiet,
    style: "stroke:var(--abh-muted)", "stroke-width": 2.5, opacity: 0.55 });
  const mark = path`M${x} ${y - r - 4}V${y - r + 5}`;
  pen.put(layer, `${key} mark`, "path", { d: mark, ...quiet,
    style: "stroke:var(--abh-ink)", "stroke-width": 2 });
  const hand = `M${pointAt(place, r * 0.42, needle)}L${pointAt(place, r - 5, needle)}`;
  pen.put(layer, `${key} hand`, "path", { d: hand, ...quiet,
    style: "stroke:var(--abh-ink)", "stroke-width": 3, "stroke-linecap": "round" });
  const colour = state.beta === 1 ? "var(--abh-muted)" : "var(--abh-ink)";
  pen.text(layer, `${key} root`, x, y - r - 8, "√d_k", { size: 13, at: "middle",
    colour: "var(--abh-muted)", a: shown });
  pen.text(layer, `${key} by`, x, y + r + (r > 25 ? 19 : 15),
    `÷ ${fixed(divisor, 2)}`, { size: r > 25 ? 15 : 13, bold: true, at: "middle",
      colour, a: shown, "data-name": "divisor", "data-value": divisor });
}
