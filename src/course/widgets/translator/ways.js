// Other ways to choose words: drawn by chance, or several beginnings at once, as a tree.

import { number, setValue } from "../card/drawings.js";
import { afterFrame } from "../card/later.js";
import { html, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { beam } from "./forward.js";
import { grouped } from "./names.js";

/** The beginnings that did not last: kept for a while, or the best that was cut after a word. */
function fallen(steps) {
  const goesOn = (branch, after) => !after || after.kept.some(({ words }) => branch.words.every((word, i) => words[i] === word));
  return steps.flatMap(({ kept, cut }, i) => [...kept.filter((branch) => !goesOn(branch, steps[i + 1])), ...(cut ? [cut] : [])]);
}

/** Beginnings as a tree: those that begin alike stand below what they share; the cut ones are faint. */
function treeOf(steps, french) {
  const lasting = new Set(steps.at(-1).kept);
  const grow = (branches, depth) => {
    const groups = grouped(branches, ({ words }) => words[depth]);
    return [...groups].filter(([word]) => word !== undefined).map(([word, group]) => {
      const text = [french[word]];
      let end = depth + 1;
      while (group.every(({ words }) => words[end] !== undefined && words[end] === group[0].words[end])) text.push(french[group[0].words[end++]]);
      const below = grow(group, end);
      const twig = html("span", { class: "abh-tr-twig" }, text.join(" "));
      const isCut = !group.some((branch) => lasting.has(branch));
      if (below.length) return html("li", {}, twig, html("ul", {}, ...below));
      return html("li", { class: isCut ? "abh-tr-leaf abh-tr-cut" : "abh-tr-leaf" }, twig, isCut ? " … cut" : "", totalOf(group[0]));
    });
  };
  return html("ul", { class: "abh-tr-tree", "aria-label": "Beginnings that are kept, and those that were cut" }, ...grow([...lasting, ...fallen(steps)], 0));
}

/** The log-probability of a beginning. */
function totalOf({ total }) {
  const shown = number({ style: "--abh-characters: 7" });
  setValue(shown, total, fixed(total, 3));
  return shown;
}

/**
 * The part of the card for other ways, folded until it is wanted.
 *
 * Returns { node, update(run) }: the tree grows a frame later, a word at a time.
 */
export function otherWays({ model, control, watch, signal }, words) {
  const tree = html("div", {});
  const temperature = html("p", { class: "abh-note" }, "\u00a0");
  const node = html("details", { class: "abh-tr-ways" }, html("summary", {}, "Draw words by chance, or keep several beginnings"),
    html("div", { class: "abh-controls" }, control("chosen"), control("seed")), temperature,
    html("div", { class: "abh-controls" }, control("width")),
    html("p", { class: "abh-note" }, "A beam of this width, to its end: the words, and the natural logarithm of their probability all together. Faint: what it kept for a while, and after each word the best of what it cut. Width 1 takes the likeliest word each time. Forced words do not count here."), tree);
  const later = afterFrame(tree, signal);
  /** @type {any} */
  let now = null; // the run that is shown
  function* grow() {
    if (!node.open || !now) return;
    const steps = [];
    for (const step of beam(now.machine, now.found.source, words, model.get("width"), now.found)) {
      steps.push(step);
      yield;
    }
    tree.replaceChildren(treeOf(steps, words.french));
  }
  const growLater = () => later([grow]);
  node.addEventListener("toggle", growLater);
  watch(["width"], growLater);
  watch(["beta"], () => {
    const beta = model.get("beta");
    setText(temperature, beta ? `Temperature is 1 / sharpness: ${fixed(1 / beta, 2)}.` : "At sharpness 0 the temperature is infinite: every word is as likely as any other.");
  });
  const update = (run) => {
    if (model.get("chosen") || model.get("width") > 1) node.open = true;
    if (run === now) return;
    now = run;
    growLater();
  };
  return { node, update };
}
