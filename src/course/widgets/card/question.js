// The question of a figure. The reader answers it or continues without an answer; then it
// folds to one line, which a press opens again. The controls work before an answer.

/** @import { Get } from "../contract.d.ts" */

import { choiceOf, openOf, resultOf, triesAt } from "./choices.js";
import { button, html, setText, uid } from "./elements.js";
import { multipleChoice, verdictOf } from "./multiple_choice.js";
import { prose } from "./prose.js";

/**
 * Return the question of the card, with what the reader predicted.
 *
 * @param {Get} get
 */
export function results(get) {
  const question = get("question");
  const choice = choiceOf(question, get("answer"));
  const [isOpen] = openOf(get, [question], [choice]);
  return [resultOf(question, choice?.text ?? "", "You predicted", isOpen)];
}

/**
 * Build the question of a card.
 *
 * Returns { node, why }. node: the question; why: the reason, shown below the figure after
 * an answer.
 */
export function questionOf({ model, watch, put, set }) {
  const question = () => ({ prompt: "", choices: [], ...model.get("question") });
  const picked = () => choiceOf(question(), model.get("answer"));
  const tries = triesAt({ model, put }, () => [question()], () => [picked()]);
  const state = () => ({ ...question(), skipped: model.get("opened"), ...tries.stateOf(0) });
  const why = html("p", { class: "abh-verdict", role: "status", hidden: true });
  const offer = offerOf({ put, set, state, why, tries });
  watch(["question"], () => offer.ask(question()));
  watch(["question", "answer", "opened", "tries"], () => offer.update(state()));
  return { node: offer.node, why };
}

/** Build the form with choices and buttons, and the line to which the form folds. */
function offerOf({ put, set, state, why, tries }) {
  const form = multipleChoice({
    commit: (choice) => {
      tries.commit(0, choice);
      put("answer", choice.text);
      if (state().open) form.focus();
      else fold();
    },
    showAnswer: () => {
      tries.showAnswer(0);
      fold();
    },
    reopen: () => {
      tries.askAgain(0);
      set({ opened: false, answer: "" });
      form.focus();
    },
  });
  const skip = button("Go on without predicting", () => {
    put("opened", true);
    line.focus();
  });
  form.acts.append(skip);
  const region = html("div", { id: uid("question") }, form.node);
  const said = html("span", { class: "abh-said abh-one-line" });
  const verdict = html("strong", {});
  const line = button([said, verdict], () => unfold(region.hidden), { class: "abh-folded", "aria-controls": region.id });
  const node = html("div", { class: "abh-offer" }, line, region);
  const fold = () => {
    why.hidden = false;
    line.focus();
  };
  const unfold = (open) => {
    line.ariaExpanded = String(open);
    region.hidden = !open;
  };
  const update = ({ prompt, choice, open, first, skipped }) => {
    const folds = choice ? !open : skipped;
    node.hidden = !prompt;
    if (node.hidden) return;
    line.hidden = !folds;
    unfold(!folds);
    form.update({ choice, open, first });
    skip.hidden = folds || open;
    setText(said, choice ? `You predicted: ${choice.text}` : `Not predicted: ${prompt}`);
    setText(verdict, choice ? verdictOf(choice) : "\u00a0");
    why.hidden = why.hidden || !folds || !choice;
    node.dataset.verdict = choice && folds ? (choice.right ? "right" : "wrong") : "none";
    if (!choice) return;
    why.dataset.verdict = node.dataset.verdict;
    why.replaceChildren(html("strong", {}, verdictOf(choice)), " ", ...prose(choice.why));
  };
  return { node, ask: form.ask, update };
}
