// Shortens a place's text to an excerpt around the words of the query, and marks these words.

import { element } from "../runtime/elements.js";
import { formsOf, WORD } from "./words.js";

const LONG = 220; // characters
const SYMBOL = /^(\p{L})([_^])([\p{L}\p{N}]+)$/u; // d_k, W^O

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

const isAsked = (word, terms) => formsOf(word).some((form) => terms.includes(form));

// Return a word as nodes; a symbol is set as in formulas.
function set(word) {
  const [, letter, sign, index] = word.match(SYMBOL) ?? [];
  return letter ? [element("i", {}, letter), element(sign === "_" ? "sub" : "sup", {}, index)] : [word];
}

/** Return a text as nodes, with the query's words marked. */
export function marked(text, terms) {
  const nodes = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    nodes.push(text.slice(from, index), ...(isAsked(word, terms) ? [element("mark", {}, ...set(word))] : set(word)));
    from = index + word.length;
  }
  return [...nodes, text.slice(from)];
}

/** Return as nodes the sentence with most words of the query, and the next sentences up to `LONG` characters. */
export function excerptOf(text, terms) {
  const pieces = [...sentences.segment(text)].map(({ segment }) => segment);
  const counts = pieces.map((piece) => {
    const asked = (piece.match(WORD) ?? []).filter((word) => isAsked(word, terms));
    return new Set(asked.map((word) => word.toLowerCase())).size;
  });
  const best = counts.indexOf(Math.max(...counts));
  let shown = pieces[best] ?? "";
  for (const piece of pieces.slice(best + 1)) {
    if (shown.length + piece.length > LONG) break;
    shown += piece;
  }
  return marked(shortened(shown.trim(), terms), terms);
}

// Cut a text to about `LONG` characters, starting a little before the first word of the query.
function shortened(text, terms) {
  if (text.length <= LONG) return text;
  const first = [...text.matchAll(WORD)].find(([word]) => isAsked(word, terms))?.index ?? 0;
  const from = Math.max(0, Math.min(first - LONG / 3, text.length - LONG));
  const cut = text.slice(from, from + LONG);
  const begun = from ? `\u2026 ${cut.replace(/^\S*\s/, "")}` : cut;
  return from + LONG < text.length ? `${begun.replace(/\s\S*$/, "")} \u2026` : begun;
}
