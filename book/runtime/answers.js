// The answers that a figure, a quiz or an exercise holds, and how they fared.

import { element } from "./elements.js";
import { needed } from "./sources.js";

function choiceOf({ prompt, choices }, index, how) {
  const choice = choices[index];
  const right = choices.find((each) => each.right).text;
  return { prompt, how, given: choice?.text ?? "", verdict: choice ? (choice.right ? "right" : "wrong") : "", right };
}

function numberOf(get) {
  const entry = get("entry").trim();
  const prompt = get("prompt");
  if (!/\d/.test(entry)) return { prompt, given: "", verdict: "" };
  const { right } = needed("exercise.js").verdictOn(get);
  return { prompt, how: "You wrote", given: entry, verdict: right ? "right" : "wrong" };
}

/**
 * What one figure asks, each with what was given ("" before), the verdict ("right",
 * "wrong", or "" before) and, for a choice, the text of the right one.
 *
 * get: gives the value of a trait; device: the traits that the device keeps
 */
export function answersOf(get, device) {
  const picked = device.includes("picked") ? get("questions").map((each, i) => choiceOf(each, get("picked")[i], "You chose")) : [];
  return [
    ...(device.includes("answer") ? [choiceOf(get("question"), get("answer"), "You predicted")] : []),
    ...picked,
    ...(device.includes("entry") ? [numberOf(get)] : []),
  ];
}

/** A text with its symbols set, where the page has what sets them. */
const set = (text) => (globalThis.abhSources?.["card/prose.js"] ? needed("card/prose.js").prose(text) : [text]);

/** One answer as an item of a list: what was asked, what was given, how it fared. */
export function answerItem({ prompt, how, given, verdict, right }, link, { tellRight = false } = {}) {
  const answer = tellRight && verdict === "wrong" && right ? [" The answer is: ", ...set(right)] : [];
  const stop = /[.?!\u2026]$/.test(given) ? "" : ".";
  const item = element("li", {}, element("p", { className: "asked" }, ...set(prompt)),
    element("p", {}, element("strong", {}, verdict === "right" ? "Right." : "Not so."),
      ` ${how}: `, ...set(given), stop, ...answer, ...(answer.length && !/[.?!]$/.test(right) ? ["."] : []), " ", link));
  item.dataset.verdict = verdict;
  return item;
}

/** "3 right, 1 not so". */
export function fared(answers) {
  const count = (verdict) => answers.filter((each) => each.verdict === verdict).length;
  return `${count("right")} right, ${count("wrong")} not so`;
}
