// A quiz: questions with one right choice. After an answer every choice is explained.

import { card } from "./card/card.js";
import { chosenOf, openOf, resultOf, triesAt } from "./card/choices.js";
import { button, html } from "./card/elements.js";
import { multipleChoice } from "./card/multiple_choice.js";
import { setProse } from "./card/prose.js";

/** Build one question, with the verdict between its choices and its buttons. */
function questionField(question, number, total, { pick, showAnswer }) {
  const verdict = html("p", { class: "abh-quizverdict", tabindex: "-1" });
  const form = multipleChoice({
    commit: (choice) => {
      pick(number, choice);
      if (verdict.hidden) form.focus();
      else verdict.focus();
    },
    showAnswer: () => {
      showAnswer(number);
      verdict.focus();
    },
    reopen: () => {
      pick(number, undefined);
      form.focus();
    },
  });
  form.ask(question, total > 1 ? `${number + 1}. ${question.prompt}` : question.prompt);
  form.acts.before(verdict);
  const update = (state) => {
    form.update(state);
    verdict.hidden = !state.choice || state.open;
    setProse(verdict, verdict.hidden ? "" : verdictText(question, state.choice));
  };
  return { node: html("div", { class: "abh-question" }, form.node), update };
}

function verdictText(question, choice) {
  const right = question.choices.find((other) => other.right);
  if (choice.right) return "Right. Each choice now says why.";
  const quoted = right.text.includes("\u201c") ? right.text : `\u201c${right.text}\u201d`;
  return `Not right: the answer is ${quoted}. Each choice now says why.`;
}

/** Return the questions of the quiz with the reader's choices. */
export function results(get) {
  const questions = get("questions");
  const chosen = chosenOf(questions, get("picked"));
  const open = openOf(get, questions, chosen);
  return questions.map((question, i) => resultOf(question, chosen[i]?.text ?? "", "You chose", open[i]));
}

function scoreText(states) {
  const right = states.filter(({ choice }) => choice?.right).length;
  const left = states.filter(({ choice, open }) => !choice || open).length;
  const rest = left ? `${left} still to answer.` : "All answered.";
  return `${right} of ${states.length} right. ${rest}`;
}

function quiz(context) {
  const questions = context.model.get("questions");
  const several = questions.length > 1;
  const parts = card(context, { lines: [1, 1] });
  const { model, root, body, drawing, controls, watch, put, read } = parts;
  const picks = () => chosenOf(questions, model.get("picked"));
  const tries = triesAt(parts, () => questions, picks);
  const pick = (number, choice) => {
    if (choice) tries.commit(number, choice);
    else tries.askAgain(number);
    const chosen = picks().with(number, choice);
    put("picked", Object.fromEntries(questions.flatMap(({ prompt }, i) => (chosen[i] ? [[prompt, chosen[i].text]] : []))));
  };
  const fields = questions.map((question, i) => questionField(question, i, questions.length, { pick, showAnswer: tries.showAnswer }));
  const restart = button("Start the quiz again", () => {
    picks().forEach((choice, i) => choice && tries.askAgain(i));
    put("picked", {});
    root.querySelector("input").focus();
  });
  root.classList.add("abh-quiz");
  controls.remove();
  drawing.append(...fields.map(({ node }) => node));
  if (several) body.append(restart);
  else body.querySelector(".abh-reading").remove();
  watch(["picked", "tries"], () => {
    const states = questions.map((_, i) => tries.stateOf(i));
    fields.forEach((field, i) => field.update(states[i]));
    restart.disabled = states.every(({ choice }) => !choice);
    read(scoreText(states));
  });
}

export default { render: quiz };
