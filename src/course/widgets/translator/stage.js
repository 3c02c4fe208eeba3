// The words of both languages, always visible, with arcs for the open head.

import { arcsBetween } from "../card/arcs.js";
import { button, html, setPressed, setText } from "../card/elements.js";
import { changes } from "../card/switches.js";
import { placeText, splitName } from "./names.js";

const THE_SAME = "The whole machine writes the same.";

/** Return the names of the weights to draw with a matrix: of its head, or of all heads of its sublayer. */
function headsOf(name, { num_heads }) {
  const [at] = splitName(name);
  if (at.includes(".head.")) return [`${at}.weights`];
  if (!at.endsWith("attention")) return [];
  return Array.from({ length: num_heads }, (_, i) => `${at}.head.${i}.weights`);
}

/** Return the rows of words where the arcs of a matrix begin (`from`) and end (`to`). */
function sidesOf(name) {
  const [side, , sublayer] = name.split(".");
  if (side === "encoder") return { from: "upper", to: "upper", shift: 0 };
  return { from: "lower", to: sublayer === "cross_attention" ? "upper" : "lower", shift: 1 };
}

/** Join words to one text, without a space after an apostrophe. */
export const joined = (words) => words.join(" ").replaceAll("' ", "’");

/**
 * Build the stage. Pressing a French word shows the step at which the decoder chose it.
 *
 * put: changes a trait; signal: aborts when the card ends
 * Returns { node, legend, was, steps, update(run, plain, name, seen, word), draw() }: `plain` is the
 * run with all parts on and no word of the reader, or null if `run` is this run; `was` shows its
 * words; `steps` has the buttons that step through the translation; `draw` draws the arcs of the
 * last update, and scrolls the chosen French word into view.
 */
export function stage({ put, signal }) {
  const arcs = arcsBetween("English words", "Written so far", signal);
  const legend = html("p", { class: "abh-note abh-boxed abh-one-line abh-tr-legend" }, "\u00a0");
  const was = html("p", { class: "abh-tr-was" });
  const node = html("div", { class: "abh-tr-stage" }, arcs.node);
  /** @type {any} */
  let last = null; // the arguments of the last update
  /** Set the trait `step`; 0 stands for the whole translation. */
  const go = (step) => put("step", step >= last.run.written.length ? 0 : step);
  const back = button("Back", () => last.seen > 1 && go(last.seen - 1));
  const next = button("Next word", () => last.seen < last.run.written.length && go(last.seen + 1));
  const steps = html("div", { class: "abh-tr-steps" }, back, next);
  /** Return the arcs from word i of a row of words, or to it, as means over the heads. */
  const arcsOf = ({ run, name, seen }, side, i) => {
    const heads = headsOf(name, run.machine.config);
    const { from, to, shift } = sidesOf(name);
    const cells = heads.flatMap((head) => {
      const { values } = run.shown(head, seen);
      const attends = from === side;
      const lines = attends ? [[i, values[i] ?? []]] : values.map((row, r) => [r, row.map((x, j) => (to === side && j === i ? x : 0))]);
      return lines.flatMap(([r, row]) => row.map((weight, j) => [r, j, weight / heads.length]));
    });
    const places = new Map();
    for (const [r, j, weight] of cells) places.set(`${r}.${j}`, [r, j, (places.get(`${r}.${j}`)?.[2] ?? 0) + weight]);
    return [...places.values()].map(([r, j, weight]) => ({ from: [from, r + shift], to: [to, j], weight, role: "output" }));
  };
  const drawChosen = () => {
    const { from } = sidesOf(last.name);
    arcs.draw(arcsOf(last, from, from === "upper" ? last.word : last.seen - 1));
  };
  const showArcsOver = (chip, side, i) => {
    const show = () => arcs.draw(arcsOf(last, side, i));
    for (const type of ["pointerenter", "focus"]) chip.addEventListener(type, show);
    for (const type of ["pointerleave", "blur"]) chip.addEventListener(type, drawChosen);
  };
  const chipOf = (side, act, i) => {
    const kind = side === "upper" ? { class: "abh-tr-english" } : { class: "abh-tr-chip", lang: "fr" };
    const chip = button("\u00a0", () => act(i), kind);
    showArcsOver(chip, side, i);
    return chip;
  };
  /** Return a button for each word. Existing buttons are reused with the new text. */
  const chipsOf = (chips, words, side, act) => words.map((word, i) => {
    const chip = chips[i] ?? chipOf(side, act, i);
    setText(chip, word);
    return chip;
  });
  const begin = html("span", { class: "abh-tr-start" }, "\u00a0");
  /** @type {HTMLElement[][]} */
  let [english, french] = [[], []];
  const build = (run, isNew) => {
    english = chipsOf(english, run.english, "upper", (i) => put("word", i));
    setText(begin, run.read[0]);
    const shown = run.hasEnded ? run.written : [...run.written.slice(0, -1), "…"];
    french = chipsOf(french, shown, "lower", (i) => go(i + 1));
    french.forEach((chip, i) => {
      chip.classList.toggle("abh-tr-end", run.hasEnded && i === run.french.length);
      chip.classList.toggle("abh-tr-new", Boolean(isNew?.[i]));
      chip.classList.toggle("abh-tr-forced", Boolean(run.forced[i]));
    });
    arcs.fill("upper", english);
    arcs.fill("lower", [begin, ...french]);
  };
  const showChanges = (run, plain) => {
    if (!plain) {
      if (was.childNodes.length !== 1) was.replaceChildren("\u00a0");
      setText(was, "All parts are on. Every word is the machine\u2019s.");
      return undefined;
    }
    const { isNew, isGone } = changes(plain.french, run.french);
    const same = !isNew.includes(true) && !isGone.includes(true);
    const words = same ? [] : plain.french.flatMap((word, i) => [html(isGone[i] ? "del" : "span", {}, word), " "]);
    was.replaceChildren(same ? THE_SAME : "The whole machine writes: ", ...words);
    return isNew;
  };
  /** Scroll a word into view if the row of words is wider than the card. */
  const scrollTo = (chip) => {
    const [words, box] = [arcs.node.getBoundingClientRect(), chip.getBoundingClientRect()];
    if (box.left < words.left || box.right > words.right) arcs.node.scrollLeft += box.left + box.width / 2 - words.left - words.width / 2;
  };
  const update = (run, plain, name, seen, word) => {
    if (run !== last?.run || plain !== last.plain) build(run, showChanges(run, plain));
    last = { run, plain, name, seen, word };
    back.ariaDisabled = String(seen === 1);
    next.ariaDisabled = String(seen === run.written.length);
    french.forEach((chip, i) => {
      chip.classList.toggle("abh-tr-later", i >= seen);
      setPressed(chip, i + 1 === seen);
    });
    const isEncoder = sidesOf(name).from === "upper";
    english.forEach((chip, i) => setPressed(chip, isEncoder && i === word));
    const heads = headsOf(name, run.machine.config);
    const who = isEncoder ? `from “${run.english[word]}”` : `as “${run.written[seen - 1]}” is chosen after “${run.read[seen - 1]}”`;
    const where = placeText(heads.length === 1 ? heads[0] : name);
    setText(legend, heads.length ? `${where}${heads.length > 1 ? ", mean of its heads" : ""}: ${who}` : `${where}: this part has no attention`);
  };
  const draw = () => {
    drawChosen();
    scrollTo(french[last.seen - 1]);
  };
  return { node, legend, was, steps, update, draw };
}
