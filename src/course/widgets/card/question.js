// The question of a figure. The reader answers it or continues without an answer; then it
// folds to one line, which a press opens again. The controls work before an answer.

/** @import { Get } from "../contract.d.ts" */

import { choiceOf, goneLine, openOf, resultOf, triesAt } from "./choices.js";
import { button, html, setText, uid } from "./elements.js";
import { multipleChoice, verdictOf } from "./multiple_choice.js";
import { prose } from "./prose.js";

/**
 * Return the question of the card, with what the reader predicted.
 *
 * @param {Get} get
 */
export function results(get) {
  const [question, answer] = [get("question"), get("answer")];
  const [isOpen] = openOf(get, [question], [choiceOf(question, answer)]);
  return [resultOf(question, answer, "You predicted", isOpen)];
}

const VEILED = "Hidden until you answer, skip the question, or move a control";

/**
 * Build the question of a card, and the veil over parts that would give its answer away.
 *
 * The veil is only painted: a screen reader reads the parts under it, and a printed page has no veil.
 * Returns { node, why, veil(node, answers), lift }. node: the question; why: the reason, shown
 * below the figure after an answer. A view calls `veil` for each part that gives the answer
 * away, and `lift` when a key does what a control does. `answers()` says whether a part gives
 * the answer away at present; when this changes, the view calls the function that `veil`
 * returned. Without `veil` in the question, nothing is veiled.
 */
export function questionOf({ model, body, watch, put }) {
  const veiled = [];
  let moved = false;
  const picked = () => choiceOf({ choices: [], ...model.get("question") }, model.get("answer"));
  const tries = triesAt({ model, put }, () => [{ prompt: "", choices: [], ...model.get("question") }], () => [picked()]);
  const state = () => {
    const { prompt = "", choices = [], veil = false } = model.get("question");
    return { prompt, choices, veil, skipped: model.get("opened"), ...tries.stateOf(0) };
  };
  const showVeil = () => {
    const { prompt, choice, open, veil, skipped } = state();
    const covers = Boolean(prompt && veil && (!choice || open) && !skipped && !moved);
    veiled.forEach(([node, answers], i) => {
      node.classList.toggle("abh-veiled", covers && (answers?.() ?? true));
      if (answers || i === Math.min(1, veiled.length - 1)) node.dataset.veil = VEILED;
      else delete node.dataset.veil;
    });
  };
  const lift = () => {
    if (moved) return;
    moved = true;
    showVeil();
  };
  body.addEventListener("input", lift);
  body.addEventListener("click", (event) => event.target.closest("button") && lift());

  const why = html("p", { class: "abh-verdict", role: "status", hidden: true });
  const offer = offerOf({ put, state, why, tries, forget: () => (moved = false) });
  watch(["question"], () => {
    const { choices, choice } = state();
    const answer = model.get("answer");
    offer.ask(state());
    if (!choices.length || !answer || choice) return;
    offer.tellGone(answer);
    put("answer", "");
  });
  watch(["question", "answer", "opened", "tries"], () => {
    offer.update(state());
    showVeil();
  });
  const veil = (node, answers) => {
    veiled.push([node, answers]);
    showVeil();
    return showVeil;
  };
  return { node: offer.node, why, veil, lift };
}

/** Build the form with choices and buttons, and the line to which the form folds. */
function offerOf({ put, state, why, tries, forget }) {
  const form = multipleChoice({
    commit: (choice) => {
      tries.commit(0, choice);
      put("answer", choice.text);
      gone.tell([]);
      if (state().open) form.focus();
      else fold();
    },
    tell: () => {
      tries.tell(0);
      fold();
    },
    reopen: () => {
      forget();
      tries.askAgain(0);
      put("opened", false);
      put("answer", "");
      form.focus();
    },
  });
  const skip = button("", () => {
    put("opened", true);
    line.focus();
  });
  form.acts.append(skip);
  const region = html("div", { id: uid("question") }, form.node);
  const said = html("span", { class: "abh-said" });
  const verdict = html("strong", {});
  const line = button([said, verdict], () => unfold(region.hidden), { class: "abh-folded", "aria-controls": region.id });
  const gone = goneLine();
  const node = html("div", { class: "abh-offer" }, line, region, gone.node);
  const fold = () => {
    why.hidden = false;
    line.focus();
  };
  const unfold = (open) => {
    line.ariaExpanded = String(open);
    region.hidden = !open;
  };
  const update = ({ prompt, choice, open, first, veil, skipped }) => {
    const folds = choice ? !open : skipped;
    node.hidden = !prompt;
    if (node.hidden) return;
    line.hidden = !folds;
    unfold(!folds);
    form.update({ choice, open, first });
    skip.hidden = folds || open;
    setText(skip, veil ? "Show without predicting" : "Go on without predicting");
    setText(said, choice ? `You predicted: ${choice.text}` : `Not predicted: ${prompt}`);
    setText(verdict, choice ? verdictOf(choice) : "\u00a0");
    why.hidden = why.hidden || !folds || !choice;
    node.dataset.verdict = choice && folds ? (choice.right ? "right" : "wrong") : "none";
    if (!choice) return;
    why.dataset.verdict = node.dataset.verdict;
    why.replaceChildren(html("strong", {}, verdictOf(choice)), " ", ...prose(choice.why));
  };
  return { node, ask: form.ask, update, tellGone: (text) => gone.tell([text]) };
}
