// Composes an English sentence from the reader's choices, by the grammar of
// `transformer.grammar`.

import { alike } from "../card/spelling.js";
import { place } from "./grammar.js";

const NONE = "–";
const PRONOUNS = ["I", "he", "she", "we", "they"];
const PERSON = { I: 0, he: 1, she: 1, we: 2, they: 3 };
const BE = { present: ["am", "is", "are", "are"], past: ["was", "was", "were", "were"] };
const ARTICLES = ["the", "a", "two", "the (several)"];
const ANIMATE = ["person", "animal"];
export const PATTERNS = ["someone does something", "something is so", "because of something"];

const isPronoun = (determiner) => PRONOUNS.includes(determiner);
const isPlural = (determiner) => determiner === "two" || determiner === "the (several)";

/** Return the first choice: "the small cat ate a red apple". */
export function firstChoice() {
  return {
    pattern: PATTERNS[0],
    subject: { determiner: "the", adjective: "small", noun: "cat" },
    verb: "eat", tense: "past", not: NONE, predicate: "tired",
    object: { determiner: "a", adjective: "red", noun: "apple" },
    game: "football", place: NONE, purpose: NONE,
    reason: "hungry",
  };
}

/** What the verb takes: an "object", a "game" or a "place". */
const takes = (words, { verb }) => words.verbs[verb].takes;

/** Whether the sentence has a second noun: an object or a place. */
function hasThing(words, choice) {
  const what = takes(words, choice);
  return what === "object" || (what === "place" && choice.place !== NONE);
}

/** Whether "to eat" may follow the object. */
function mayBeEaten(words, { pattern, verb, object }) {
  return pattern === PATTERNS[0] && words.verbs[verb].purpose && words.nouns[object.noun].kind === "food";
}

/** Return the nouns for a role: "subject", or "object", which is the role of a place too. */
function nounsFor(words, choice, role) {
  const objects = takes(words, choice) === "place" ? ["thing"] : words.verbs[choice.verb].objects;
  const kinds = role === "object" ? objects : ANIMATE;
  const anyKind = choice.pattern === PATTERNS[1] && role === "subject";
  const excluded = choice.pattern === PATTERNS[2] && role === "object" ? ANIMATE : [];
  return Object.keys(words.nouns).filter((noun) => {
    const { kind } = words.nouns[noun];
    return (anyKind || kinds.includes(kind)) && !excluded.includes(kind);
  });
}

const person = ({ determiner }) => (isPronoun(determiner) ? PERSON[determiner] : isPlural(determiner) ? 3 : 1);

/**
 * Return the possible reasons: { name: [word, the phrase that the word describes] }.
 *
 * A word of `either` can describe both phrases; if they share a pronoun, only the object.
 */
function reasonsOf(words, choice) {
  const reasons = Object.fromEntries(words.feelings.map((word) => [word, [word, "subject"]]));
  const thing = hasThing(words, choice);
  if (thing) words.adjectives.forEach((word) => { reasons[word] = [word, "object"]; });
  if (!thing || pronounOf(words, choice.subject) !== pronounOf(words, choice.object)) {
    words.either.forEach((word) => { reasons[thing ? `${word}, the subject` : word] = [word, "subject"]; });
  }
  return reasons;
}

/**
 * Return the places of a sentence at which the reader chooses, in order.
 *
 * As [{ at, label, options, text }]: `at` is the path in `choice`, text(option) the shown text.
 * An option of `choice` that no longer fits is replaced by the first option that fits.
 */
export function places(words, choice) {
  const found = [];
  const add = (at, label, options, text = (option) => option) => {
    const holder = at.length > 1 ? choice[at[0]] : choice;
    if (!options.includes(holder[at.at(-1)])) holder[at.at(-1)] = options[0];
    found.push({ at, label, options, text });
  };
  const phrase = (role, pronouns, adjectives) => {
    const nouns = nounsFor(words, choice, role);
    const chosen = choice[role];
    if (!nouns.includes(chosen.noun)) chosen.noun = nouns[0];
    const mass = words.nouns[chosen.noun].mass && !isPronoun(chosen.determiner);
    add([role, "determiner"], `${role}: article`, [...(mass ? ["the"] : ARTICLES), ...(pronouns ? PRONOUNS : [])]);
    if (isPronoun(chosen.determiner)) return;
    if (adjectives) add([role, "adjective"], `${role}: adjective`, [NONE, ...words.adjectives]);
    add([role, "noun"], `${role}: noun`, nouns, (noun) => words.nouns[noun].forms[Number(isPlural(chosen.determiner))]);
  };
  const [action, state, because] = PATTERNS;
  phrase("subject", true, choice.pattern !== because);
  const { determiner, noun } = choice.subject;
  if (choice.pattern === state) {
    const be = (tense) => BE[tense][person(choice.subject)];
    add(["tense"], "verb", ["present", "past"], be);
    add(["not"], "negation", [NONE, "not"]);
    const feels = isPronoun(determiner) || ANIMATE.includes(words.nouns[noun].kind);
    add(["predicate"], "what is said", [...(feels ? words.feelings : []), ...(isPronoun(determiner) ? [] : words.adjectives)]);
    return found;
  }
  add(["verb"], "verb", Object.keys(words.verbs), (verb) => verbForm(words, { ...choice, verb }));
  add(["tense"], "tense", ["past", "present"]);
  if (takes(words, choice) === "game") add(["game"], "game", words.games);
  if (takes(words, choice) === "place") add(["place"], "place", [NONE, "on"]);
  if (hasThing(words, choice)) phrase("object", false, choice.pattern === action);
  if (mayBeEaten(words, choice)) add(["purpose"], "purpose", [NONE, "to eat"]);
  if (choice.pattern === because) {
    const reasons = Object.keys(reasonsOf(words, choice));
    add(["reason"], "reason", reasons, (reason) => `because ${reasonWords(words, choice, reason).join(" ")}`);
  }
  return found;
}

function verbForm(words, { verb, tense, subject }) {
  return words.verbs[verb].forms[tense === "past" ? 2 : Number(person(subject) === 1)];
}

function phraseWords(words, { determiner, adjective, noun }, adjectives) {
  if (isPronoun(determiner)) return [determiner];
  const own = [words.nouns[noun].forms[Number(isPlural(determiner))]];
  if (adjectives && adjective !== NONE) own.unshift(adjective);
  const article = determiner === "the (several)" ? "the" : determiner;
  return [article === "a" && "aeiou".includes(own[0][0]) ? "an" : article, ...own];
}

/** Return the pronoun that replaces a phrase. */
function pronounOf(words, { determiner, noun }) {
  if (isPronoun(determiner)) return determiner;
  if (isPlural(determiner)) return "they";
  const { kind, gender } = words.nouns[noun];
  return kind !== "person" ? "it" : gender === "m" ? "he" : "she";
}

function reasonWords(words, choice, reason) {
  const [word, role] = reasonsOf(words, choice)[reason];
  return [pronounOf(words, choice[role]), BE[choice.tense][person(choice[role])], word];
}

/** Return the words after the verb, without the reason. */
function complement(words, choice, adjectives) {
  if (takes(words, choice) === "game") return [choice.game];
  if (!hasThing(words, choice)) return [];
  const thing = phraseWords(words, choice.object, adjectives);
  if (takes(words, choice) === "place") return [choice.place, ...thing];
  return mayBeEaten(words, choice) && choice.purpose !== NONE ? [...thing, ...choice.purpose.split(" ")] : thing;
}

/** Return the words of the chosen sentence. */
export function compose(words, choice) {
  const [action, state, because] = PATTERNS;
  const adjectives = choice.pattern !== because;
  const subject = phraseWords(words, choice.subject, adjectives);
  if (choice.pattern === state) {
    const negation = choice.not === NONE ? [] : [choice.not];
    return [...subject, BE[choice.tense][person(choice.subject)], ...negation, choice.predicate];
  }
  const clause = [...subject, verbForm(words, choice), ...complement(words, choice, choice.pattern === action)];
  return choice.pattern === because ? [...clause, "because", ...reasonWords(words, choice, choice.reason)] : clause;
}

/** Yield a choice for each tense, and for singular and plural phrases: a search starts at each of them. */
function* starts(english) {
  const [action, state, because] = PATTERNS;
  const isState = english.some((word) => [...BE.present, ...BE.past].includes(word));
  const pattern = english.includes("because") ? because : isState ? state : action;
  for (const tense of ["present", "past"]) {
    for (const subject of ["the", "the (several)"]) {
      for (const object of ["the", "the (several)"]) {
        const choice = { ...firstChoice(), pattern, tense };
        Object.assign(choice.subject, { determiner: subject, adjective: NONE });
        Object.assign(choice.object, { determiner: object, adjective: NONE });
        yield choice;
      }
    }
  }
}

/** Count the words at the start that two sentences share; "a" may become "an". */
function sharedStart(one, other) {
  const bare = (word) => (word === "an" ? "a" : word);
  const differs = one.findIndex((word, i) => bare(word) !== bare(other[i] ?? ""));
  return differs < 0 ? one.length : differs;
}

/** Return a copy of a choice with one option set, and with the other options made to fit. */
function withOption(words, choice, at, option) {
  const changed = structuredClone(choice);
  (at.length > 1 ? changed[at[0]] : changed)[at.at(-1)] = option;
  places(words, changed);
  return changed;
}

/** Whether a sentence contains the words of an option; "a" may become "an". */
function containsOption(text, english) {
  const has = (word) => english.includes(word) || (word === "a" && english.includes("an"));
  return text === NONE || text === "the (several)" || text.split(" ").every(has);
}

/** Return the choice that makes a sentence, or undefined if no choice does. */
export function choiceOf(words, english) {
  for (let choice of starts(english)) {
    for (let i = 0; i < places(words, choice).length; i += 1) {
      const { at, options, text } = places(words, choice)[i];
      const possible = options.filter((option) => containsOption(text(option), english));
      const tried = [choice, ...possible.map((option) => withOption(words, choice, at, option))];
      const scores = tried.map((each) => sharedStart(compose(words, each), english));
      choice = tried[scores.indexOf(Math.max(...scores))];
    }
    if (compose(words, choice).join(" ") === english.join(" ")) return choice;
  }
  return undefined;
}

/** Return the words of a typed sentence in the spelling of the grammar. */
export function split(text) {
  const found = text.toLowerCase().match(/[^\s.,;:!?]+/g) ?? [];
  return found.map((word) => (word === "i" ? "I" : word));
}

/** Return the reason why the model cannot read a sentence, as a text; "" if it can. */
export function refusal(english, { english: known, most, grammar }) {
  const unknown = english.findIndex((word) => known.indexOf(word) < 1); // word 0 is the padding
  if (unknown >= 0) {
    const word = english[unknown];
    const { at, next } = place(grammar, english.slice(0, unknown));
    const could = at === unknown ? next : [];
    const near = alike(word, known.slice(1), could).map((each) => `“${each}”`);
    const hint = near.length ? ` Did you mean ${near.join(" or ")}?`
      : could.length ? ` Words that it knows at this place: ${could.slice(0, 6).join(", ")}${could.length > 6 ? ", …" : ""}` : "";
    return `“${word}” is not among the ${known.length - 1} words that this model knows.${hint}`;
  }
  if (!english.length) return "Write a sentence.";
  if (english.length > most) return `A sentence has at most ${most} words here; this one has ${english.length}.`;
  return "";
}
