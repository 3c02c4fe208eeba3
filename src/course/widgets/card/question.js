// The question above a figure: an offer. The reader answers it or goes on without;
// then it folds to one line, which opens again. Nothing that moves waits for it.

import { choiceOf, goneLine } from "./choices.js";
import { html, setText, uid } from "./elements.js";

const VEILED = "Veiled until you answer, go on, or move a control";

/**
 * The question of a card, and the veil over what would give its answer away.
 *
 * The veil is drawn and nothing else: a screen reader reads what is under it, and
 * paper has none. Returns { node, why, veil(node, answers), lift }: the offer, what is
 * said below the figure once the reader has answered, what a view calls for each part
 * that answers a question with `veil` set, and what it calls where a key does what a
 * control does. A part that answers only at times says so by `answers()`; `veil` returns
 * what is to be called when that changes.
 */
export function questionOf({ model, body, watch, put }) {
  const veiled = [];
  let moved = false;
  const state = () => {
    const { prompt, choices, veil } = model.get("question");
    const choice = prompt ? choiceOf({ choices }, model.get("answer")) : undefined;
    return { prompt, choices: choices ?? [], choice, veil, skipped: model.get("opened") };
  };
  const showVeil = () => {
    const { prompt, choice, veil, skipped } = state();
    const covers = Boolean(prompt && veil && !choice && !skipped && !moved);
    veiled.forEach(([node, answers], i) => {
      node.classList.toggle("abh-veiled", covers && (answers?.() ?? true));
      if (answers || i === Math.min(1, veiled.length - 1)) node.dataset.veil = VEILED;
      else delete node.dataset.veil;
    });
  };
  const lift = () => {
    moved = true;
    showVeil();
  };
  body.addEventListener("input", lift);
  body.addEventListener("click", (event) => event.target.closest("button") && lift());

  const why = html("p", { class: "abh-verdict", role: "status", hidden: true });
  const offer = offerOf({ put, state, why, forget: () => (moved = false) });
  watch(["question"], () => {
    const { choices, choice } = state();
    const answer = model.get("answer");
    offer.ask(state());
    if (!choices.length || !answer || choice) return;
    offer.tellGone(answer);
    put("answer", "");
  });
  watch(["question", "answer", "opened"], () => {
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

/** The offer itself: choices and two ways on, or the line that they fold to. */
function offerOf({ put, state, why, forget }) {
  const name = uid("predict");
  const commit = html("button", { type: "button", class: "abh-button", disabled: true }, "Commit to this answer");
  const skip = html("button", { type: "button", class: "abh-button abh-quiet" });
  const again = html("button", { type: "button", class: "abh-button abh-quiet" }, "Predict again");
  const prompt = html("legend", { class: "abh-prompt" });
  const choices = html("div", { class: "abh-choices" });
  const form = html("fieldset", { class: "abh-predict" }, prompt, choices, html("div", { class: "abh-acts" }, commit, skip));
  const asked = html("p", { class: "abh-prompt" });
  const reasons = html("ul", { class: "abh-reasons" });
  const told = html("div", { class: "abh-told" }, asked, reasons, again);
  const region = html("div", { id: uid("question") }, form, told);
  const said = html("span", { class: "abh-said" });
  const verdict = html("strong", {});
  const line = html("button", { type: "button", class: "abh-folded", "aria-controls": region.id }, said, verdict);
  const gone = goneLine();
  const node = html("div", { class: "abh-offer" }, line, region, gone.node);
  const picked = () => choices.querySelector("input:checked");
  let texts = [];

  const unfold = (open) => {
    line.ariaExpanded = String(open);
    region.hidden = !open;
  };
  line.addEventListener("click", () => unfold(region.hidden));
  choices.addEventListener("change", () => (commit.disabled = !picked()));
  commit.addEventListener("click", () => {
    put("answer", texts[Number(picked().value)]);
    gone.tell([]);
    why.hidden = false;
    line.focus();
  });
  skip.addEventListener("click", () => {
    put("opened", true);
    line.focus();
  });
  again.addEventListener("click", () => {
    forget();
    put("opened", false);
    put("answer", "");
    (picked() ?? choices.querySelector("input")).focus();
  });

  const ask = (question) => {
    setText(prompt, question.prompt ?? "");
    setText(asked, question.prompt ?? "");
    texts = question.choices.map(({ text }) => text);
    choices.replaceChildren(...question.choices.map(({ text }, index) => radioChoice(name, index, text)));
  };
  const update = ({ prompt: words, choices: all, choice, veil, skipped }) => {
    const folds = Boolean(choice || skipped);
    node.hidden = !words;
    if (node.hidden) return;
    line.hidden = !folds;
    unfold(!folds);
    form.hidden = Boolean(choice);
    told.hidden = !choice;
    commit.disabled = !picked();
    skip.hidden = folds;
    setText(skip, veil ? "Show without predicting" : "Go on without predicting");
    setText(said, choice ? `You predicted: ${choice.text}` : `Not predicted: ${words}`);
    setText(verdict, choice ? verdictOf(choice) : "\u00a0");
    why.hidden = why.hidden || !choice;
    node.dataset.verdict = choice ? (choice.right ? "right" : "wrong") : "none";
    if (!choice) return;
    choices.querySelectorAll("input")[all.indexOf(choice)].checked = true;
    reasons.replaceChildren(...all.map((each) => reasonFor(each, each === choice)));
    why.dataset.verdict = node.dataset.verdict;
    why.replaceChildren(html("strong", {}, verdictOf(choice)), ` ${choice.why}`);
  };
  return { node, ask, update, tellGone: (text) => gone.tell([text]) };
}

const verdictOf = (choice) => (choice.right ? "Right." : "Not so.");

/** One choice of a radio group. */
function radioChoice(name, index, text) {
  const input = html("input", { type: "radio", name, value: index });
  return html("label", { class: "abh-choice" }, input, html("span", {}, text));
}

/** A choice with its reason: what was picked, and what is right, in words. */
function reasonFor({ text, right, why }, isPicked) {
  const mark = right ? "The answer. " : isPicked ? "Your prediction. " : "";
  return html("li", { "data-verdict": right ? "right" : isPicked ? "wrong" : "other" },
    html("span", { class: "abh-reason-text" }, text), " ",
    ...(mark ? [html("strong", {}, mark)] : []), why);
}
