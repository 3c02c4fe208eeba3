// A question with its choices. The reader picks a choice and commits to it. A wrong choice
// shows its reason and leaves a second try; then all choices show their reasons.

/** @import { QuestionChoice } from "../contract.d.ts" */

import { MAIN, button, html, setText, uid } from "./elements.js";
import { prose, setProse } from "./prose.js";

const RIGHT = "Right.";
const WRONG = "Not right.";
const ANSWER = "This is the answer.";
const COMMIT = "Commit to this answer";
const ANSWER_AGAIN = "Answer again";
const SHOW_ANSWER = "Show the answer";
const FIRST = "Your first try.";
const SECOND_TRY = `${WRONG} You have a second try before the answer is shown.`;

/** Return the verdict on a choice as text. */
export const verdictOf = (choice) => (choice.right ? RIGHT : WRONG);

/** Return the bold text before the reason of a choice. */
function markOf(choice, { choice: picked, open, first }) {
  if (open || choice === picked) return verdictOf(choice);
  return choice.right ? ANSWER : choice === first ? FIRST : "";
}

/** Build a choice, with its reason if the choice was picked or the answer is shown. */
function option(choice, input, state) {
  const row = html("label", { class: "abh-check abh-choice" }, input, html("span", {}, ...prose(choice.text)));
  const isPicked = choice === state.choice;
  if (!state.choice || (state.open && !isPicked)) return html("div", { class: "abh-option" }, row);
  const mark = markOf(choice, state);
  input.disabled = true;
  input.checked = isPicked && !state.open;
  const why = html("p", { class: "abh-why" }, ...(mark ? [html("strong", {}, mark), " "] : []), ...prose(choice.why));
  return html("div", { class: "abh-option", "data-verdict": choice.right ? "right" : isPicked ? "wrong" : "other" }, row, why);
}

/**
 * Build the form of a question.
 *
 * commit(choice), showAnswer(), reopen(): what the buttons do
 *
 * Returns { node, acts, ask(question, heading), update(state), focus() }. node: the form;
 * acts: the box of its buttons; `ask` sets the question; `update` sets { choice, open, first }:
 * the committed choice, if any, whether a second try is open, and the choice of the first try.
 * `focus` moves the focus to the picked choice, or to the first choice that can be picked.
 */
export function multipleChoice({ commit, showAnswer, reopen }) {
  const name = uid("choice");
  const prompt = html("legend", { class: "abh-prompt" });
  const options = html("div", { class: "abh-choices" });
  const main = button("", () => (isAnswered() ? reopen() : commit(checked())), MAIN);
  const answerButton = button("", showAnswer, { hidden: true });
  const acts = html("div", { class: "abh-acts" }, main, answerButton);
  const note = html("p", { class: "abh-note", role: "status", hidden: true });
  const node = html("fieldset", { class: "abh-predict" }, prompt, options, note, acts);
  /** @type {[QuestionChoice[], { choice?: QuestionChoice, open: boolean, first?: QuestionChoice }, QuestionChoice[] | null]} */
  let [choices, shown, built] = [[], { choice: undefined, open: false, first: undefined }, null];
  const radios = () => [...options.querySelectorAll("input")];
  const checked = () => choices[radios().findIndex((input) => input.checked)];
  options.addEventListener("change", () => (main.disabled = !checked()));
  const isAnswered = () => Boolean(shown.choice) && !shown.open;
  const update = (state) => {
    if (built === choices && ["choice", "open", "first"].every((key) => state[key] === shown[key])) return;
    const before = state.open ? undefined : shown.choice; // the choice stays picked if the reader starts again
    [shown, built] = [state, choices];
    const inputs = choices.map((each, value) => html("input", { type: "radio", name, value, checked: each === before }));
    options.replaceChildren(...choices.map((each, i) => option(each, inputs[i], state)));
    main.disabled = !isAnswered() && !checked();
    main.classList.toggle("abh-quiet", isAnswered());
    setText(main, isAnswered() ? ANSWER_AGAIN : COMMIT);
    answerButton.hidden = !state.open;
    setText(answerButton, state.open ? SHOW_ANSWER : "");
    note.hidden = !state.open;
    setText(note, state.open ? SECOND_TRY : "");
  };
  const ask = (question, heading = question.prompt) => {
    choices = question.choices;
    setProse(prompt, heading);
  };
  const focus = () => (radios().find((input) => input.checked) ?? radios().find((input) => !input.disabled)).focus();
  return { node, acts, ask, update, focus };
}
