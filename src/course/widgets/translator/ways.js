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
  const isAmong = (branch, others) => others.some((other) => branch.words.join() === other.words.join());
  const ends = tried.filter((branch) => !isAmong(branch, lasting) && !tried.some((other) => leadsTo(branch, other)));
  return ends.filter((branch, i) => !isAmong(branch, ends.slice(0, i)));
}

/** Draw the beginnings as a tree. Shared words stand once; dropped beginnings are struck out. */
function treeOf(steps, french) {
  const lasting = new Set(steps.at(-1).kept);
  const twig = (words) => html("span", { class: "abh-tr-twig" }, words.map((word) => french[word]).join(" "));
  /** Split the branches by their word at `depth`: groups that go on, and the dropped branches. */
  const split = (branches, depth) => {
    const groups = [...grouped(branches.filter(({ words }) => words.length > depth), ({ words }) => words[depth]).values()];
    const isKept = (group) => group.some((branch) => lasting.has(branch));
    const dropped = groups.filter((group) => !isKept(group)).flat();
    const cuts = dropped.map((branch) => html("span", { class: "abh-tr-cut" }, twig(branch.words.slice(depth)), totalOf(branch)));
    return { keptGroups: groups.filter(isKept), cuts };
  };
  // one list item for each run of words without a branch or a cut
  const itemsOf = (group, depth) => {
    const lines = [];
    let text = [];
    const flush = (...more) => {
      if (text.length) lines.push(html("li", {}, twig(text), ...more));
      text = [];
    };
    for (;; depth++) {
      const { keptGroups, cuts } = split(group, depth);
      if (cuts.length || keptGroups.length !== 1) flush();
      if (keptGroups.length === 1) {
        [group] = keptGroups;
        text.push(group[0].words[depth]);
        if (cuts.length) flush(...cuts);
        continue;
      }
      if (cuts.length) lines.push(html("li", {}, ...cuts));
      if (!keptGroups.length) {
        lines.at(-1).classList.add("abh-tr-leaf");
        lines.at(-1).firstChild.after(totalOf(group[0]));
      } else lines.push(...keptGroups.map((each) => html("li", {}, html("ul", {}, ...itemsOf(each, depth)))));
      return lines;
    }
  };
  return html("ul", { class: "abh-tr-tree", "aria-label": "Beginnings that the beam keeps; dropped ones are struck through" }, ...itemsOf([...lasting, ...fallen(steps)], 0));
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
  function* search() {
    if (!node.open || !now) return;
    const steps = [];
    for (const step of beam(now.machine, now.found.source, words, model.get("width"), now.found)) {
      steps.push(step);
      yield;
    }
    tree.replaceChildren(treeOf(steps, words.french));
  }
  const searchLater = () => later([search]);
  node.addEventListener("toggle", searchLater);
  watch(["width"], searchLater);
  watch(["beta"], () => {
    const beta = model.get("beta");
    setText(temperature, beta ? `Temperature is 1 / sharpness: ${fixed(1 / beta, 2)}.` : "At sharpness 0 the temperature is infinite: all words are equally probable.");
  });
  const update = (run) => {
    if (model.get("chosen") || model.get("width") > 1) node.open = true;
    if (run === now) return;
    now = run;
    searchLater();
  };
  return { node, update };
}
