// Text with the few marks that questions and exercises use: W_O, d_model and e^2.5.

import { html, symbol } from "./elements.js";

const MARKED = /(?:\b([A-Za-z])_([A-Za-z]+)|\be\^([\u2212\d.]*\d))([.,:;!?)]*)/g;

/** Nodes of a text, its symbols set as symbols. */
export function prose(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(MARKED)) {
    const [whole, letter, subscript, power, punctuation] = found;
    nodes.push(text.slice(end, found.index));
    const set = letter ? symbol(letter, subscript) : symbol("e", "", power);
    nodes.push(punctuation ? html("span", { class: "abh-together" }, set, punctuation) : set);
    end = found.index + whole.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== "");
}

/** Replace an element's content by a marked text, unless it shows it already. */
export function setProse(node, text) {
  if (node.dataset.text === text) return;
  node.dataset.text = text;
  node.replaceChildren(...prose(text));
}
