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
  const lines = Array.from({ length: LIKELIEST + 1 }, (_, k) => {
    const word = html(k < LIKELIEST ? "button" : "span", k < LIKELIEST ? { type: "button", class: "abh-bare abh-one-line abh-tr-word" } : {});
    const [bar, share] = [html("span", { class: "abh-tr-bar", "aria-hidden": "true" }), number({ style: "--abh-characters: 4.6" })];
    if (k < LIKELIEST) word.addEventListener("click", () => force(word.ariaPressed === "true" ? "" : word.textContent));
    return { word, bar, share, node: html("div", { class: "abh-tr-line" }, word, share, html("span", { class: "abh-tr-room" }, bar)) };
  });
  const update = (logits, french, beta, after, forced, chosen) => {
    const shares = softmax(logits, beta);
    const first = largest(logits, LIKELIEST);
    const at = french.indexOf(chosen);
    if (!first.includes(at)) first[LIKELIEST - 1] = at;
    const rest = 1 - first.reduce((sum, i) => sum + shares[i], 0);
    setText(title, `Next word after ${after}. Press a word to write it.`);
    [...first.map((i) => [french[i], shares[i]]), [`${french.length - LIKELIEST} others`, Math.max(rest, 0)]].forEach(([text, share], k) => {
      const { word, bar, share: shown } = lines[k];
      setText(word, text);
      setShare(bar, share);
      setValue(shown, share, fixed(share, 2));
      if (k === LIKELIEST) return;
      setPressed(word, text === forced);
      word.classList.toggle("abh-tr-written", text === chosen);
    });
  };
  const node = html("div", { class: "abh-tr-next" },
    html("div", { class: "abh-tr-asked" }, title, html("div", { class: "abh-controls" }, control("beta"))),
    html("div", { class: "abh-tr-lines" }, ...lines.map((line) => line.node)));
  return { node, update };
}
