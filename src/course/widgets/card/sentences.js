// What a figure says of itself: Python's sentences with facts filled in, as
// `course.widgets.card.sentences` fills them in for stills.

/** @import { Fact, Facts } from "../contract.d.ts" */

import { fixed, inFull } from "./numbers.js";

const FIELD = /\{(\w+)(?::([^}]*))?\}/g;

/**
 * Fill facts into a sentence; it must name no other.
 *
 * @param {string} sentence
 * @param {Facts} facts
 */
export function filled(sentence, facts) {
  return sentence.replaceAll(FIELD, (field, name, form) => {
    if (!Object.hasOwn(facts, name)) throw new Error(`${field}: no such fact, in \u201c${sentence}\u201d`);
    return written(facts[name], form ?? "");
  });
}

/** @type {(fact: Fact, form: string) => string} */
function written(fact, form) {
  if (typeof fact === "string") return fact;
  if (Array.isArray(fact)) {
    const all = fact.map((each) => written(each, form));
    const last = all.pop() ?? "";
    return all.length ? `${all.join(", ")}${form === "and" ? " and " : ", "}${last}` : last;
  }
  const [, decimals] = /^\.(\d)f$/.exec(form) ?? [];
  return decimals ? fixed(fact, Number(decimals)) : inFull(fact);
}
