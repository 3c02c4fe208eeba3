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
function keptFor(questions, kept, takes) {
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

/** The lists that were kept by prompt, one for each question; an empty text stands where it was asked again. */
const listsFor = (questions, kept, takes) =>
  keptFor(questions, kept, (question, texts) => texts.some((text) => takes(question, text))).map((texts) => texts ?? []);

/**
 * The tries at each question, from the first to the last, out of lists kept by prompt.
 *
 * takes(question, text): whether a text answers a question at all
 */
export const triesFor = (questions, kept, takes = isChoice) =>
  listsFor(questions, kept, takes).map((texts, i) => texts.filter((text) => takes(questions[i], text)));

/** Add a text to the tries at a question. */
export function addTry({ model, put }, questions, i, text, takes = isChoice) {
  const kept = model.get("tries");
  put("tries", { ...kept, [questions[i].prompt]: [...listsFor(questions, kept, takes)[i], text] });
}

/**
 * For each question whether another choice may follow before the answer is told: after one
 * try that was wrong, unless only the right choice remains.
 */
export const openOf = (get, questions, picks) =>
  listsFor(questions, get("tries"), isChoice).map((texts, i) => {
    const now = texts.slice(texts.lastIndexOf("") + 1).filter((text) => isChoice(questions[i], text));
    return now.length === 1 && now[0] === picks[i]?.text && !picks[i].right && questions[i].choices.length > 2;
  });

/**
 * The tries at questions.
 *
 * questions, picks: functions that give the questions, and what is chosen of each
 * Returns { commit(i, choice), tell(i), askAgain(i), stateOf(i) }: `commit` is called before
 * the choice is put into its trait; `tell` has the answer told, as if the same choice were
 * made again; `askAgain` begins anew; the last says what `multipleChoice` shows.
 */
export function triesAt({ model, put }, questions, picks) {
  const get = (trait) => model.get(trait);
  const commit = (i, choice) => addTry({ model, put }, questions(), i, choice.text);
  const tell = (i) => commit(i, picks()[i]);
  const askAgain = (i) => addTry({ model, put }, questions(), i, "");
  const stateOf = (i) => ({
    choice: picks()[i],
    open: openOf(get, questions(), picks())[i],
    first: choiceOf(questions()[i], triesFor(questions(), get("tries"))[i][0]),
  });
  return { commit, tell, askAgain, stateOf };
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
