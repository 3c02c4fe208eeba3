// Text with the few marks that questions, exercises and labels use: W_O, d_model, *h* and
// e^2.5. The weight matrices W_Q, W_K, W_V and W_O are set as W^Q, W^K, W^V and W^O.

import { html, symbol } from "./elements.js";

const MARKED = /(\u221a?)(?:\b([A-Za-z])_([A-Za-z]+)|\*([A-Za-z])\*|\be\^([\u2212\d.]*\d))([.,:;!?)]*)/g;

/** Set a letter with a subscript, but a weight matrix with a superscript: "W_Q" as W^Q. */
const scripted = (letter, script) =>
  letter === "W" && /^[QKVO]$/.test(script) ? symbol(letter, "", script) : symbol(letter, script);

/** A letter of a formula, perhaps with a subscript: "d_k", "\u03b2". */
export const symbolOf = (text) => symbol(...text.split("_"));

/** Return a text as nodes, with its symbols typeset. */
export function prose(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(MARKED)) {
    const [marked, root, letter, subscript, alone, power, punctuation] = found;
    nodes.push(text.slice(end, found.index));
    const set = power ? symbol("e", "", power) : scripted(letter ?? alone, subscript);
    const isAlone = !root && !punctuation;
    nodes.push(isAlone ? set : html("span", { class: "abh-together" }, root, set, punctuation));
    end = found.index + marked.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== "");
}

/** Replace an element's content by a marked text, if the text differs. */
export function setProse(node, text) {
  if (node.dataset.text === text) return;
  node.dataset.text = text;
  node.replaceChildren(...prose(text));
}
