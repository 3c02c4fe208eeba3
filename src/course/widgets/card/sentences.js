// Fills facts into the sentences of a figure, which Python sends.
// `course.widgets.card.sentences` does the same for stills.

/** @import { Fact, Facts } from "../contract.d.ts" */

import { fixed, inFull } from "./numbers.js";

const FIELD = /\{(\w+)(?::([^}]*))?\}/g;

/**
 * Fill facts into a sentence; throws if the sentence names an unknown fact.
 *
 * @type {(sentence: string, facts: Facts) => string}
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
  if (Array.isArray(fact)) return fact.map((each) => written(each, form)).join(", ");
  const [, decimals] = /^\.(\d)f$/.exec(form) ?? [];
  return decimals ? fixed(fact, Number(decimals)) : inFull(fact);
}
