// Numbers: how they are written, how they are read, and the arithmetic that several
// views need.

/** Replace the signs in JavaScript's digits: true minus, sign of infinity, 0.00 for -0.00. */
function signed(digits) {
  return digits.replaceAll("-", Number(digits) === 0 ? "" : "\u2212").replace("Infinity", "\u221e");
}

/** Write a number with `decimals` decimals; ties round away from zero, as in Python's `number`. */
export const fixed = (value, decimals = 2) => signed(value.toFixed(decimals));

/** Write a number with at most `decimals` decimals, without zeros at its end. */
export const shortened = (value, decimals) => fixed(value, decimals).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

/** Write a number with all its digits. */
export const inFull = (value) => signed(String(value));

// How numbers may be typed in every field of the course: an optional sign, digits, and an
// optional exponent. The digits have a decimal point or comma. Or they stand in groups of
// three, with one kind of mark between the groups and another mark before the decimals.
const SIGNED = /^([+-]?) ?(.*?)(e[+-]?\d+)?$/i;
const DIGITS = /^(\d+[.,]?\d*|[.,]\d+)$/;
const GROUPED = /^[1-9]\d{0,2}([ ,.'])\d{3}(\1\d{3})*((?!\1)[.,]\d*)?$/;
const THREE = /^[1-9]\d{0,2}([,.])\d{3}$/; // either thousands or three decimals

/** Return the decimal mark of digits of the form THREE; "" if the mark is ambiguous. */
function markOfThree(mark, { whole, decimal }) {
  if (decimal === ",") return mark === "," ? "," : "";
  if (mark === ".") return ".";
  return whole || decimal === "." ? "." : "";
}

/**
 * Read a sign, digits and an exponent as { value, places, mark }; `why` names an error.
 *
 * @returns {{ value: number, places: number, mark: string, why?: string }}
 */
function readPart(text, known) {
  const [, sign, digits, exponent = ""] = /** @type {RegExpExecArray} */ (SIGNED.exec(text));
  const three = THREE.exec(digits)?.[1];
  const mark = three && markOfThree(three, known);
  const refuse = (why) => ({ value: NaN, places: 0, mark: "", why });
  if (mark === "") return refuse("ambiguous");
  const groups = DIGITS.test(digits) && mark === three ? null : GROUPED.exec(digits);
  if (!groups && !DIGITS.test(digits)) return refuse("words");
  const plain = groups ? digits.replaceAll(groups[1], "") : digits;
  const [, decimals = ""] = plain.split(/[.,]/);
  const value = Number(`${sign}${plain.replace(",", ".")}${exponent}`);
  const places = Math.max(0, decimals.length - Number(exponent.slice(1)));
  return { value, places, mark: three ? "" : /[.,]/.exec(plain)?.[0] ?? "" };
}

function nearer(scale, one, other) {
  const distance = ({ value }) => Math.abs(Math.log(Math.abs(value / scale)));
  return distance(one) <= distance(other) ? one : other;
}

const REFUSALS = {
  empty: () => "This is empty. Type a number first.",
  words: (text) => `\u201c${text}\u201d is not a number. Write it like 0.25, 0,25, 1/4 or 25%.`,
  infinite: (text) => `\u201c${text}\u201d is not a finite number.`,
  ambiguous: (text) => {
    const mark = /(\d)[,.](?=\d{3}(\D|$))/g;
    const [thousands, decimals] = [text.replace(mark, "$1"), text.replaceAll(",", ".")];
    return `\u201c${text}\u201d may be ${decimals} or ${thousands}: write one of these.`;
  },
};

/**
 * Read the number in a text, by the rules of every field of the course.
 *
 * A point or a comma begins the decimals (0.25, 0,25). Fractions (1/4), percentages (25 %),
 * exponents (2.5e-1) and true minus signs are read. Spaces may stand around the number and
 * between groups of three (12 345.6). Commas, points or apostrophes may also separate groups,
 * if another mark or a second group shows that they are no decimal mark: 1,234.5 is 1234.5.
 * 1.234 is read as 1.234. But 1,234 is refused: it means 1.234 to some readers and 1234 to
 * others. 1,234 is read if `whole` allows only whole numbers, if `decimal` gives the decimal
 * mark of neighbouring numbers, or if `scale` gives the expected size: then the function takes
 * the value that is nearer to `scale` in ratio.
 *
 * Returns { value, places, mark, why, message }. places: number of typed decimals, Infinity
 * for a fraction; mark: the decimal mark, or "" if there is none or if it may separate thousands
 * (1.234, 1,234). If the text has no number, value is NaN, message is the reason in words, and
 * why is "empty", "words", "infinite" or "ambiguous".
 */
export function readNumber(text, { whole = false, decimal = "", scale = 0 } = {}) {
  const typed = text.trim();
  const refuse = (why) => ({ value: NaN, places: 0, mark: "", why, message: REFUSALS[why](typed) });
  if (typed === "") return refuse("empty");
  const plain = typed.replace(/[\u2010-\u2013\u2212]/g, "-").replaceAll("\u2019", "'").replace(/\s/g, " ");
  if (/^[+-]? ?(inf(inity)?|\u221e)$/i.test(plain)) return refuse("infinite");
  const [, quotient, percent] = /** @type {RegExpExecArray} */ (/^(.*?)( ?%)?$/.exec(plain));
  const parts = quotient.split(/ ?[/\u2044] ?/).map((part) => readPart(part, { whole, decimal }));
  const why = parts.length > 2 ? "words" : parts.find((part) => part.why)?.why;
  if (why === "ambiguous" && scale) return nearer(scale, readNumber(text, { decimal: "," }), readNumber(text, { whole: true }));
  if (why) return refuse(why);
  const [top, bottom] = parts;
  const value = (bottom ? top.value / bottom.value : top.value) / (percent ? 100 : 1);
  if (!Number.isFinite(value)) return refuse("infinite");
  const places = bottom ? Infinity : top.places + (percent ? 2 : 0);
  return { value: value === 0 ? 0 : value, places, mark: top.mark, why: "", message: "" };
}

const GROUPS = new Intl.NumberFormat("en-US"); // slow to make, quick to use

/** Write a whole number in groups of three: 1,048,576. */
export function grouped(value) {
  return GROUPS.format(value);
}

/** Write a large number with `decimals` decimals and a power of ten: 6.597 × 10¹². */
export function inPowersOfTen(value, decimals) {
  const [digits, exponent] = value.toExponential(decimals).split("e+");
  const raised = [...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `${digits} × 10${raised}`;
}

/** Write a count with its noun: 1 cell, 2 cells. */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Return the number from `low` to `high` that is nearest to x. */
export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/** @type {(a: number[][]) => number[][]} */
export const transposed = (a) => a[0].map((_, j) => a.map((row) => row[j]));

/** @type {(a: number[][], b: number[][]) => number[][]} */
export function product(a, b) {
  const columns = b[0].length;
  return a.map((row) => {
    const out = new Float64Array(columns);
    row.forEach((x, k) => {
      for (let j = 0; j < columns; j++) out[j] += x * b[k][j];
    });
    return [...out];
  });
}

/** softmax(beta * logits) of one row; a fully masked row (all -Infinity) gets zeros. */
export function softmax(logits, beta = 1) {
  const scaled = logits.map((logit) => beta * logit);
  const peak = Math.max(...scaled);
  if (peak === -Infinity) return logits.map(() => 0);
  const powers = scaled.map((logit) => Math.exp(logit - peak));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Entropy of one row of weights, in nats. */
export function entropy(weights) {
  return -weights.reduce((total, p) => total + (p > 0 ? p * Math.log(p) : 0), 0) || 0;
}
