// Numbers: how they are written, how they are read, and the arithmetic that several
// views need.

/** Digits, of JavaScript, with true minus signs and a sign for infinity; -0.00 is written 0.00. */
function signed(digits) {
  return digits.replaceAll("-", Number(digits) === 0 ? "" : "\u2212").replace("Infinity", "\u221e");
}

/** A number with so many decimals; a tie goes away from zero, as in Python's `number`. */
export const fixed = (value, decimals = 2) => signed(value.toFixed(decimals));

/** A number with at most so many decimals, and no zeros at its end. */
export const shortened = (value, decimals) => fixed(value, decimals).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

/** A number with all its digits. */
export const inFull = (value) => signed(String(value));

// How numbers may be typed, in every field of the course: an optional sign, digits with
// a decimal point or comma, or in groups of three with one kind of mark between them and
// another before the decimals, and an exponent.
const SIGNED = /^([+-]?) ?(.*?)(e[+-]?\d+)?$/i;
const DIGITS = /^(\d+[.,]?\d*|[.,]\d+)$/;
const GROUPED = /^[1-9]\d{0,2}([ ,.'])\d{3}(\1\d{3})*((?!\1)[.,]\d*)?$/;
const THREE = /^[1-9]\d{0,2}([,.])\d{3}$/; // a thousand and more, or three decimals

/** The decimal mark of digits that have the form of THREE; "" where nobody can tell. */
function markOfThree(mark, { whole, decimal }) {
  if (decimal === ",") return mark === "," ? "," : "";
  if (mark === ".") return ".";
  return whole || decimal === "." ? "." : "";
}

/**
 * A sign, digits and an exponent as { value, places, mark }; `why` says what is wrong.
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
  const plain = (groups ? digits.replaceAll(groups[1], "") : digits);
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
    const [thousands, decimals] = [text.replace(/[,.]/g, ""), text.replaceAll(",", ".")];
    return `\u201c${text}\u201d may be ${decimals} or ${thousands}: write one of these.`;
  },
};

/**
 * The number in a text, as every field of the course reads it.
 *
 * Decimals follow a point or a comma (0.25, 0,25); fractions (1/4), percentages (25 %),
 * exponents (2.5e-1), true minus signs, and spaces around and, as in 12 345.6, between
 * groups of three are understood. Groups may also have commas, points or apostrophes,
 * where another mark or a second group tells them from decimals: 1,234.5 is 1234.5. A
 * point is always the decimal one, 1.234 is 1.234; but 1,234 is refused, being 1.234 to
 * some and 1234 to others, unless only whole numbers are asked for, or `decimal` tells
 * the decimal mark of the text's neighbours, or `scale` the size of the number asked
 * for: then it is read as the one that is nearer to it in ratio.
 *
 * Returns { value, places, mark, why, message }. places: decimals that were given,
 * Infinity for a fraction; mark: the decimal mark that the text proves. Where there is no
 * number, value is NaN, message says so in words, and why is "empty", "words", "infinite"
 * or "ambiguous".
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

/** A whole number in groups of three: 1,048,576. */
export function grouped(value) {
  return GROUPS.format(value);
}

/** A large number with so many decimals and a power of ten: 6.597 × 10¹². */
export function inPowersOfTen(value, decimals) {
  const [digits, exponent] = value.toExponential(decimals).split("e+");
  const raised = [...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `${digits} × 10${raised}`;
}

/** softmax(beta * logits) of one row; a row in which all is masked (-Infinity) gets no weight. */
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
