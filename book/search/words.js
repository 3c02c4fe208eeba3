// Text as the words by which it is found.

const stemmer = new Stemmer(); // Sphinx's, in front of this script
const stems = new Map();
const forms = new Map();

export const WORD = /[\p{L}\p{N}]+(?:[_^'\u2019][\p{L}\p{N}]+)*|\u221a/gu;
const COMPOUND = /(\p{L}+)-(?=(\p{L}+))/gu;
const OTHERWISE = { "\u221a": "sqrt", "\u03b2": "beta" };

/** What a word is derived from: "dividing", "divided" and "divides" have one stem. */
export function stemOf(word) {
  if (!stems.has(word)) stems.set(word, stemmer.stemWord(word));
  return stems.get(word);
}

/** The words of a query: d_k, dk and \u201cd\u2096\u201d are one, and so are W^O, W_O and Wo. */
export function wordsOf(text) {
  const found = text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
  return found.map((word) => OTHERWISE[word] ?? word.replace(/['\u2019]s?$|['\u2019]s\b/, "").replace(/[_^'\u2019]/g, ""));
}

/** The words of a place; "multi-head" is found as two words and as one. */
export function wordsToIndex(text) {
  const compounds = [...text.matchAll(COMPOUND)].map(([, first, second]) => first + second);
  return [...(text.normalize("NFKC").match(WORD) ?? []), ...compounds];
}

/** The forms under which the index keeps a word: itself, its parts (num_heads, KeyValueCache), their stems. */
export function formsOf(written) {
  if (!forms.has(written)) forms.set(written, madeFrom(written));
  return forms.get(written);
}

function madeFrom(written) {
  const parts = written.split(/[_^]|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part.length > 2);
  const words = [...wordsOf(written), ...(parts.length > 1 ? parts.map((part) => part.toLowerCase()) : [])];
  return [...new Set([...words, ...words.map(stemOf)])];
}
