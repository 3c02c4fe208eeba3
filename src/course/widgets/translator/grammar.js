// Which words the grammar lets come next: `transformer.automaton`, as a table.

/** The states that words lead through, as far as any sentence of the grammar goes. */
function follow({ kinds, states, start }, english) {
  const path = [start];
  for (const word of english) {
    const to = states[path.at(-1)].words[kinds[word]];
    if (to === undefined) break;
    path.push(to);
  }
  return path;
}

/** The words that may come after the first `count` words, in the order of the vocabulary. */
function following({ kinds, states }, state) {
  return Object.keys(kinds).filter((word) => states[state].words[kinds[word]] !== undefined);
}

/**
 * Where words leave the grammar.
 *
 * Returns { isWhole, at, next, mayEnd }: whether they are a sentence; the place of the
 * first word after which no sentence goes on, the number of words where there is none; the
 * words that could stand there, and whether a sentence may end before it.
 */
export function place(grammar, english) {
  const path = follow(grammar, english);
  const state = path.at(-1);
  const mayEnd = grammar.states[state].ends;
  const at = path.length - 1;
  return { isWhole: at === english.length && mayEnd, at, next: following(grammar, state), mayEnd };
}

/** The table that Python sends, with each state's words by their kind. */
export function grammarOf({ kinds, states, start }) {
  return { kinds, start, states: states.map(([ends, ...pairs]) => ({ ends: Boolean(ends), words: Object.fromEntries(pairs) })) };
}

const MOST = 6; // words that are listed

function listed(words) {
  const first = words.slice(0, MOST).map((word) => `“${word}”`).join(", ");
  return words.length > MOST ? `${first} or one of ${words.length - MOST} others` : first;
}

/** What is to be said of words that are no sentence of the grammar; "" of a sentence. */
export function outside(grammar, english) {
  const { isWhole, at, next, mayEnd } = place(grammar, english);
  if (isWhole) return "";
  const before = at ? `After “${english.slice(0, at).join(" ")}”` : "At the beginning";
  const could = next.length && mayEnd ? `a sentence may end or continue with ${listed(next)}`
    : next.length ? `the next word can be ${listed(next)}` : "every sentence ends";
  if (at === english.length) return `This is no whole sentence of the grammar. ${before}, ${could}.`;
  return `Word ${at + 1}, “${english[at]}”, is the first that does not fit the grammar. ${before}, ${could}.`;
}
