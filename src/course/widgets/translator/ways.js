// Other ways to choose words: drawn by chance, or several beginnings at once, as a tree.

import { number, setValue } from "../card/drawings.js";
import { html, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { beam } from "./forward.js";
import { grouped } from "./names.js";

/** Beginnings as a tree: those that begin alike stand below what they share. */
function treeOf(steps, french) {
  const kept = steps.at(-1);
  const grow = (branches, depth) => {
    const groups = grouped(branches, ({ words }) => words[depth]);
    return [...groups].filter(([word]) => word !== undefined).map(([word, group]) => {
      const text = [french[word]];
      let end = depth + 1;
      while (group.every(({ words }) => words[end] !== undefined && words[end] === group[0].words[end])) text.push(french[group[0].words[end++]]);
      const below = grow(group, end);
      const twig = html("span", { class: "abh-tr-twig" }, text.join(" "));
      return below.length ? html("li", {}, twig, html("ul", {}, ...below))
        : html("li", { class: "abh-tr-leaf" }, twig, totalOf(group[0]));
    });
  };
  return html("ul", { class: "abh-tr-tree", "aria-label": "Beginnings that are kept to the end" }, ...grow(kept, 0));
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
 * Returns { node, update(run) }.
 */
export function otherWays({ model, control, watch }, words) {
  const tree = html("div", {});
  const temperature = html("p", { class: "abh-note" }, "\u00a0");
  const node = html("details", { class: "abh-tr-ways" }, html("summary", {}, "Draw words by chance, or keep several beginnings"),
    html("div", { class: "abh-controls" }, control("chosen"), control("seed")), temperature,
    html("div", { class: "abh-controls" }, control("width")),
    html("p", { class: "abh-note" }, "What a beam of this width ends with: the words, and the natural logarithm of their probability all together. Width 1 takes the likeliest word each time. Forced words do not count here."), tree);
  /** @type {any} */
  let now = null; // the run that is shown
  const grow = () => {
    if (!node.open || !now) return;
    const source = now.english.map((word) => words.english.indexOf(word));
    tree.replaceChildren(treeOf(beam(now.machine, source, words, model.get("width")), words.french));
  };
  node.addEventListener("toggle", grow);
  watch(["width"], grow);
  watch(["beta"], () => {
    const beta = model.get("beta");
    setText(temperature, beta ? `Temperature is 1 / sharpness: ${fixed(1 / beta, 2)}.` : "At sharpness 0 the temperature is infinite: every word is as likely as any other.");
  });
  const update = (run) => {
    if (model.get("chosen") || model.get("width") > 1) node.open = true;
    if (run === now) return;
    now = run;
    grow();
  };
  return { node, update };
}
