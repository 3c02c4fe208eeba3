// The act that moves the attention of *it*: a last word of the other kind.

import { html, setText } from "../card/elements.js";

/**
 * A button that puts into `trait` the word's counterpart, of which the second half of
 * `endings` is said of the other kind of noun. Returns { node, update() }.
 */
export function turnButton({ model, put }, trait, endings) {
  const other = () => (model.get(trait) + endings.length / 2) % endings.length;
  const texts = endings.map((ending) => `Make it ${ending}`);
  const text = html("span", { class: "abh-boxed", style: `width: ${Math.max(...texts.map(({ length }) => length))}ch` }, " ");
  const node = html("button", { type: "button", class: "abh-button" }, text);
  node.addEventListener("click", () => put(trait, other()));
  return { node, update: () => setText(text, texts[other()]) };
}
