// Bars of the most probable next words. Pressing a word makes the decoder write it.

import { number, setShare, setValue } from "../card/drawings.js";
import { html, setPressed, setText } from "../card/elements.js";
import { fixed, softmax } from "../card/numbers.js";
import { largest } from "./forward.js";

const LIKELIEST = 5; // number of words with their own bar

/**
 * Build the bars of the next-word distribution, and the control of its sharpness.
 *
 * force(word): called with the word that the reader presses; "" undoes the choice
 */
export function nextWords({ control }, force) {
  const title = html("p", { class: "abh-caption" });
  const line = (word) => {
    const [bar, value] = [html("span", { class: "abh-tr-bar", "aria-hidden": "true" }), number({ style: "--abh-characters: 4.6" })];
    return { word, bar, value, node: html("div", { class: "abh-tr-line" }, word, value, html("span", { class: "abh-tr-room" }, bar)) };
  };
  const words = Array.from({ length: LIKELIEST }, () => html("button", { type: "button", class: "abh-bare abh-one-line abh-tr-word" }));
  for (const word of words) word.addEventListener("click", () => force(word.ariaPressed === "true" ? "" : word.textContent));
  const lines = [...words, html("span", {})].map(line);
  // after: text of the words before; forced: word that the reader pressed, "" or undefined if none; chosen: word that the decoder wrote
  const update = (logits, french, beta, after, forced, chosen) => {
    const shares = softmax(logits, beta);
    const first = largest(logits, LIKELIEST);
    const at = french.indexOf(chosen);
    if (!first.includes(at)) first[LIKELIEST - 1] = at; // the chosen word always has a bar
    const rest = 1 - first.reduce((sum, i) => sum + shares[i], 0);
    setText(title, `Next word after ${after}. Press a word to write it.`);
    const texts = [...first.map((i) => french[i]), `${french.length - LIKELIEST} others`];
    [...first.map((i) => shares[i]), Math.max(rest, 0)].forEach((share, k) => {
      const { word, bar, value } = lines[k];
      setText(word, texts[k]);
      setShare(bar, share);
      setValue(value, share, fixed(share, 2));
    });
    words.forEach((word, k) => {
      setPressed(word, texts[k] === forced);
      word.classList.toggle("abh-tr-written", texts[k] === chosen);
    });
  };
  const node = html("div", { class: "abh-tr-next" },
    html("div", { class: "abh-tr-asked" }, title, html("div", { class: "abh-controls" }, control("beta"))),
    html("div", { class: "abh-tr-lines" }, ...lines.map((line) => line.node)));
  return { node, update };
}
