// Multiple choice: a reader's choice is known by its words. An edit of a question may
// move its choices to other places, and the choice then goes with its words.

/** @import { Question, Result } from "../contract.d.ts" */

import { html, setText } from "./elements.js";

/**
 * The choice with these words; undefined where the question has none (any more).
 *
 * @param {Pick<Question, "choices">} question
 * @param {string | undefined} text
 */
export function choiceOf({ choices }, text) {
  return choices.find((choice) => choice.text === text);
}

/**
 * For each question the words that were kept for it, or undefined.
 *
 * kept: words by prompt; takes(question, words): whether they answer it at all.
 * An author may have reworded a prompt since. Words whose prompt no question has any more
 * go to the question that they answer, if it is one alone and has no words of its own.
 */
export function keptFor(questions, kept, takes) {
  const known = new Set(questions.map(({ prompt }) => prompt));
  const open = questions.filter(({ prompt }) => !Object.hasOwn(kept, prompt));
  const lost = Object.keys(kept).filter((prompt) => !known.has(prompt)).map((prompt) => kept[prompt]);
  const found = new Map(lost.map((words) => [words, open.filter((question) => takes(question, words))]));
  return questions.map((question) => {
    if (Object.hasOwn(kept, question.prompt)) return kept[question.prompt];
    return lost.find((words) => found.get(words).length === 1 && found.get(words)[0] === question);
  });
}

/** What the reader chose of each question, out of words kept by prompt; undefined where nothing. */
export function chosenOf(questions, kept) {
  const words = keptFor(questions, kept, (question, text) => Boolean(choiceOf(question, text)));
  return questions.map((question, i) => choiceOf(question, words[i]));
}

/**
 * A question with what was chosen, as the page shows and judges it.
 *
 * @param {Question} question
 * @param {string} given
 * @param {string} how
 * @returns {Result}
 */
export function resultOf(question, given, how) {
  const right = question.choices.find((choice) => choice.right)?.text;
  const judge = (text) => (text === right ? "right" : choiceOf(question, text) ? "wrong" : "");
  return { prompt: question.prompt, how, given, right, judge };
}

/** A line that says which answers an edit of the questions has done away with. */
export function goneLine() {
  const node = html("p", { class: "abh-note", role: "status", hidden: true }, " ");
  const tell = (texts) => {
    node.hidden = !texts.length;
    setText(node, texts.map((text) => `You chose \u201c${text}\u201d before. It is no longer among the choices, so the question is open again.`).join(" "));
  };
  return { node, tell };
}
