// The button that moves the attention of *it*: it sets a last word of the other kind.

import { MAIN, button, html, setText } from "../card/elements.js";

/**
 * Build a button that sets `trait` to the counterpart of the last word. The two halves of
 * `endings` describe the two kinds of nouns. Returns { node, update() }.
 */
export function turnButton({ model, put }, trait, endings) {
  const other = () => (model.get(trait) + endings.length / 2) % endings.length;
  const texts = endings.map((ending) => `End with “${ending}”`);
  const text = html("span", { class: "abh-boxed", style: `width: ${Math.max(...texts.map(({ length }) => length))}ch` }, " ");
  return { node: button(text, () => put(trait, other()), MAIN), update: () => setText(text, texts[other()]) };
}
