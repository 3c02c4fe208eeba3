// Which words the grammar allows next: the automaton of `transformer.automaton`, as a table.

/** Return the states on the path of some words, up to the first word that does not fit. */
function statesAlong({ kinds, states, start }, english) {
  const path = [start];
  for (const word of english) {
    const to = states[path.at(-1)].words[kinds[word]];
    if (to === undefined) break;
    path.push(to);
  }
  return path;
}

/** Return the words that may come next in a state, in alphabetical order. */
function nextWords({ kinds, states }, state) {
  return Object.keys(kinds).filter((word) => states[state].words[kinds[word]] !== undefined);
}

/**
 * Find the first word that does not fit the grammar.
 *
 * Returns { isWhole, at, next, mayEnd }: `isWhole` if the words are a sentence; `at`, the index
 * of the first word that does not fit, or the number of words; `next`, the words that may stand
 * at this index; `mayEnd`, whether a sentence may end before this index.
 */
export function place(grammar, english) {
  const path = statesAlong(grammar, english);
  const state = path.at(-1);
  const mayEnd = grammar.states[state].ends;
  const at = path.length - 1;
  return { isWhole: at === english.length && mayEnd, at, next: nextWords(grammar, state), mayEnd };
}

/** Return the grammar that Python sends, with states as objects: `words` maps a kind of word to the next state. */
export function grammarOf({ kinds, states, start }) {
  return { kinds, start, states: states.map(([ends, ...pairs]) => ({ ends: Boolean(ends), words: Object.fromEntries(pairs) })) };
}

const MOST_LISTED = 6; // number of words that are listed

function listed(words) {
  const first = words.slice(0, MOST_LISTED).map((word) => `“${word}”`).join(", ");
  return words.length > MOST_LISTED ? `${first} or one of ${words.length - MOST_LISTED} others` : first;
}

/** Return the reason why words are no sentence of the grammar, as a text; "" for a sentence. */
export function whyOutside(grammar, english) {
  const { isWhole, at, next, mayEnd } = place(grammar, english);
  if (isWhole) return "";
  const before = at ? `After “${english.slice(0, at).join(" ")}”` : "At the beginning";
  const could = next.length && mayEnd ? `a sentence may end or continue with ${listed(next)}`
    : next.length ? `the next word can be ${listed(next)}` : "every sentence ends";
  if (at === english.length) return `This is no whole sentence of the grammar. ${before}, ${could}.`;
  return `Word ${at + 1}, “${english[at]}”, is the first that does not fit the grammar. ${before}, ${could}.`;
}
