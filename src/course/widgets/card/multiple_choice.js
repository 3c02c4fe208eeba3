// A question with its choices: one is picked and committed to, then each explains itself.

/** @import { QuestionChoice } from "../contract.d.ts" */

import { html, setText, uid } from "./elements.js";
import { prose, setProse } from "./prose.js";

const COMMIT = "Commit to this answer";

/** A choice: to be picked, or, once one was, with its reason. */
function option(choice, input, picked, marks) {
  const row = html("label", { class: "abh-choice" }, input, html("span", {}, ...prose(choice.text)));
  if (!picked) return html("div", { class: "abh-option" }, row);
  const isPicked = choice === picked;
  const mark = choice.right ? marks[isPicked ? "right" : "answer"] : isPicked ? marks.picked : "";
  input.disabled = true;
  input.checked = isPicked;
  const why = html("p", { class: "abh-why" }, ...(mark ? [html("strong", {}, mark), " "] : []), ...prose(choice.why));
  return html("div", { class: "abh-option", "data-verdict": choice.right ? "right" : isPicked ? "wrong" : "other" }, row, why);
}

/**
 * Build the form of a question.
 *
 * marks: what stands beside the choice that was picked, where it is right (`right`) and
 * where not (`picked`), and beside the right one where it was not picked (`answer`)
 * again: the button that begins anew; commit(choice), reopen(): what the buttons do
 *
 * Returns { node, acts, ask(question, heading), update(choice), focus() }: the form, where
 * its buttons stand, the question it shows, the choice that was committed to, or undefined.
 */
export function multipleChoice({ marks, again, commit, reopen }) {
  const name = uid("choice");
  const prompt = html("legend", { class: "abh-prompt" });
  const options = html("div", { class: "abh-choices" });
  const button = html("button", { type: "button", class: "abh-button" });
  const acts = html("div", { class: "abh-acts" }, button);
  const node = html("fieldset", { class: "abh-predict" }, prompt, options, acts);
  /** @type {[QuestionChoice[], QuestionChoice | undefined, QuestionChoice[] | null]} */
  let [choices, picked, built] = [[], undefined, null];
  const radios = () => [...options.querySelectorAll("input")];
  const checked = () => choices[radios().findIndex((input) => input.checked)];
  options.addEventListener("change", () => (button.disabled = !checked()));
  button.addEventListener("click", () => (picked ? reopen() : commit(checked())));
  const update = (choice) => {
    if (choice === picked && built === choices) return;
    const before = picked; // who begins anew finds it still chosen
    [picked, built] = [choice, choices];
    const inputs = choices.map((each, value) => html("input", { type: "radio", name, value, checked: each === before }));
    options.replaceChildren(...choices.map((each, i) => option(each, inputs[i], picked, marks)));
    button.disabled = !picked && !checked();
    button.classList.toggle("abh-quiet", Boolean(picked));
    setText(button, picked ? again : COMMIT);
  };
  const ask = (question, heading = question.prompt) => {
    choices = question.choices;
    setProse(prompt, heading);
  };
  return { node, acts, ask, update, focus: () => (radios().find((input) => input.checked) ?? radios()[0]).focus() };
}
