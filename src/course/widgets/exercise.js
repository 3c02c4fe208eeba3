// An exercise asks for one number, accepts its roundings, and recognises usual slips.

/** @import { Get, Result } from "./contract.d.ts" */

import { card } from "./card/card.js";
import { addTry } from "./card/choices.js";
import { button, html, setText, uid } from "./card/elements.js";
import { counted, readNumber, shortened } from "./card/numbers.js";
import { prose, setProse } from "./card/prose.js";
import { chosen, operandsView } from "./operands.js";

function near(value, target, places) {
  const half = 0.5 * 10 ** -Math.min(places, 12);
  return Math.abs(value - target) <= half * (1 + 1e-9) + 1e-12 * Math.abs(target);
}

function isCutOff(given, answer) {
  const unit = 10 ** -given.places;
  const short = Math.abs(answer) - Math.abs(given.value);
  return given.value * answer > 0 && short > 0 && short < unit;
}

// Whether no decimals are asked for and the unrounded answer is a whole number.
const isWhole = (answer, digits) => digits === 0 && Number.isInteger(answer);

// Whether the value is within 2 %, or within 10 % and right with one decimal less.
function isClose(value, answer, digits) {
  const off = Math.abs(value / answer - 1);
  return off < 0.02 || (off < 0.1 && near(value, answer, digits - 1));
}

// Return the text for a slip that every exercise recognises, or for any other wrong number.
function commonSlip(given, answer, digits) {
  const places = Math.min(given.places, digits);
  if (given.value * answer < 0 && near(given.value, -answer, places)) {
    return "The size is right, the sign is wrong.";
  }
  if (answer !== 0 && Math.abs(answer) <= 1 && near(given.value / 100, answer, digits)) {
    return "That is the share in percent. Divide it by 100.";
  }
  if (given.places >= digits && isCutOff(given, answer)) {
    return "The last digit is cut off and not rounded. Look at the next digit.";
  }
  if (!isWhole(answer, digits) && isClose(given.value, answer, digits)) {
    return "Not right, but close. Check the last digits. Round only once, at the end.";
  }
  return "Not right. Check the parts one by one, or ask for help below.";
}

const wrong = (text) => ({ right: false, text });

// Judge a typed text. Returns { right, text }, with `invalid` if the text is no number.
export function judge(typed, answer, digits, slips) {
  const given = readNumber(typed, { whole: digits === 0, scale: answer });
  if (given.message) return { ...wrong(given.message), invalid: true };
  const exact = Math.abs(given.value - answer) <= 1e-12 * Math.max(1, Math.abs(answer));
  const isRounded = given.places >= digits && near(given.value, answer, digits);
  if (exact || (isRounded && !isWhole(answer, digits))) {
    return { right: true, text: `Right: ${shortened(answer, digits + 2)}.` };
  }
  if (isRounded) return wrong("Not right: the answer is a whole number.");
  const coarse = given.value !== 0 && given.places < digits;
  if (coarse && near(given.value, answer, given.places)) {
    return wrong(`These digits are right. Give at least ${counted(digits, "decimal")}.`);
  }
  const places = Math.min(Math.max(given.places, digits - 1), digits);
  const slip = slips.find((s) => near(given.value, s.value, places));
  return wrong(slip ? slip.why : commonSlip(given, answer, digits));
}

// Judge the number in an exercise with operands. Wrong marks explain a wrong number.
function judgeChosen(typed, get) {
  const [answer, digits] = [get("truth"), get("digits")];
  const verdict = judge(typed, answer, digits, get("slips"));
  const { reasons, value } = chosen(get("operands"), get("marks"));
  if (verdict.right || verdict.invalid || !reasons.length) return verdict;
  const followed = value !== undefined && judge(typed, value, digits, []).right;
  const first = followed ? "That follows from the lines you marked, but the task asks for other lines. " : "";
  return wrong(`${first}${reasons.join(" ")}`);
}

/**
 * Return the question and the reader's answer. A text without a digit is no answer.
 *
 * @type {(get: Get) => Result[]}
 */
export function results(get) {
  const judge = (text) => {
    if (!/\d/.test(text)) return "";
    return verdictOn((trait) => (trait === "entry" ? text : get(trait)))?.right ? "right" : "wrong";
  };
  return [{ prompt: get("prompt"), how: "You wrote", given: get("entry").trim(), right: "", judge }];
}

/** Return the verdict on the submitted text; null if there is none. */
function verdictOn(get) {
  const entry = get("entry");
  if (entry === "") return null;
  if (get("operands").kind) return judgeChosen(entry, get);
  return judge(entry, get("truth"), get("digits"), get("slips"));
}

// Return list items: the hint, if the exercise has one, and all steps.
function helpList(model) {
  const hint = model.get("hint");
  const lines = [...(hint ? [hint] : []), ...model.get("steps")];
  return lines.map((text) => html("li", {}, ...prose(text)));
}

function helpButtonText(model, shown, total) {
  if (shown >= total) return "Hide the steps";
  if (shown === 0) return model.get("hint") ? "Hint" : "First step";
  return `Next step (${shown + 1} of ${total})`;
}

function help({ model, watch, put }) {
  const list = html("ol", { class: "abh-steps", "aria-live": "polite" });
  const more = button("", () => {
    const shown = model.get("helped");
    put("helped", shown >= helpList(model).length ? 0 : shown + 1);
  });
  const node = html("div", { class: "abh-help" }, list, more);
  watch(["helped", "hint", "steps"], () => {
    const lines = helpList(model);
    const shown = Math.min(Math.max(model.get("helped"), 0), lines.length);
    while (list.childElementCount > shown) list.lastChild.remove();
    list.append(...lines.slice(list.childElementCount, shown));
    list.hidden = shown === 0;
    node.hidden = lines.length === 0;
    setText(more, helpButtonText(model, shown, lines.length));
  });
  return node;
}

// Build the answer form. A typed text counts only after the reader submits it.
function answerForm({ model, watch, put, set }) {
  const [id, note] = [uid("entry"), uid("note")];
  const field = html("input", {
    type: "text", id, class: "abh-field abh-answer", inputmode: "text", maxlength: 40,
    autocomplete: "off", spellcheck: "false", "aria-describedby": note,
  });
  const check = html("button", { type: "submit", class: "abh-button" }, "Check");
  const clear = button("Clear", () => {
    set({ entry: "", marks: [], helped: 0 });
    field.value = ""; // also a text that was not submitted
    field.focus();
  });
  const wanted = html("span", { id: note, class: "abh-note" });
  const form = html("form", { class: "abh-fields" },
    html("label", { for: id }, "Your answer"), field, check, clear, wanted);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    put("entry", field.value === "" ? " " : field.value); // "" would mean that nothing was submitted
    const get = (trait) => model.get(trait);
    const [result] = results(get);
    if (!verdictOn(get)?.invalid) addTry({ model, put }, [result], 0, result.given);
  });
  watch(["digits"], () => {
    const digits = model.get("digits");
    setText(wanted, digits ? `${counted(digits, "decimal")} or more` : "a whole number will do");
  });
  watch(["entry"], () => (field.value = model.get("entry").trim()));
  return { form, field };
}

function exercise(host) {
  const parts = card(host);
  const { model, root, body, controls, drawing, watch } = parts;
  const words = body.querySelector(".abh-reading span");
  const { form, field } = answerForm(parts);
  const expression = html("p", { class: "abh-expression" });
  root.classList.add("abh-exercise");
  const choosing = Boolean(model.get("operands").kind);
  controls.append(html("p", { class: "abh-prompt" }, ...prose(model.get("prompt"))),
    ...(choosing ? operandsView(parts) : [expression]), form);
  drawing.remove();
  body.append(help(parts));
  watch(["expression"], () => {
    setProse(expression, model.get("expression"));
    expression.hidden = !model.get("expression");
  });
  watch(["entry", "marks", "truth", "digits", "slips"], () => {
    const verdict = verdictOn((trait) => model.get(trait));
    root.dataset.verdict = verdict === null ? "none" : verdict.right ? "right" : "wrong";
    field.ariaInvalid = verdict?.invalid ? "true" : null;
    setProse(words, verdict?.text ?? "");
  });
}

export default { render: exercise };
