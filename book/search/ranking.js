// Finds the places of the site that a query asks for, the likeliest first.
//
// Places with all its words come before places with some. A word is found by its
// beginning and by its stem; with one slip, where no place has it as it is written; and by
// what synonyms.csv says the course calls it. Titles weigh most; terms of the glossary
// come before pages to look something up in.

import { formsOf, stemOf, wordsOf, wordsToIndex } from "./words.js";

const FIELDS = { title: 6, page: 1.5, text: 1 };
const KINDS = { page: 1.3, section: 1, term: 1.4, exercise: 0.7, figure: 0.5, name: 0.6, source: 0.6 };
const LATER = 0.6; // of a page to look something up in
const SYNONYM = 0.8;
const SPARED_WEIGHT = 0.3;
const PREFIX_FROM = 3; // letters
const SLIP_FROM = 5;
const MANY = 4; // of so many words a place may lack one

// Words that a place need not have if a query has others: those of a question, and those
// that most places have. (Sphinx's stop words count for nothing.)
const QUESTION = `about advantage between can could definition difference different do does
  example explain from have how i instead me mean meaning means my need needed over purpose
  represent role should than use used using versus vs we what when where which who why work
  works would you`;
const EVERYWHERE = "attention self";
const SPARED = new Set(`${QUESTION} ${EVERYWHERE}`.split(/\s+/));

const all = (queries) => ({ combineWith: "AND", queries });
const any = (queries) => ({ combineWith: "OR", queries });
const allBut = (count, queries) => (count ? any(queries.map((_, i) => all(queries.toSpliced(i, 1)))) : all(queries));
const weighing = (query, weight) => ({ ...query, boostTerm: () => weight });

/** The places of the site with their index, built from what search-places.js holds. */
export class Places {
  constructor({ pages, places, synonyms, stopWords }) {
    this.places = places.map(([page, anchor, kind, title, text, further = ""], id) => {
      const [file, pageTitle, isLater] = pages[page];
      return { id, url: `${file}#${anchor}`, kind, title, text, further, page: pageTitle, isLater: Boolean(isLater) };
    });
    this.stopWords = new Set(stopWords);
    this.synonyms = synonyms.map(([asked, found, relation]) => ({ asked: this.told(asked), found, relation }));
    this.known = new Set(); // forms of words that some place has
    this.index = new MiniSearch({
      fields: Object.keys(FIELDS),
      extractField: textOf,
      tokenize: wordsToIndex,
      processTerm: (written) => formsOf(written).map((form) => (this.known.add(form), form)),
      searchOptions: {
        tokenize: (term) => [term],
        processTerm: (term) => term,
        boost: FIELDS,
        boostDocument: (id) => weightOf(this.places[id]),
      },
    });
    this.index.addAll(this.places);
    this.beginnings = new Set(); // of known words
    for (const form of this.known) {
      for (let end = PREFIX_FROM; end <= form.length; end += 1) this.beginnings.add(form.slice(0, end));
    }
  }

  /**
   * Find places.
   *
   * Gives those with all words (`whole`) and with some (`partly`); and the words in groups,
   * each with how it was found: as `own` words, with a `slip`, by the `same` thing's other
   * name, by what is `near`, or `not`; `means` are the words that it was found by then.
   */
  find(asked) {
    const groups = this.grouped(this.told(asked)).map((group) => this.resolved(group));
    const needed = neededOf(groups);
    const found = needed.filter(({ how }) => how !== "not").map(({ query }) => query);
    const spared = groups.filter((group) => !needed.includes(group)).map(({ query }) => weighing(query, SPARED_WEIGHT));
    const hits = found.length ? this.index.search(any([...found, ...spared])) : [];
    const isWhole = new Set(found.length === needed.length ? this.ids(allBut(needed.length < MANY ? 0 : 1, found)) : []);
    const isReached = new Set(this.ids(any(found)));
    const ranked = hits.filter(({ id }) => isReached.has(id))
      .map(({ id, score, terms }) => ({ place: this.places[id], score, terms }));
    return {
      groups: needed,
      whole: ranked.filter(({ place }) => isWhole.has(place.id)),
      partly: ranked.filter(({ place }) => !isWhole.has(place.id)),
    };
  }

  // The words of a text without stop words, if it has others.
  told(text) {
    const words = wordsOf(text);
    const others = words.filter((word) => !this.stopWords.has(word));
    return others.length ? others : words;
  }

  ids(query) {
    return query.queries.length ? this.index.search(query).map(({ id }) => id) : [];
  }

  // Words that a synonym names together are one group.
  grouped(words) {
    const groups = [];
    for (let at = 0; at < words.length; at += groups.at(-1).words.length) {
      const isAt = ({ asked }) => asked.every((word, i) => isOneWord(word, words[at + i]));
      const fits = this.synonyms.filter(isAt);
      const length = Math.max(1, ...fits.map(({ asked }) => asked.length));
      const synonyms = fits.filter(({ asked }) => asked.length === length);
      groups.push({ words: words.slice(at, at + length), synonyms });
    }
    return groups;
  }

  // How a group is looked for, and how it is found.
  resolved({ words, synonyms }) {
    const own = this.queryOf(words);
    const isFound = words.length === 1 && this.known.has(words[0]) || this.ids(own).length > 0;
    const same = synonyms.filter(({ relation }) => relation === "same");
    const means = (same.length || isFound ? same : synonyms).map(({ found }) => found);
    const others = means.map((found) => weighing(this.queryOf(wordsOf(found)), SYNONYM));
    const query = others.length ? any([own, ...others]) : own;
    const slips = words.filter((word) => !this.isKnown(word));
    if (isFound && slips.length) return { words, query, how: "slip", means: slips.map((word) => this.corrected(word)) };
    if (isFound) return { words, query, how: "own", means };
    return { words, query, means, how: same.length ? "same" : others.length ? "near" : "not" };
  }

  queryOf(words) {
    return all(words.map((word) => this.queryOfWord(word)));
  }

  queryOfWord(word) {
    if (!this.isKnown(word)) return { queries: [this.swapped(word) ?? word], fuzzy: word.length >= SLIP_FROM ? 1 : false };
    const itself = { queries: [word], prefix: word.length >= PREFIX_FROM };
    const stem = stemOf(word);
    return stem === word ? itself : any([itself, { queries: [stem] }]);
  }

  isKnown(word) {
    return this.known.has(word) || this.known.has(stemOf(word)) || this.beginnings.has(word);
  }

  // The known word that two letters exchanged make of this one.
  swapped(word) {
    if (word.length < SLIP_FROM) return undefined;
    const letters = [...word];
    const others = letters.slice(1).map((letter, i) => [...letters.slice(0, i), letter, letters[i], ...letters.slice(i + 2)].join(""));
    return others.find((other) => this.known.has(other));
  }

  // The word that an unknown one is taken for.
  corrected(word) {
    const [hit] = this.index.search(this.queryOfWord(word));
    return hit?.terms[0] ?? word;
  }
}

// The groups of words that a place must have: those that are not spared, if there are any.
function neededOf(groups) {
  const isNeeded = [({ words }) => !words.every((word) => SPARED.has(word)), ({ words }) => words.some((word) => EVERYWHERE.includes(word))];
  return isNeeded.map((test) => groups.filter(test)).find((some) => some.length) ?? groups;
}

// Whether two words are one, or one of them its plural.
function isOneWord(word, other) {
  return word === other || `${word}s` === other || word === `${other}s`;
}

// A page's title counts once; the names of authors are no title.
function textOf({ id, kind, title, text, further, page }, field) {
  if (field === "id") return id;
  if (field === "page") return kind === "page" ? "" : page;
  if (kind === "source") return field === "text" ? title : "";
  return field === "title" ? title : `${text} ${further}`;
}

function weightOf({ kind, isLater }) {
  return KINDS[kind] * (isLater && kind !== "term" ? LATER : 1);
}
