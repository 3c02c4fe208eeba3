// Where the reader makes a sentence: out of choices, or by typing.

import { html, setText, uid } from "../card/elements.js";
import { PATTERNS, choiceOf, compose, firstChoice, places, refusal, split } from "./sentence.js";

/**
 * The choices and the field.
 *
 * words: the grammar's words; most: words that a sentence may have
 * Returns { node }. Puts an accepted sentence into the trait `sentence`; a refused one is
 * answered in words, and the last accepted one stays.
 */
export function composer({ model, watch, put }, words, most) {
  const choice = firstChoice();
  const row = html("div", { class: "abh-tr-choices", role: "group", "aria-label": "Compose a sentence" });
  const id = uid("typed");
  const answer = html("p", { id: `${id}-answer`, class: "abh-tr-answer", role: "status" });
  const field = html("input", {
    type: "text", id, class: "abh-field", autocomplete: "off", spellcheck: "false", "aria-describedby": answer.id,
  });
  const say = (wrong) => {
    setText(answer, wrong);
    field.ariaInvalid = wrong ? "true" : null;
  };
  const accept = (english) => {
    put("step", 0); // a new sentence is shown whole
    put("sentence", english.join(" "));
  };
  const take = (text) => {
    const english = split(text);
    const wrong = refusal(english, words.english, most);
    say(wrong);
    if (!wrong) accept(english);
  };
  field.addEventListener("change", () => take(field.value));
  field.addEventListener("keydown", (event) => event.key === "Enter" && take(field.value));

  const focusOn = (label) => row.querySelector(`[aria-label="${label}"]`)?.focus();
  const list = ({ at, label, options, text }) => {
    const holder = at.length > 1 ? choice[at[0]] : choice;
    const node = html("select", { class: "abh-field", "aria-label": label },
      ...options.map((option) => html("option", { value: option }, text(option))));
    node.value = holder[at.at(-1)];
    node.addEventListener("change", () => {
      holder[at.at(-1)] = node.value;
      build();
      accept(compose(words, choice));
      focusOn(label); // once all is drawn: it lays out
    });
    return node;
  };
  const build = () => row.replaceChildren(
    list({ at: ["pattern"], label: "kind of sentence", options: PATTERNS, text: (option) => option }),
    ...places(words, choice).map(list));
  build();
  const node = html("div", { class: "abh-tr-composer" }, row,
    html("div", { class: "abh-tr-typed" }, html("label", { for: id }, "or type one"), field), answer);
  const follow = (english) => {
    if (compose(words, choice).join(" ") === english.join(" ")) return;
    const found = choiceOf(words, english);
    if (!found) return;
    const held = row.querySelector(":focus")?.getAttribute("aria-label");
    Object.assign(choice, found);
    build();
    if (held) focusOn(held);
  };
  watch(["sentence"], () => {
    field.value = model.get("sentence");
    const english = split(field.value);
    follow(english);
    say(refusal(english, words.english, most));
  });
  return { node };
}
