// Other ways to choose words: at random, or by a beam search, which is shown as a tree.

import { number, setValue } from "../card/drawings.js";
import { afterFrame } from "../card/later.js";
import { html, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { beam } from "./forward.js";
import { grouped } from "./names.js";

/** Whether one beginning of a translation is continued by another. */
const leadsTo = ({ words }, other) => words.length < other.words.length && words.every((word, i) => word === other.words[i]);

/** Return the dropped beginnings that no other tried beginning continues. */
function fallen(steps) {
  const tried = steps.flatMap(({ kept, cut }) => [...kept, ...(cut ? [cut] : [])]);
  const lasting = steps.at(-1).kept;
  const isOne = (branch, others) => others.some((other) => branch.words.join() === other.words.join());
  const ends = tried.filter((branch) => !isOne(branch, lasting) && !tried.some((other) => leadsTo(branch, other)));
  return ends.filter((branch, i) => !isOne(branch, ends.slice(0, i)));
}

/** Draw the beginnings as a tree. Shared words stand once; dropped beginnings are struck out. */
function treeOf(steps, french) {
  const lasting = new Set(steps.at(-1).kept);
  const twig = (words) => html("span", { class: "abh-tr-twig" }, words.map((word) => french[word]).join(" "));
  const parted = (branches, depth) => {
    const groups = [...grouped(branches.filter(({ words }) => words.length > depth), ({ words }) => words[depth]).values()];
    const goesOn = (group) => group.some((branch) => lasting.has(branch));
    const gone = groups.filter((group) => !goesOn(group)).flat();
    const cuts = gone.map((branch) => html("span", { class: "abh-tr-cut" }, twig(branch.words.slice(depth)), totalOf(branch)));
    return { going: groups.filter(goesOn), cuts };
  };
  const grow = (group, depth) => {
    const lines = [];
    let text = [];
    for (;; depth++) {
      const { going, cuts } = parted(group, depth);
      if (text.length && (cuts.length || going.length !== 1)) lines.push(html("li", {}, twig(text)));
      if (cuts.length || going.length !== 1) text = [];
      if (going.length === 1) {
        [group] = going;
        text.push(group[0].words[depth]);
        if (!cuts.length) continue;
        lines.push(html("li", {}, twig(text), ...cuts));
        text = [];
        continue;
      }
      if (cuts.length) lines.push(html("li", {}, ...cuts));
      if (!going.length) {
        lines.at(-1).classList.add("abh-tr-leaf");
        lines.at(-1).firstChild.after(totalOf(group[0]));
      } else lines.push(...going.map((each) => html("li", {}, html("ul", {}, ...grow(each, depth)))));
      return lines;
    }
  };
  return html("ul", { class: "abh-tr-tree", "aria-label": "Beginnings that the beam keeps; dropped ones are struck through" }, ...grow([...lasting, ...fallen(steps)], 0));
}

/** Show the log-probability of a beginning. */
function totalOf({ total }) {
  const shown = number({ style: "--abh-characters: 7" });
  setValue(shown, total, fixed(total, 3));
  return shown;
}

/**
 * Build the folded part of the card with the other ways to choose words.
 *
 * Returns { node, update(run) }: the beam search starts after the next frame, word by word.
 */
export function otherWays({ model, control, watch, signal }, words) {
  const tree = html("div", {});
  const temperature = html("p", { class: "abh-note" }, "\u00a0");
  const node = html("details", { class: "abh-tr-ways" }, html("summary", {}, "Draw random words, or keep several beginnings"),
    html("div", { class: "abh-controls" }, control("chosen"), control("seed")), temperature,
    html("div", { class: "abh-controls" }, control("width")),
    html("p", { class: "abh-note" }, "Beam search keeps the most probable beginnings after each word. The width is the number of beginnings that it keeps. The tree shows them with the natural logarithm of their probability. Dropped beginnings are struck through. Words that you chose do not change the tree."), tree);
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
    setText(temperature, beta ? `Temperature is 1 / sharpness: ${fixed(1 / beta, 2)}.` : "At sharpness 0 the temperature is infinite: all words are equally probable.");
  });
  const update = (run) => {
    if (model.get("chosen") || model.get("width") > 1) node.open = true;
    if (run === now) return;
    now = run;
    growLater();
  };
  return { node, update };
}
