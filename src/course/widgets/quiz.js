// A quiz: questions with one right choice, each choice explained after the commit.

import { card } from "./card/card.js";
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
  let shown;
  const checked = () => options.querySelector("input:checked");
  options.addEventListener("change", () => (button.disabled = !checked()));
  button.addEventListener("click", () => {
    if (shown < 0) pick(number, Number(checked().value));
    else pick(number, -1);
    (shown < 0 ? options.querySelector("input") : verdict).focus();
  });
  const update = (picked) => {
    if (picked === shown) return;
    shown = picked;
    const inputs = question.choices.map((_, value) => html("input", { type: "radio", name, value }));
    options.replaceChildren(...question.choices.map((choice, i) =>
      explainedChoice(choice, inputs[i], picked < 0 ? null : i === picked)));
    const choice = question.choices[picked];
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

// One pick for each question; -1 where there is none, or none that exists.
function currentPicks(model) {
  const picked = model.get("picked");
  return model.get("questions").map(({ choices }, i) =>
    Number.isInteger(picked[i]) && picked[i] < choices.length ? Math.max(picked[i], -1) : -1);
}

function scoreText(questions, picks) {
  const right = picks.filter((pick, i) => questions[i].choices[pick]?.right).length;
  const open = picks.filter((pick) => pick < 0).length;
  const rest = open ? `${open} still to answer.` : "All answered.";
  return `${right} of ${questions.length} right. ${rest}`;
}

function quiz(context) {
  const questions = context.model.get("questions");
  const several = questions.length > 1;
  const parts = card(context, { lines: [1, 1], fills: false });
  const { model, root, body, drawing, controls, watch, put, say } = parts;
  const pick = (number, value) =>
    put("picked", currentPicks(model).map((old, i) => (i === number ? value : old)));
  const fields = questions.map((question, i) => questionField(question, i, questions.length, pick));
  const restart = html("button", { type: "button", class: "abh-button abh-quiet" }, "Start the quiz again");
  restart.addEventListener("click", () => {
    put("picked", []);
    root.querySelector("input").focus();
  });
  root.classList.add("abh-quiz");
  controls.remove();
  drawing.append(...fields.map(({ node }) => node));
  if (several) body.append(restart);
  else body.querySelector(".abh-reading").remove();
  watch(["picked"], () => {
    const picks = currentPicks(model);
    fields.forEach((field, i) => field.update(picks[i]));
    restart.disabled = picks.every((pick) => pick < 0);
    say(scoreText(questions, picks));
  });
  return parts.dispose;
}

export default { render: quiz };
