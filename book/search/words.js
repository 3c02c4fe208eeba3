// Splits texts into the words and word forms that the index uses.

const stemmer = new Stemmer(); // Sphinx's code, which book/search puts before this script
const stems = new Map();
const forms = new Map();

export const WORD = /[\p{L}\p{N}]+(?:[_^'\u2019][\p{L}\p{N}]+)*|\u221a/gu;
const COMPOUND = /(\p{L}+)-(?=([\p{L}\p{N}]+))/gu;
const SPELLED_OUT = new Map([["\u221a", "sqrt"], ["\u03b2", "beta"]]);

/** Return the stem of a word: "dividing", "divided" and "divides" have the same stem. */
export function stemOf(word) {
  if (!stems.has(word)) stems.set(word, stemmer.stemWord(word));
  return stems.get(word);
}

/** Return the words of a query: d_k, dk and d\u2096 give the same word; W^O, W_O and Wo too. */
export function wordsOf(text) {
  const found = text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
  return found.map((word) => SPELLED_OUT.get(word) ?? word.replace(/['\u2019]s?$|['\u2019]s\b/, "").replace(/[_^'\u2019]/g, ""));
}

/** Return the words of a place; "GPT-2" gives "GPT", "2" and "GPT2". */
export function wordsToIndex(text) {
  const compounds = [...text.matchAll(COMPOUND)].map(([, first, second]) => first + second);
  return [...(text.normalize("NFKC").match(WORD) ?? []), ...compounds];
}

/** Return the index's forms of a word: the word, its parts (num_heads, KeyValueCache), stems. */
export function formsOf(written) {
  if (!forms.has(written)) forms.set(written, madeFrom(written));
  return forms.get(written);
}

function madeFrom(written) {
  const parts = written.split(/[_^]|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part.length > 2);
  const words = [...wordsOf(written), ...(parts.length > 1 ? parts.map((part) => part.toLowerCase()) : [])];
  return [...new Set([...words, ...words.map(stemOf)])];
}
