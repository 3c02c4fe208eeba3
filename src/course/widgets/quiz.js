// A quiz: questions with one right choice, each choice explained after the commit.

import { card } from "./card/card.js";
import { chosenOf, goneLine } from "./card/choices.js";
import { html, setText, uid } from "./card/elements.js";
import { prose, setProse } from "./card/prose.js";

// What stands beside a choice once the reader has committed.
function choiceMark(choice, isPicked) {
  if (choice.right) return isPicked ? "Right." : "This is the answer.";
  return isPicked ? "Your choice." : "";
}

function explainedChoice(choice, input, isPicked) {
  const mark = choiceMark(choice, isPicked);
  const why = html("p", { class: "abh-why", hidden: true });
  const row = html("label", { class: "abh-choice" }, input, html("span", {}, ...prose(choice.text)));
  const node = html("div", { class: "abh-option" }, row, why);
  if (isPicked === null) return node;
  input.disabled = true;
  input.checked = isPicked;
  why.hidden = false;
  why.append(...(mark ? [html("strong", {}, mark), " "] : []), ...prose(choice.why));
  node.dataset.verdict = choice.right ? "right" : isPicked ? "wrong" : "other";
  return node;
}

// One question as a fieldset that redraws itself when its pick changes.
function questionField(question, number, total, pick) {
  const name = uid("question");
  const heading = total > 1 ? `${number + 1}. ${question.prompt}` : question.prompt;
  const options = html("div", { class: "abh-choices" });
  const verdict = html("p", { class: "abh-quizverdict", tabindex: "-1" });
  const button = html("button", { type: "button", class: "abh-button" });
  const field = html("fieldset", { class: "abh-predict" },
    html("legend", { class: "abh-prompt" }, ...prose(heading)), options, verdict, button);
  const node = html("div", { class: "abh-question" }, field);
  let shown = null; // the choice that is shown as picked: undefined where none is
  const checked = () => options.querySelector("input:checked");
  options.addEventListener("change", () => (button.disabled = !checked()));
  button.addEventListener("click", () => {
    pick(number, shown ? undefined : question.choices[Number(checked().value)]);
    (shown ? verdict : options.querySelector("input")).focus();
  });
  const update = (choice) => {
    if (choice === shown) return;
    shown = choice;
    const inputs = question.choices.map((_, value) => html("input", { type: "radio", name, value }));
    options.replaceChildren(...question.choices.map((each, i) =>
      explainedChoice(each, inputs[i], choice ? each === choice : null)));
    verdict.hidden = !choice;
    setProse(verdict, choice ? verdictText(question, choice) : "");
    button.disabled = !choice;
    button.classList.toggle("abh-quiet", Boolean(choice));
    setText(button, choice ? "Answer again" : "Commit to this answer");
  };
  return { node, update };
}

function verdictText(question, choice) {
  const right = question.choices.find((other) => other.right);
  if (choice.right) return "Right. Each choice now says why.";
  const quoted = right.text.includes("\u201c") ? right.text : `\u201c${right.text}\u201d`;
  return `Not so: the answer is ${quoted}. Each choice now says why.`;
}

/** The reader's choice of each question; undefined where there is none. */
const currentPicks = (model) => chosenOf(model.get("questions"), model.get("picked"));

/** What the trait `picked` holds of these choices. */
function keptPicks(questions, picks) {
  const answered = questions.filter((_, i) => picks[i]);
  return Object.fromEntries(answered.map((question) => [question.prompt, picks[questions.indexOf(question)].text]));
}

/** Leave open what was chosen and is no longer there; gives the texts of it. */
function leaveOpen(model) {
  const picks = currentPicks(model);
  const texts = picks.map((choice) => choice?.text);
  const gone = Object.values(model.get("picked")).filter((text) => !texts.includes(text));
  if (gone.length) {
    model.set("picked", keptPicks(model.get("questions"), picks));
    model.save_changes();
  }
  return gone;
}

function scoreText(questions, picks) {
  const right = picks.filter((choice) => choice?.right).length;
  const open = picks.filter((choice) => !choice).length;
  const rest = open ? `${open} still to answer.` : "All answered.";
  return `${right} of ${questions.length} right. ${rest}`;
}

function quiz(context) {
  const questions = context.model.get("questions");
  const several = questions.length > 1;
  const gone = goneLine();
  gone.tell(leaveOpen(context.model)); // before the card notes what can be undone
  const parts = card(context, { lines: [1, 1], fills: false });
  const { model, root, body, drawing, controls, watch, put, say } = parts;
  const pick = (number, choice) => {
    gone.tell([]);
    put("picked", keptPicks(questions, currentPicks(model).with(number, choice)));
  };
  const fields = questions.map((question, i) => questionField(question, i, questions.length, pick));
  const restart = html("button", { type: "button", class: "abh-button abh-quiet" }, "Start the quiz again");
  restart.addEventListener("click", () => {
    put("picked", {});
    root.querySelector("input").focus();
  });
  root.classList.add("abh-quiz");
  controls.remove();
  drawing.append(...fields.map(({ node }) => node), gone.node);
  if (several) body.append(restart);
  else body.querySelector(".abh-reading").remove();
  watch(["picked"], () => {
    const picks = currentPicks(model);
    fields.forEach((field, i) => field.update(picks[i]));
    restart.disabled = picks.every((choice) => !choice);
    say(scoreText(questions, picks));
  });
  return parts.dispose;
}

export default { render: quiz };
