// All runs in one plot, a mark for each seed. A stored run is a dot that the reader can press.

import { button, html, setPressed, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { grouped } from "../translator/names.js";

const WRONG = 0.99; // the note counts the runs with a share of right answers below this

const place = ({ mass }) => `left: ${(100 * mass).toFixed(2)}%`;

/** Say how many runs of each kind have many wrong answers. */
function whereWrong(kinds) {
  const poor = kinds.map(({ name, own }) => [own.filter(({ right }) => right < WRONG).length, `of ${own.length} machines “${name}”`]);
  return poor.filter(([count]) => count).map((each) => each.join(" ")).join(" and ") || "none";
}

/**
 * Build the plot.
 *
 * runs: [{ loss, layers, seed, mass, right, which }]: `loss` and `layers` are indices into
 * `losses` and `depths`; `which` is the index among the stored runs of the same loss, or -1
 * choose(run): called with the run whose dot is pressed
 * Returns { node, runOf(loss, which), mark(run) }. Runs at one place share a dot, and each press
 * on the dot chooses the next of these runs.
 */
export function seedPlot(runs, { losses, depths }, choose) {
  const kinds = losses.flatMap((_, loss) => depths.map((_, layers) => ({
    name: `${losses[loss]}, ${depths[layers]}`,
    own: runs.filter((run) => run.loss === loss && run.layers === layers),
  })));
  let marked = null;
  const nextOn = (run, sharing) => sharing[(sharing.indexOf(run) + 1) % sharing.length];
  /** @type {{ sharing: any[], node: HTMLElement }[]} */
  const dots = [];
  const dotOf = (name, sharing) => {
    const seeds = sharing.map(({ seed }) => seed).join(", ");
    const node = button([], () => choose(nextOn(marked, sharing)), { class: "abh-who-dot", style: place(sharing[0]),
      "aria-label": `${name}: seed ${seeds} at ${fixed(sharing[0].mass, 2)}` });
    dots.push({ sharing, node });
    return node;
  };
  const rows = kinds.map(({ name, own }) => {
    const ends = [Math.min, Math.max].map((end) => fixed(end(...own.map(({ mass }) => mass)), 2));
    const stored = own.filter(({ which }) => which >= 0).sort((a, b) => a.which - b.which);
    const lines = own.filter(({ which }) => which < 0).map((run) => html("span", { class: "abh-who-run", style: place(run) }));
    return html("div", { class: "abh-who-kind" }, html("span", {}, name), html("span", { class: "abh-who-track" },
      html("span", { role: "img", "aria-label": `${own.length} seeds, ${ends.join(" to ")}` }, ...lines),
      ...[...grouped(stored, place).values()].map((sharing) => dotOf(name, sharing))));
  });
  const ticks = [0, 0.5, 1].map((tick) => html("span", { style: `left: ${100 * tick}%` }, String(tick)));
  const caption = html("span", { class: "abh-boxed" }, " ");
  const node = html("div", { class: "abh-who-seeds" },
    html("div", { role: "group", "aria-label": "Weight of “it” on the noun that it means, in all runs" },
      ...rows, html("div", { class: "abh-who-kind abh-who-ticks", "aria-hidden": "true" }, html("span"), html("span", { class: "abh-who-track" }, ...ticks))),
    html("p", { class: "abh-note" }, caption, "Each mark shows one machine: the mean weight of “it” on its noun in the last layer. "
      + `Press a dot to open it. Lines are other seeds. Over 1 wrong answer in 100: ${whereWrong(kinds)}.`));
  const runOf = (loss, which) => runs.find((run) => run.loss === loss && run.which === which);
  const mark = (run) => {
    if (marked === run) return;
    marked = run;
    let next = "";
    for (const { node: dot, sharing } of dots) {
      setPressed(dot, sharing.includes(run));
      if (sharing.includes(run) && sharing.length > 1) next = ` Press the ring for seed ${nextOn(run, sharing).seed}.`;
    }
    setText(caption, `The ring: seed ${run.seed}, shown above.${next} `);
  };
  return { node, runOf, mark };
}
