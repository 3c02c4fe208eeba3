// Multiple choice. A reader's choice is kept as the text of the choice and not as its place,
// because an edit of the question may reorder the choices.

/** @import { Question, Result } from "../contract.d.ts" */

/**
 * Return the choice with this text; undefined if the question has no such choice (any more).
 *
 * @type {(question: Pick<Question, "choices">, text: string | undefined) => any}
 */
export function choiceOf({ choices }, text) {
  return choices.find((choice) => choice.text === text);
}

const isChoice = (question, text) => Boolean(choiceOf(question, text));

/** Return the choice made for each question, or undefined; `kept` holds the chosen texts by prompt. */
export function chosenOf(questions, kept) {
  return questions.map((question) => choiceOf(question, kept[question.prompt]));
}

/** Return each question's list of tries; an empty text marks that the question was asked again. */
const listsFor = (questions, kept) => questions.map(({ prompt }) => kept[prompt] ?? []);

/**
 * Return the tries at each question, from the first to the last; `kept` holds lists by prompt.
 *
 * takes(question, text): whether a text answers a question at all
 */
export const triesFor = (questions, kept, takes = isChoice) =>
  listsFor(questions, kept).map((texts, i) => texts.filter((text) => takes(questions[i], text)));

export function addTry({ model, put }, questions, i, text) {
  const kept = model.get("tries");
  put("tries", { ...kept, [questions[i].prompt]: [...listsFor(questions, kept)[i], text] });
}

/**
 * Return for each question whether a second try is open: after one wrong try, if more than
 * one choice remains.
 */
export const openOf = (get, questions, picks) =>
  listsFor(questions, get("tries")).map((texts, i) => {
    const tries = texts.slice(texts.lastIndexOf("") + 1).filter((text) => isChoice(questions[i], text));
    return tries.length === 1 && tries[0] === picks[i]?.text && !picks[i].right && questions[i].choices.length > 2;
  });

/**
 * Return functions that record the tries at questions.
 *
 * questions, picks: functions that return the questions, and the choice made for each
 * Returns { commit(i, choice), showAnswer(i), askAgain(i), stateOf(i) }: call `commit` before the
 * choice is put into its trait; `showAnswer` records the same choice again, which ends the second
 * try; `askAgain` starts the question again; `stateOf` returns the state for `multipleChoice`.
 */
export function triesAt({ model, put }, questions, picks) {
  const get = (trait) => model.get(trait);
  const commit = (i, choice) => addTry({ model, put }, questions(), i, choice.text);
  const showAnswer = (i) => commit(i, picks()[i]);
  const askAgain = (i) => addTry({ model, put }, questions(), i, "");
  const stateOf = (i) => ({
    choice: picks()[i],
    open: openOf(get, questions(), picks())[i],
    first: choiceOf(questions()[i], triesFor(questions(), get("tries"))[i][0]),
  });
  return { commit, showAnswer, askAgain, stateOf };
}

/**
 * Return a question and its choice in the form that the page shows and judges. While a
 * second try is open, `right` is empty.
 *
 * @type {(question: Question, given: string, how: string, isOpen: boolean) => Result}
 */
export function resultOf(question, given, how, isOpen) {
  const right = question.choices.find((choice) => choice.right)?.text;
  const judge = (text) => (text === right ? "right" : isChoice(question, text) ? "wrong" : "");
  return { prompt: question.prompt, how, given, right: isOpen ? "" : right, judge };
}
