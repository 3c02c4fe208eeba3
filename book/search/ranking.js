// Finds the places of the site that fit a query, the most likely place first.
//
// Places with all words of the query come before places with some. A place fits a word if it
// has the word, its stem, a longer word that begins with it, or a synonym (synonyms.csv). If no
// place has the word, a long word may have one wrong letter or two exchanged letters. Titles
// weigh most; terms of the glossary weigh more than reference pages.

import { formsOf, stemOf, wordsOf, wordsToIndex } from "./words.js";

const FIELDS = { title: 6, page: 1.5, text: 1 };
const KINDS = { page: 1.3, section: 1, term: 1.4, exercise: 0.7, figure: 0.5, name: 0.6, source: 0.6 };
const LATER = 0.6; // factor for reference pages (`LATER_PARTS` in book/search)
const SYNONYM_WEIGHT = 0.8; // factor for the synonyms of a word
const OPTIONAL_WEIGHT = 0.3; // factor for a word in `OPTIONAL`
const PREFIX_FROM = 3; // letters of the shortest word that may be the beginning of another word
const SLIP_FROM = 5; // letters of the shortest word that may have a wrong letter
const MANY = 4; // if a query has at least this number of words, a place may lack one

// If the query has other words, a place may lack these: words that form a question, and words
// that most places have. (Sphinx's stop words are ignored.)
const QUESTION = `about advantage between can could definition difference different do does
  example explain from have how i instead me mean meaning means my need needed over purpose
  represent role should than use used using versus vs we what when where which who why work
  works would you`;
const EVERYWHERE = ["attention", "self"];
const OPTIONAL = new Set([...QUESTION.split(/\s+/), ...EVERYWHERE]);

const all = (queries) => ({ combineWith: "AND", queries });
const any = (queries) => ({ combineWith: "OR", queries });
const allBut = (count, queries) => (count ? any(queries.map((_, i) => all(queries.toSpliced(i, 1)))) : all(queries));
const weighing = (query, weight) => ({ ...query, boostTerm: () => weight });

/** The places of the site with their index, built from the data in search-places.js. */
export class Places {
  constructor({ pages, places, synonyms, stopWords }) {
    this.places = places.map(([page, anchor, kind, title, text, further = ""], id) => {
      const [file, pageTitle, isLater] = pages[page];
      return { id, url: `${file}#${anchor}`, kind, title, text, further, page: pageTitle, isLater: Boolean(isLater) };
    });
    this.stopWords = new Set(stopWords);
    this.synonyms = synonyms.map(([asked, found, relation]) => ({ asked: this.wordsAsked(asked), found, relation }));
    this.known = new Set(); // forms of all words of the places
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
    this.beginnings = new Set(); // all beginnings of known words
    for (const form of this.known) {
      for (let end = PREFIX_FROM; end <= form.length; end += 1) this.beginnings.add(form.slice(0, end));
    }
  }

  /**
   * Return the places with all words (`whole`) and with some (`partly`), and the query's words
   * in groups. The `how` of a group says how the index found it: `own`, by its words; `slip`, by
   * correcting a typing error; `same`, by a synonym; `near`, by a related word; or `not`. `means`
   * are the course's words for the group.
   */
  find(asked) {
    const groups = this.grouped(this.wordsAsked(asked)).map((group) => this.resolved(group));
    const needed = neededOf(groups);
    const found = needed.filter(({ how }) => how !== "not").map(({ query }) => query);
    const optional = groups.filter((group) => !needed.includes(group)).map(({ query }) => weighing(query, OPTIONAL_WEIGHT));
    const hits = found.length ? this.index.search(any([...found, ...optional])) : [];
    const wholeIds = new Set(found.length === needed.length ? this.ids(allBut(needed.length < MANY ? 0 : 1, found)) : []);
    const foundIds = new Set(this.ids(any(found)));
    const ranked = hits.filter(({ id }) => foundIds.has(id))
      .map(({ id, score, terms }) => ({ place: this.places[id], score, terms }));
    return {
      groups: needed,
      whole: ranked.filter(({ place }) => wholeIds.has(place.id)),
      partly: ranked.filter(({ place }) => !wholeIds.has(place.id)),
    };
  }

  // Return the words of a text without stop words; all words if the text has only stop words.
  wordsAsked(text) {
    const words = wordsOf(text);
    const others = words.filter((word) => !this.stopWords.has(word));
    return others.length ? others : words;
  }

  ids(query) {
    return query.queries.length ? this.index.search(query).map(({ id }) => id) : [];
  }

  // Return the words in groups; words that are one entry of the synonyms form one group.
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

  // Return a group with its query for the index, and with how its words were found.
  resolved({ words, synonyms }) {
    const direct = this.queryOf(words);
    const isFound = words.length === 1 && this.known.has(words[0]) || this.ids(direct).length > 0;
    const same = synonyms.filter(({ relation }) => relation === "same");
    const means = (same.length || isFound ? same : synonyms).map(({ found }) => found);
    const others = means.map((found) => weighing(this.queryOf(wordsOf(found)), SYNONYM_WEIGHT));
    const query = others.length ? any([direct, ...others]) : direct;
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

  // Return the known word that differs from this word by an exchange of two adjacent letters.
  swapped(word) {
    if (word.length < SLIP_FROM) return undefined;
    const letters = [...word];
    const others = letters.slice(1).map((letter, i) => [...letters.slice(0, i), letter, letters[i], ...letters.slice(i + 2)].join(""));
    return others.find((other) => this.known.has(other));
  }

  // Return the known word that replaces an unknown word.
  corrected(word) {
    const [hit] = this.index.search(this.queryOfWord(word));
    return hit?.terms[0] ?? word;
  }
}

// Return the groups that a place must have: those with a word outside `OPTIONAL`; without such a
// group, those with a word of `EVERYWHERE`; else all groups.
function neededOf(groups) {
  const isNeeded = [({ words }) => !words.every((word) => OPTIONAL.has(word)), ({ words }) => words.some((word) => EVERYWHERE.includes(word))];
  return isNeeded.map((test) => groups.filter(test)).find((some) => some.length) ?? groups;
}

// Return whether two words are equal, or one is the plural of the other.
function isOneWord(word, other) {
  return word === other || `${word}s` === other || word === `${other}s`;
}

// Return the text of an index field. A page's own title counts only as `title`; a source, which
// begins with its authors' names, counts only as `text`.
function textOf({ id, kind, title, text, further, page }, field) {
  if (field === "id") return id;
  if (field === "page") return kind === "page" ? "" : page;
  if (kind === "source") return field === "text" ? title : "";
  return field === "title" ? title : `${text} ${further}`;
}

function weightOf({ kind, isLater }) {
  return KINDS[kind] * (isLater && kind !== "term" ? LATER : 1);
}
