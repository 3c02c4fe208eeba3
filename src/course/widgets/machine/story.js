// Picks the sentences of story.py for the current view, and fills in their facts.

import { blocked, compute, divisorOf, shiftOf, sizesOf } from "./arithmetic.js";
import { hasWordColumns, isInput, LIT, STAGES, stagesOf } from "./stages.js";
import { filled } from "../card/sentences.js";
import { fixed, shortened } from "../card/numbers.js";

/** Return a row of weights as texts in percent, by the rule of `share_texts` in story.py. */
export function shareText(weights) {
  const whole = weights.map((weight) => fixed(100 * weight, 0));
  const addsUp = whole.reduce((sum, text) => sum + Number(text), 0) === 100;
  const areAlike = whole.some((text, i) =>
    whole.some(
      (other, j) => j < i && text === other && Math.abs(weights[i] - weights[j]) > 5e-4,
    ),
  );
  return addsUp && !areAlike ? whole : weights.map((weight) => fixed(100 * weight, 1));
}

/** Return the shares that a word takes; of more than five words, the largest four and their rest. */
function sharesOf({ state, results, sentences }, h, row) {
  const weights = results.heads[h].weights[row];
  const texts = shareText(weights);
  const isLong = state.order.length > 5;
  const sorted =
    isLong ? state.order.toSorted((a, b) => weights[b] - weights[a]) : state.order;
  const [shown, others] = isLong ? [sorted.slice(0, 4), sorted.slice(4)] : [sorted, []];
  const sum = others.reduce((total, j) => total + weights[j], 0);
  const share = fixed(100 * sum, texts[0].includes(".") ? 1 : 0);
  const said = shown.filter((j) => Number(texts[j]) > 0)
    .map((j) => `${texts[j]}% from \u201c${state.tokens[j]}\u201d`);
  const rest = Number(share) > 0
    ? filled(sentences.rest, { share, count: others.length }) : "";
  return (said.join(", ") || "nothing") + rest;
}

/** Return the sentence about the followed word in the kept state. */
export function keptSentence(frame) {
  const { chosen, row, state, sentences } = frame;
  const shares = sharesOf(frame, chosen.head, row);
  return filled(sentences.kept, { word: state.tokens[row], shares });
}

function factsOf(frame) {
  const { state, results, chosen, row } = frame;
  const [i, j] = chosen.cell ?? [row, 0];
  const sizes = sizesOf(state);
  const hidden = state.order.filter((at) => blocked(state, results.places, row, at));
  const matrix = STAGES[chosen.stage]?.result;
  return {
    ...sizes, head: chosen.head + 1, column: j + 1,
    word: state.tokens[chosen.cell ? i : row], other: state.tokens[j] ?? "",
    share: shareText(results.heads[chosen.head].weights[i])[j] ?? "",
    of_head: Math.floor(j / sizes.d_v) + 1,
    divisor: fixed(divisorOf(state), 2), beta: shortened(state.beta, 2),
    hidden: hidden.length, tokens: state.tokens.length,
    value: matrix === "X" ? shortened(state.X[i][j], 4) : "",
    shares: sharesOf(frame, chosen.head, row),
  };
}

/**
 * Return the sentence about a head that is off: the followed head, or else the first one
 * that is off. It names the output number that changes most.
 */
function offSentence({ state, results, chosen, row, sentences }) {
  const head = state.off.includes(chosen.head) ? chosen.head : state.off[0];
  const off = state.off.filter((h) => h !== head);
  const [before, after] = [compute({ ...state, off }), results].map(
    ({ output, sum }) => (sum ?? output)[row]);
  const sizes = after.map((y, j) => Math.abs(y - before[j]));
  const column = sizes.indexOf(Math.max(...sizes));
  return filled(sentences[sizes[column] > 0 ? "head off" : "idle head off"], {
    word: state.tokens[row], head_off: head + 1, column: column + 1,
    before: shortened(before[column], 3), after: shortened(after[column], 3) });
}

/** Return the keys of a stage's sentences, for its masks, dial and number of heads. */
function stepKeys({ state, results, chosen, row }, stage) {
  const isMasked = state.causal || state.padding.includes(true);
  if (stage === "logits") {
    const first = state.beta !== 1 ? "turned logits" : isMasked ? "masked logits" : stage;
    return [first, ...(isMasked ? ["mask"] : [])];
  }
  if (["concat", "output"].includes(stage) && state.W_Q.length === 1)
    return [`one ${stage}`];
  if (stage === "head" && state.off.includes(chosen.head)) return ["off head"];
  if (!isMasked || !["weights", "head"].includes(stage)) return [stage];
  const isEmpty = results.heads[chosen.head].weights[row].every((weight) => weight === 0);
  return [stage === "weights" && isEmpty ? "no weights" : `masked ${stage}`];
}

/** Whether a chapter's sentence is true of a state; false for a chapter without a sentence. */
function isTrueOfChapter(chapter, { W_Q, W_O, beta, off }) {
  if (chapter === 2) return beta === 1;
  if (!LIT[chapter] || off.length || W_Q.length === 1) return false;
  return chapter === 3 || W_O !== null;
}

function keysOf(frame) {
  const { state, results, chosen, plan } = frame;
  const { stage, cell, step, chapter } = chosen;
  if (stage === "box") return ["box"];
  if (cell) {
    const [i, j] = cell;
    const hidden =
      hasWordColumns(stage) && stage !== "scores" && blocked(state, results.places, i, j);
    if (stage === "head" && state.off.includes(chosen.head)) return ["cell off"];
    const isShifted = stage === "weights" && shiftOf(results.heads[chosen.head].logits[i]);
    return [`cell ${hidden || (isShifted ? "shifted weights" : stage)}`];
  }
  if (stage) {
    const { left, result } = STAGES[stage];
    return [...stepKeys(frame, stage), ...(isInput(left ?? result) ? ["drag"] : []),
      ...(left ? ["choose"] : [])];
  }
  if (step >= 0)
    return chosen.turning ? ["turning"] : stepKeys(frame, stagesOf(state)[step]);
  if (state.off.includes(chosen.head)) return ["head off"];
  const isPhone = plan?.isPhone;
  const hint = isPhone ? "try on a phone" : "try";
  if (isTrueOfChapter(chapter, state) && !chosen.touched)
    return [`chapter ${chapter}`, ...(chapter === 2 ? [] : [hint])];
  if (sizesOf(state).heads < 2) return chosen.touched ? ["one head"] : ["one head", hint];
  if (state.off.length) return ["several heads", "head off"];
  const more = chosen.touched ? (isPhone ? ["switch"] : []) : [hint];
  return ["several heads", ...more];
}

/** Return the text for a frame. In the text, W_Q stands for W^Q (card/prose.js). */
export function sentenceOf(frame) {
  const facts = factsOf(frame);
  const said = (key) =>
    key === "head off" ? offSentence(frame) : filled(frame.sentences[key], facts);
  return keysOf(frame).map(said).join(" ");
}
