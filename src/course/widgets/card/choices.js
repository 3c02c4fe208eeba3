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

const isChoice = (question, text) => Boolean(choiceOf(question, text));

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
  const words = keptFor(questions, kept, isChoice);
  return questions.map((question, i) => choiceOf(question, words[i]));
}

/**
 * Keep what the reader answered first; nothing later takes its place.
 *
 * takes(question, words): whether words answer a question at all, as in `keptFor`
 */
export function keepFirst({ model, put }, questions, i, text, takes) {
  const kept = model.get("first_tries");
  const words = keptFor(questions, kept, takes)[i];
  if (words === undefined || !takes(questions[i], words)) put("first_tries", { ...kept, [questions[i].prompt]: text });
}

/** For each question whether its choice was wrong and another may follow before the answer is told. */
export const openOf = (get, questions, picks) =>
  chosenOf(questions, get("second_tries")).map((choice, i) => Boolean(choice) && choice === picks[i]);

/**
 * The tries at questions. A wrong choice leaves a second try, unless only the right one
 * remains; then, or where the reader asks for it, the answer is told.
 *
 * questions, picks: functions that give the questions, and what is chosen of each
 * Returns { commit(i, choice), tell(i), stateOf(i) }: `commit` is called before the choice
 * is put into its trait; `tell` has the answer told; the last says what `multipleChoice`
 * shows.
 */
export function triesAt({ model, put }, questions, picks) {
  const get = (trait) => model.get(trait);
  const open = () => openOf(get, questions(), picks());
  const leave = (i, choice) => {
    const texts = open().map((isOpen, j) => (j === i ? choice?.text : isOpen ? picks()[j].text : undefined));
    const entries = questions().map(({ prompt }, j) => [prompt, texts[j]]);
    put("second_tries", Object.fromEntries(entries.filter(([, text]) => text !== undefined)));
  };
  const commit = (i, choice) => {
    const leaves = !choice.right && questions()[i].choices.length > 2 && !open()[i];
    keepFirst({ model, put }, questions(), i, choice.text, isChoice);
    leave(i, leaves ? choice : undefined);
  };
  const tell = (i) => leave(i, undefined);
  const stateOf = (i) => ({ choice: picks()[i], open: open()[i], first: chosenOf(questions(), get("first_tries"))[i] });
  return { commit, tell, stateOf };
}

/**
 * A question with what was chosen, as the page shows and judges it. While its second
 * try is open, the right choice is not told.
 *
 * @param {Question} question
 * @param {string} given
 * @param {string} how
 * @param {boolean} isOpen
 * @returns {Result}
 */
export function resultOf(question, given, how, isOpen) {
  const right = question.choices.find((choice) => choice.right)?.text;
  const judge = (text) => (text === right ? "right" : isChoice(question, text) ? "wrong" : "");
  return { prompt: question.prompt, how, given, right: isOpen ? "" : right, judge };
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
