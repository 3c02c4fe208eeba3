// The answers that a figure, a quiz or an exercise holds, and how they fared.

import { element } from "./elements.js";
import { needed } from "./sources.js";

/** A question with choices, and the words that were chosen. */
function choiceResult(question, given = "", how) {
  const right = question.choices.find((choice) => choice.right).text;
  const judge = (text) => (text === right ? "right" : needed("card/choices.js").choiceOf(question, text) ? "wrong" : "");
  return { prompt: question.prompt, how, given, right, judge };
}

function quizResults(get) {
  const questions = get("questions");
  const chosen = needed("card/choices.js").chosenOf(questions, get("picked"));
  return chosen.map((choice, i) => choiceResult(questions[i], choice?.text, "You chose"));
}

/** An exercise and what was typed: only what holds a digit is an answer. */
function numberResult(get) {
  const judge = (text) => {
    const verdict = /\d/.test(text) && needed("exercise.js").verdictOn((trait) => (trait === "entry" ? text : get(trait)));
    return verdict ? (verdict.right ? "right" : "wrong") : "";
  };
  return { prompt: get("prompt"), how: "You wrote", given: get("entry").trim(), judge };
}

// By the trait that holds the answers.
const RESULTS = {
  answer: (get) => [choiceResult(get("question"), get("answer"), "You predicted")],
  picked: quizResults,
  entry: (get) => [numberResult(get)],
};

const given = (get, device) =>
  Object.entries(RESULTS).flatMap(([trait, results]) => (device.includes(trait) ? results(get) : []));

/**
 * What one figure asks, each with what was given, the verdict on it ("right", "wrong", or
 * "" where there is no answer) and, for a choice, the text of the right one. A right answer
 * that the reader has once given stands, whatever came after it.
 *
 * get: gives the value of a trait; device: the traits that the device keeps
 */
export function answersOf(get, device) {
  const results = given(get, device);
  if (!results.length) return [];
  const isRight = ({ judge }, text) => judge(text) === "right";
  const solved = needed("card/choices.js").keptFor(results, get("solved"), isRight);
  return results.map(({ judge, ...result }, i) => {
    const [now, kept] = [result.given, solved[i] ?? ""].map(judge);
    if (now !== "right" && kept === "right") return { ...result, given: solved[i], verdict: kept };
    return { ...result, verdict: now };
  });
}

/**
 * Keep the right answers of a figure: later ones do not take them back. Only the site has
 * the files by which they are judged.
 */
export function keepRightAnswers({ model, device }) {
  if (!globalThis.abhSources) return;
  const get = (trait) => model.get(trait);
  const keep = () => {
    const right = given(get, device).filter(({ given: words, judge }) => judge(words) === "right");
    const solved = Object.fromEntries(right.map(({ prompt, given: words }) => [prompt, words]));
    model.set("solved", { ...get("solved"), ...solved });
  };
  const answers = Object.keys(RESULTS).filter((trait) => device.includes(trait));
  for (const trait of answers) model.on(`change:${trait}`, keep);
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
