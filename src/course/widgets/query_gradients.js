// The gradient that reaches a query: median and middle 80 % at each width. All numbers of
// keys share one scale.

import { card } from "./card/card.js";
import { setPoints } from "./card/drawings.js";
import { html, svg } from "./card/elements.js";

const SIDES = [["undivided", "not divided"], ["divided", "divided by √dₖ"]];
const ASIDE = [-2.5, 2.5]; // offset of each side's marks from the middle of a width, in percent
const POWERS = 3; // powers of ten from one tick to the next

const superscript = (power) => String(power).replace("-", "⁻").replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

/** Return the vertical scale: it ends at whole powers of ten around all measured values. */
function scaleOf(found) {
  const all = found.flatMap((each) => SIDES.flatMap(([side]) => each[side].flat()));
  const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const percent = (value) => (100 * (high - Math.log10(value))) / (high - low);
  const ticks = [];
  for (let power = high; power >= low; power -= 1) if (power % POWERS === 0) ticks.push(power);
  return { percent, ticks };
}

function plotOf(widths, found) {
  const { percent, ticks } = scaleOf(found);
  const middle = (i) => (100 * (i + 0.5)) / widths.length;
  const marks = SIDES.map(([side], s) => ({
    side,
    at: (i) => (middle(i) + ASIDE[s]).toFixed(2),
    line: svg("polyline", { class: `abh-reach-line abh-reach-${side}` }),
    each: widths.map(() => ["bar", "dot"].map((part) => svg("polyline", { class: `abh-reach-${part} abh-reach-${side}` }))),
  }));
  const plot = svg("svg", { class: "abh-reach-plot", role: "img", "aria-label": "Gradient that reaches a query against the width of a key, with the division and without it" },
    ...ticks.flatMap((power) => [
      svg("line", { class: "abh-reach-grid", x1: 0, x2: "100%", y1: `${percent(10 ** power)}%`, y2: `${percent(10 ** power)}%` }),
      svg("text", { class: "abh-reach-tick", x: 0, y: `${percent(10 ** power)}%`, dx: -6, dy: "0.35em", "text-anchor": "end" }, power ? `10${superscript(power)}` : "1"),
    ]),
    ...widths.map((width, i) => svg("text", { class: "abh-reach-tick", x: `${middle(i)}%`, y: "100%", dy: "1.4em", "text-anchor": "middle" }, String(width))),
    svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", width: "100%", height: "100%" },
      ...marks.flatMap(({ line, each }) => [line, ...each.flat()])));
  const show = (measured) => {
    for (const { side, at, line, each } of marks) {
      const rows = measured[side].map((row) => row.map((value) => percent(value).toFixed(2)));
      setPoints(line, rows.map(([, median], i) => `${at(i)},${median}`).join(" "));
      rows.forEach(([low, median, high], i) => {
        const [bar, dot] = each[i];
        setPoints(bar, `${at(i)},${low} ${at(i)},${high}`);
        setPoints(dot, `${at(i)},${median} ${at(i)},${median}`);
      });
    }
  };
  return { plot, show };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const [widths, found] = [model.get("widths"), model.get("found")];
  const { plot, show } = plotOf(widths, found);
  const names = SIDES.map(([side, name]) => html("span", { class: `abh-reach-key abh-reach-${side}` }, name));
  view.drawing.append(html("p", { class: "abh-axis-name" }, "Gradient that reaches a query, ", ...names), plot,
    html("p", { class: "abh-axis-name abh-reach-x" }, "width of a key"));
  view.watch(["count"], () => {
    const measured = found[model.get("count")];
    show(measured);
    const isLarger = widths.map((_, i) => measured.undivided[i][1] > measured.divided[i][1]);
    const [larger, smaller] = [true, false].map((side) => widths.filter((_, i) => isLarger[i] === side));
    const key = !smaller.length ? "larger" : larger.length ? "both" : "smaller";
    view.say(key, { m: measured.keys, larger, smaller, starved: 100 * measured.starved, widest: widths[widths.length - 1] });
  });
}

export default { render };
