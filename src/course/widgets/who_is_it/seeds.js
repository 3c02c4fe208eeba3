// All trainings in one plot: a line for each kind, a dot for each seed.

import { html, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";

const WRONG = 0.99; // below this share of right answers a dot is hollow

/**
 * The plot.
 *
 * runs: [{ loss, layers, seed, mass, right, which }], `which` of the stored ones of its loss it
 * is, or -1
 * Returns { node, runOf(loss, which), mark(run) }.
 */
export function seedPlot(runs, { losses, depths }) {
  const dots = new Map();
  const kinds = losses.flatMap((_, loss) => depths.map((_, layers) => ({ loss, layers })));
  /** @type {string[]} */
  const spoken = [];
  const rows = kinds.map(({ loss, layers }) => {
    const own = runs.filter((run) => run.loss === loss && run.layers === layers);
    const name = `${losses[loss]}, ${depths[layers]}`;
    const ends = [Math.min, Math.max].map((end) => fixed(end(...own.map(({ mass }) => mass))));
    spoken.push(`${name}: ${own.length} seeds, ${ends.join(" to ")}`);
    const track = html("span", { class: "abh-who-track" }, ...own.map((run) => {
      const dot = html("span", { class: `abh-who-dot${run.right < WRONG ? " abh-who-hollow" : ""}`, style: `left: ${(100 * run.mass).toFixed(2)}%` });
      dots.set(run, dot);
      return dot;
    }));
    return html("div", { class: "abh-who-kind" }, html("span", {}, name), track);
  });
  const ticks = [0, 0.5, 1].map((tick) => html("span", { style: `left: ${100 * tick}%` }, String(tick)));
  const seed = html("span", { class: "abh-boxed" }, " ");
  const told = html("p", { class: "abh-note" }, seed,
    "A dot is a training. It stands at what “it” gives its noun in the last layer, in the mean. Hollow: over 1 answer in 100 is wrong.");
  const node = html("div", { class: "abh-who-seeds" },
    html("div", { role: "img", "aria-label": `What “it” gives the noun that it stands for. ${spoken.join("; ")}` },
      ...rows, html("div", { class: "abh-who-kind abh-who-ticks", "aria-hidden": "true" }, html("span"), html("span", { class: "abh-who-track" }, ...ticks))), told);
  const runOf = (loss, which) => runs.find((run) => run.loss === loss && run.which === which);
  let marked = null;
  const mark = (run) => {
    if (marked === run) return;
    if (marked) dots.get(marked).classList.remove("abh-who-now");
    dots.get(run).classList.add("abh-who-now");
    marked = run;
    setText(seed, `Ringed: seed ${run.seed}, which is shown above.`);
  };
  return { node, runOf, mark };
}
