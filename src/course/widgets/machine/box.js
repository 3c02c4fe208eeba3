// Draws the machine as one box of the transformer, beside the residual stream.

import { toTenth, path } from "./pen.js";
import { drawWhole } from "./whole.js";

/** Draw the box with the whole machine in it; return the height. */
export function drawBox(frame, { whole, top }, width) {
  const { pen, plan, state } = frame;
  const phone = plan.isPhone;
  const scale = (phone ? 0.5 : 0.54) * plan.scale;
  const [w, h] = [plan.W * scale + 36, plan.H * scale + 56];
  const [x, y] = [(width - w) / 2, phone ? 74 : 66];
  drawWhole({ ...frame, zoom: 1 }, whole);
  const m = pen.ease("map", { scale, x: x + 18, y: y + 40, shown: 0 });
  whole.setAttribute("transform",
    path`translate(${m.x} ${m.y}) scale(${m.scale.toFixed(4)})`);
  const line = y - 34;
  const [left, right] = [phone ? 14 : 70, width - (phone ? 14 : 70)];
  const plus = Math.min(right - 60, x + w + (phone ? -8 : 60));
  const branch = Math.max(left + 20, x - (phone ? -10 : 60));
  const ink = "var(--abh-ink)";
  pen.line(top, "stream", `M${left} ${line}H${right}m-10 -6l10 6l-10 6`, ink, 4, 0.75);
  const into = phone ? `M${branch} ${line}V${y}`
    : `M${branch} ${line}V${y + h / 2}H${x}m-9 -5l9 5l-9 5`;
  const out = phone ? `M${plus} ${y}V${line + 14}`
    : path`M${x + w} ${y + h / 2}H${plus}V${line + 14}m-5 9l5 -9l5 9`;
  pen.line(top, "into", into, ink, 2.5, 0.6);
  pen.line(top, "out", out, "var(--abh-output)", 3, 0.8);
  pen.put(top, "add circle", "circle", { cx: toTenth(plus), cy: line, r: 13,
    style: `fill:var(--abh-paper);stroke:${ink}`, "stroke-width": 2 });
  pen.line(top, "add sign",
    path`M${plus - 7} ${line}H${plus + 7}M${plus} ${line - 7}V${line + 7}`,
    ink, 2, 1);
  const stream = "residual stream" + (phone ? "" : ": one row of numbers for each word");
  pen.text(top, "stream name", left, line - 14, stream, { size: 14,
    colour: "var(--abh-muted)" });
  pen.rect(top, "box", { x, y, w, h }, { rx: 14, fill: "transparent",
    style: "stroke:var(--abh-ink)", "stroke-width": 2, class: "abh-ma-tap",
    "data-act": "enter", role: "button", tabindex: 0,
    "aria-label": "Enter: multi-head attention" });
  const heads = state.W_Q.length;
  const boxName = heads < 2 ? "Attention: one head"
    : `${phone ? "" : "Multi-head attention: "}${heads} heads`;
  pen.text(top, "box name", x + 18, y + 25, boxName, { size: 16, bold: true });
  return y + h + 14;
}
