// What stands above the sheet: title, presets, steps, heads.

import { html, setText, uid } from "../card/elements.js";
import { smallButton } from "./arithmetic.js";
import { guardedButton } from "./shape.js";

export const STEP_WORDS = {
  input: (s) => `Each token is a row of d_model = ${s.d_model} numbers. Change any of them.`,
  queries: () => "Every row of X times W_Q: what a token looks for.",
  keys: () => "Every row of X times W_K: what a token can be found by.",
  values: () => "Every row of X times W_V: what a token passes on.",
  scores: () => "Q K\u1d40: each row of Q with each row of K, one dot product a cell.",
  scaled: (s) => `Every score divided by \u221ad_k = \u221a${s.d_k}.`,
  mask: () => "\u2212\u221e where a token may not look: its exponential is 0.",
  weights: (s) => (s.masked
    ? "Softmax of each row: 0 where masked, the rest adds up to 1. A row without a key stays 0."
    : "Softmax of each row: positive numbers that add up to 1."),
  head: () => "Each row of weights mixes the rows of V.",
  concat: () => "The outputs of the heads side by side.",
  output: (s) => `The heads mixed, and back to d_model = ${s.d_model} columns.`,
};

/** A list of choices with its label. */
export function choice({ label, options, set }) {
  const id = uid("abh-ws-choice");
  const list = html("select", { id, class: "abh-field" },
    ...options.map(([value, shown]) => html("option", { value }, shown)));
  list.addEventListener("change", () => set(list.value));
  const node = html("div", { class: "abh-ws-choice" }, html("label", { for: id }, label), list);
  return { node, update: (value) => (list.value = String(value)) };
}

/**
 * The walk: one mark a step, a switch to show all matrices, back, on.
 *
 * go(step): leads to a step; showAll(on): shows all matrices, or the step's alone
 */
export function walk(go, showAll) {
  /** @type {[any[], number]} */
  let [steps, at] = [[], 0];
  const back = guardedButton("Back", "Back one step", () => go(steps[at - 1]));
  const next = guardedButton("Next", "Next step", () => go(steps[at + 1]));
  const all = smallButton("All matrices", { "aria-pressed": "false", onclick: () => showAll(all.ariaPressed === "false") });
  const list = html("ol", { class: "abh-ws-progress" });
  const said = html("p", { class: "abh-ws-step" });
  const node = html("div", { role: "group", class: "abh-ws-walk", "aria-label": "Steps of the computation" },
    html("div", { class: "abh-ws-marks" }, list, all),
    html("div", { class: "abh-ws-turn" }, said, back.button, next.button));
  const mark = (step, index) =>
    html("li", {}, html("button", {
      type: "button", class: "abh-bare", "aria-label": `${step.title}: step ${index + 1} of ${steps.length}`, onclick: () => go(steps[index]),
    }, html("span", {}, step.title)));
  let built = "";
  const update = (found, step, words, isAll) => {
    steps = found;
    const signature = steps.map((s) => s.id).join();
    if (signature !== built) list.replaceChildren(...steps.map(mark));
    built = signature;
    at = steps.findIndex((s) => s.id === step.id);
    [...list.children].forEach((item, i) => {
      item.dataset.state = i < at ? "done" : i === at ? "here" : "ahead";
      if (i === at) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    });
    all.setAttribute("aria-pressed", String(isAll));
    back.guard(at === 0 ? "first" : "");
    next.guard(at === steps.length - 1 ? "last" : "");
    said.replaceChildren(
      html("span", {}, `Step ${at + 1} of ${steps.length}`),
      html("strong", {}, step.title),
      html("span", {}, words),
    );
  };
  return { node, update };
}

/** Title and provenance, and beside them the list of what to start from. */
export function heading({ root, watch }, state, example) {
  const title = html("p", { class: "abh-ws-heading" }, " ");
  const provenance = html("p", { class: "abh-note" }, " ");
  root.prepend(html("header", { class: "abh-ws-header" }, title, provenance, example));
  watch(["presets", "example"], () => {
    setText(title, state.stated().title);
    root.setAttribute("aria-label", `Worksheet: ${state.stated().title}`);
    setText(provenance, state.stated().provenance);
  });
}
