// The reader composes a sentence from lists, or types it.

import { afterFrame } from "../card/later.js";
import { html, selectOf, setText, uid } from "../card/elements.js";
import { whyOutside } from "./grammar.js";
import { PATTERNS, choiceOf, compose, firstChoice, places, refusal, split } from "./sentence.js";

const NO_LIST = "as typed"; // shown as the kind of a sentence that the lists cannot make

/**
 * Build the lists and the text field.
 *
 * words: the grammar's words; refuse(isRefused): called with true if the model cannot read
 * the typed text
 * Returns { node }. A sentence of known words goes into the trait `sentence`. For any other
 * text the card shows the reason why the model cannot read it.
 */
export function composer({ model, watch, set, root, signal }, words, refuse) {
  const later = afterFrame(root, signal);
  const choice = firstChoice();
  const row = html("div", { class: "abh-tr-choices", role: "group", "aria-label": "Compose a sentence" });
  const id = uid("typed");
  const answer = html("p", { id: `${id}-answer`, class: "abh-tr-answer", role: "status" });
  const field = html("input", {
    type: "text", id, class: "abh-field abh-sentence", autocomplete: "off", spellcheck: "false", "aria-describedby": answer.id,
  });
  /** Show why the model cannot read these words; return whether it can read them. */
  const check = (english) => {
    const wrong = refusal(english, words);
    setText(answer, wrong);
    field.ariaInvalid = wrong ? "true" : null;
    refuse(Boolean(wrong));
    return !wrong;
  };
  const accept = (english) => set({ step: 1, forced: [], sentence: english.join(" ") });
  const take = (text) => {
    const english = split(text);
    if (check(english)) accept(english);
  };
  field.addEventListener("change", () => take(field.value));
  field.addEventListener("keydown", (event) => event.key === "Enter" && take(field.value));

  const list = ({ at, label, options, text }) => {
    const holder = at.length > 1 ? choice[at[0]] : choice;
    const node = selectOf(options.map((option) => [option, text(option)]), (option) => {
      holder[at.at(-1)] = option;
      places(words, choice); // replaces options that no longer fit
      accept(compose(words, choice));
      later([rebuild]); // many options: rebuilding the lists takes longer than the translation
    }, { "aria-label": label });
    node.value = holder[at.at(-1)];
    return node;
  };
  const kinds = () => list({ at: ["pattern"], label: "kind of sentence", options: PATTERNS, text: (option) => option });
  const build = () => row.replaceChildren(kinds(), ...places(words, choice).map(list));
  const rebuild = () => {
    const focused = row.querySelector(":focus")?.getAttribute("aria-label");
    build();
    if (focused) row.querySelector(`[aria-label="${focused}"]`)?.focus();
  };
  // The lists cannot make this sentence. The first list stays enabled: a choice in it enables all lists.
  const disableLists = () => {
    const [first, ...others] = row.children;
    if (others[0]?.matches(":disabled")) return;
    first.prepend(html("option", { value: NO_LIST }, NO_LIST));
    first.value = NO_LIST;
    for (const other of others) other.disabled = true;
  };
  build();
  const node = html("div", {}, row,
    html("div", { class: "abh-fields abh-tr-typing" }, html("label", { class: "abh-note", for: id }, "or type one"), field), answer);
  const setLists = (english) => {
    const isShown = row.firstChild.value !== NO_LIST && compose(words, choice).join(" ") === english.join(" ");
    if (isShown) return;
    const found = whyOutside(words.grammar, english) ? undefined : choiceOf(words, english);
    if (!found) return void disableLists();
    Object.assign(choice, found);
    rebuild();
  };
  watch(["sentence"], () => {
    const isFirst = field.value === "";
    field.value = model.get("sentence");
    const english = split(field.value);
    if (isFirst) setLists(english);
    else later([() => setLists(english)]); // the search takes longer than the translation
    check(english);
  });
  return { node };
}
