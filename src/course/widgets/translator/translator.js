// The translator: the reader composes a sentence, watches its translation, opens any number,
// and switches parts off.

import { card } from "../card/card.js";
import { button, html, setHidden, setPressed, setText } from "../card/elements.js";
import { afterFrame } from "../card/later.js";
import { switchesOf } from "../card/switches.js";
import { composer } from "./composer.js";
import { effects } from "./effects.js";
import { grammarOf, whyOutside } from "./grammar.js";
import { inspector } from "./inspector.js";
import { exists } from "./names.js";
import { nextWords } from "./next.js";
import { overview, partSwitches, switchBar } from "./overview.js";
import { Run } from "./run.js";
import { compose, firstChoice, refusal, split } from "./sentence.js";
import { joined, stage } from "./stage.js";
import { readHeader, readModel } from "./weights.js";

const OPEN = "decoder.1.cross_attention.head.0.weights";
const LEVELS = { sentence: "Sentence", heads: "Heads", cell: "A cell" };
const SHOWN = ["level", "sentence", "step", "matrix", "word", "off", "instead", "forced"];

function render(host) {
  const view = card(host, { lines: [2, 4], codecs, refuses });
  const { model, put } = view;
  view.root.classList.add("abh-tr-card");
  const words = { ...model.get("words"), grammar: grammarOf(model.get("words").grammar) };
  const whole = readModel(model.get("weights"));
  const { matrices: means } = readModel(model.get("means"));
  const { config } = whole;
  const accepted = (name) => (exists(name, config) ? name : OPEN); // an address may hold anything

  const later = afterFrame(view.body, view.signal);
  let run;
  /** @type {Run | null} */
  let wholeRun = null; // the run of the sentence with all parts on and no word that the reader chose
  /** @type {Run | null} */
  let plain = null; // `wholeRun`, or null if `run` is this run
  const open = (name) => {
    if (model.get("matrix") === name) draw();
    else put("matrix", name);
  };
  const switches = switchesOf(view, "off", words.switches);
  const bar = switchBar(switches, config);
  const seenNow = () => Math.min(model.get("step") || Infinity, run.written.length);
  const force = (word) => {
    const at = seenNow() - 1;
    if (at === words.longest) return; // the translation stops here, so the decoder writes no further word
    const before = Array.from({ length: at }, (_, i) => model.get("forced")[i] ?? "");
    const wanted = [...before, word];
    while (wanted.length && !wanted.at(-1)) wanted.pop();
    view.set({ step: at + 1, forced: wanted });
  };
  const shownWords = stage(view);
  const next = nextWords(view, force);
  const map = overview(config, open);
  const acts = partSwitches(switches, config, words.switches, () => put("level", "cell"));
  const matrixView = inspector(view, open);
  const effectBars = effects(view, whole, means, words);
  const warning = html("div", { class: "abh-tr-strange", role: "status", hidden: true },
    html("p", { class: "abh-tr-heading" }, "Outside the grammar"), html("p", {}, "\u00a0"));
  const levels = Object.entries(LEVELS).map(([level, text]) =>
    ({ level, node: button(text, () => put("level", level), { class: "abh-pressable" }) }));
  const heads = html("div", { class: "abh-columns abh-tr-machine", style: "--abh-least: 22rem" }, map.node, html("div", {}, acts.node, bar.node, view.control("instead"), effectBars.node));
  const chooser = html("div", { class: "abh-tr-levels", role: "group", "aria-label": "Level" }, ...levels.map(({ node }) => node));
  const written = [shownWords.node, shownWords.legend, html("div", { class: "abh-across abh-apart abh-tr-below" }, shownWords.was, shownWords.steps)];
  let isRefused = false; // whether the model cannot read the typed sentence, shown at level "sentence" only
  const refuse = (value) => {
    isRefused = value;
    if (run) showResults();
  };
  /** Show the results, and what the grammar says, unless a refusal takes their place. */
  const showResults = () => {
    const level = model.get("level");
    const isGone = isRefused && level === "sentence";
    for (const node of written) setHidden(node, isGone);
    setHidden(next.node, isGone || level !== "sentence");
    const said = isGone ? "" : whyOutside(words.grammar, run.english);
    setHidden(warning, !said);
    setText(warning.lastChild, said || "\u00a0");
  };
  const { node: composing } = composer(view, words, refuse);
  /** The nodes that are visible at one level only. */
  const nodesOfLevel = { sentence: [composing], heads: [heads], cell: [matrixView.node] };
  view.controls.append(chooser, composing);
  view.drawing.append(warning, ...written, next.node, heads, matrixView.node);

  const distribution = () => {
    const seen = seenNow();
    next.update(run.matrices["decoder.logits"].values[seen - 1], words.french, model.get("beta"),
      run.read.slice(0, seen).join(" "), run.forced[seen - 1], run.written[seen - 1]);
  };
  let drawn = "";
  /** @type {Run | null} */
  let pictured = null; // the run whose words are shown
  const draw = () => {
    const [seen, name, off, level] = [seenNow(), accepted(model.get("matrix")), model.get("off"), model.get("level")];
    for (const { level: each, node } of levels) {
      setPressed(node, each === level);
      for (const part of nodesOfLevel[each]) setHidden(part, each !== level);
    }
    const word = Math.min(model.get("word"), run.english.length - 1);
    shownWords.update(run, plain, name, seen, word);
    map.mark(name, off);
    bar.update(off);
    acts.update(name);
    setHidden(view.control("instead"), !off.some((each) => each.includes(".head.")));
    view.read(`“${run.english.join(" ")}” → “${joined(run.french)}”`);
    const details = { sentence: [distribution], heads: [], cell: [() => matrixView.update(run, name, seen)] }[level];
    const afterwards = { sentence: [], heads: [() => map.draw(run, seen), effectBars.update], cell: [matrixView.explain] }[level];
    const isOther = pictured && run !== pictured; // then the words are drawn before the details
    if (!isOther) for (const show of details) show();
    pictured = run;
    later([...(isOther ? details : []), shownWords.draw, ...afterwards]);
  };
  let translated = "";
  const translateAnew = () => {
    let english = split(model.get("sentence"));
    if (refusal(english, words)) english = run?.english ?? compose(words, firstChoice()); // an address may hold anything
    const [off, forced] = ["off", "forced"].map((trait) => model.get(trait));
    const instead = off.length ? model.get("instead") : 0;
    const key = JSON.stringify([english, off, instead, forced]);
    if (key === translated) return;
    translated = key;
    if (wholeRun?.english.join(" ") !== english.join(" ")) wholeRun = new Run(whole, words, english);
    plain = off.length || forced.some(Boolean) ? wholeRun : null;
    run = plain ? new Run(whole, words, english, { off, means: instead ? means : null, forced }) : wholeRun;
  };
  view.watch(SHOWN, () => {
    const state = JSON.stringify(SHOWN.map((trait) => model.get(trait)));
    if (state === drawn) return; // several traits were set at once, and this state is drawn
    drawn = state;
    translateAnew();
    showResults();
    draw();
  });
  view.watch(["beta"], distribution);
}

/** Checks of an address that a schema cannot express (book/runtime/figures.js). */
const codecs = {
  sentence: {
    fromText: (text, get) => {
      const words = get("words");
      const wrong = refusal(split(text), { ...words, grammar: grammarOf(words.grammar) });
      if (wrong) throw new Error(wrong);
      return text;
    },
  },
};

function refuses(get) {
  const matrix = get("matrix");
  const isThere = exists(matrix, readHeader(get("weights")).config);
  return isThere ? "" : `matrix = \u201c${matrix}\u201d; the model has none of that name`;
}

export default { codecs, refuses, render };
