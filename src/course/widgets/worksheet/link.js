// A sheet as a short text, for an address: every number comes back as the same float64.
//
// The text is a version ("1"), the sheet's bits, six a character, and three characters
// by which a reader's browser sees that none of it was lost on the way. Integers are written
// in the exponential Golomb code of an order k, which is short below about 2^k. In turn:
//   tokens, d_model, d_k, d_v, heads    each less one, of order 2
//   causal, whether there is W_O, then the padding    one bit each
//   each token's name    its count of UTF-8 bytes, of order 2; then those, 8 bits each
//   X; W_Q of all heads; W_K; W_V; W_O    row by row, as a list of numbers
// A list of numbers is a kind, and, but for the last, how many decimals, of order 2. Then
// each number times that power of ten counts, as 0, 1, 2, 3, 4 for 0, 1, -1, 2, -2.
//   0:  how many bits the median of the counts has, in the code of order 2; then each
//       count, in the code of the order that this says
//   10: the largest count, in the code of order 16; then all counts as the digits of one
//       number, the last count first, in a base one more than the largest
//   11: the 64 bits of each float64
// The kind that makes the text shortest is taken; 11 also where there is a -0, which counts
// cannot tell from 0.

import { sizes } from "./model.js";

const VERSION = "1";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SIZES = ["tokens", "d_model", "d_k", "d_v", "heads"];
const LARGEST_ORDER = 63;
const LONGEST = 2400; // bits of a number: none of a sheet needs more

const CUT = "the sheet that it holds is not whole, or has been changed on the way";

// --- Bits --------------------------------------------------------------------------

/** Three characters that a text has in common with hardly any other. */
function proof(text) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return [12, 6, 0].map((shift) => LETTERS[((hash ^ (hash >>> 18)) >>> shift) & 63]).join("");
}

function lettersOf(bits) {
  const padded = bits.padEnd(Math.ceil(bits.length / 6) * 6, "0");
  return padded.replace(/.{6}/g, (six) => LETTERS[parseInt(six, 2)]);
}

function bitsOf(text) {
  return [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(6, "0")).join("");
}

/** A whole number, 0 or more, in the exponential Golomb code of an order. */
function golomb(value, order) {
  const bits = (BigInt(value) + (1n << BigInt(order))).toString(2);
  return "0".repeat(bits.length - 1 - order) + bits;
}

/** Takes bits from the front; throws where there are none left. */
function reader(bits) {
  let at = 0;
  const take = (count) => {
    if (at + count > bits.length) throw new Error(CUT);
    at += count;
    return bits.slice(at - count, at);
  };
  const whole = (order) => {
    let zeros = 0;
    while (take(1) === "0") if (++zeros > LONGEST) throw new Error(CUT);
    return BigInt(`0b1${take(zeros + order)}`) - (1n << BigInt(order));
  };
  const ended = () => bits.length - at < 6 && !bits.slice(at).includes("1");
  return { take, whole, ended };
}

// --- Numbers -------------------------------------------------------------------------

/** A number as [digits, decimals]: it is digits / 10^decimals. */
function decimal(value) {
  const [mantissa, exponent = "0"] = String(value).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return decimals < 0 ? [digits * 10n ** BigInt(-decimals), 0] : [digits, decimals];
}

const bitLength = (value) => (value ? value.toString(2).length : 0);

const median = (values) => values.toSorted((a, b) => (a < b ? -1 : Number(a > b)))[values.length >> 1];

/**
 * Numbers as whole ones that count from 0, and the decimals that they share.
 *
 * @returns {[bigint[], number]}
 */
function folded(values) {
  const read = values.map(decimal);
  const places = Math.max(...read.map(([, decimals]) => decimals));
  const wholes = read.map(([digits, decimals]) => digits * 10n ** BigInt(places - decimals));
  return [wholes.map((whole) => (whole > 0n ? 2n * whole - 1n : -2n * whole)), places];
}

/** @type {(count: bigint, places: number) => number} */
const unfolded = (count, places) => Number(`${count & 1n ? (count + 1n) / 2n : -count / 2n}e-${places}`);

function oneByOne([counts, places]) {
  const order = Math.min(bitLength(median(counts)), LARGEST_ORDER);
  return golomb(places, 2) + golomb(order, 2) + counts.map((count) => golomb(count, order)).join("");
}

function asOne([counts, places]) {
  const largest = counts.reduce((most, count) => (count > most ? count : most), 0n);
  const base = largest + 1n;
  const number = counts.reduceRight((sum, count) => sum * base + count, 0n);
  const bits = number.toString(2).padStart(bitLength(base ** BigInt(counts.length) - 1n), "0");
  return golomb(places, 2) + golomb(largest, 16) + (largest ? bits : "");
}

function asFloats(values) {
  const view = new DataView(new ArrayBuffer(8));
  return values.map((value) => {
    view.setFloat64(0, value);
    return view.getBigUint64(0).toString(2).padStart(64, "0");
  }).join("");
}

function listBits(values) {
  const floats = `11${asFloats(values)}`;
  if (values.some((value) => Object.is(value, -0))) return floats;
  const numbers = folded(values);
  const options = [`0${oneByOne(numbers)}`, `10${asOne(numbers)}`, floats];
  return options.reduce((best, option) => (option.length < best.length ? option : best));
}

function takeFloat(bits) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0b${bits.take(64)}`));
  return view.getFloat64(0);
}

/** The digits of one number, the last first. */
function takeAsOne(bits, count) {
  const base = bits.whole(16) + 1n;
  if (bitLength(base) > LONGEST) throw new Error(CUT);
  const length = base > 1n ? bitLength(base ** BigInt(count) - 1n) : 0;
  let number = length ? BigInt(`0b${bits.take(length)}`) : 0n;
  return Array.from({ length: count }, () => {
    const digit = number % base;
    number /= base;
    return digit;
  });
}

function takeList(bits, count) {
  const together = bits.take(1) === "1";
  if (together && bits.take(1) === "1") return Array.from({ length: count }, () => takeFloat(bits));
  const places = bits.whole(2);
  if (places > 400n) throw new Error(CUT);
  const order = together ? 0 : Number(bits.whole(2));
  if (order > LARGEST_ORDER) throw new Error(CUT);
  const counts = together ? takeAsOne(bits, count) : Array.from({ length: count }, () => bits.whole(order));
  return counts.map((each) => unfolded(each, places));
}

// --- Sheets ----------------------------------------------------------------------------

/** Write a worksheet's inputs as a text. */
export function written(inputs) {
  const size = sizes(inputs);
  const names = inputs.tokens.map((token) => {
    const bytes = [...new TextEncoder().encode(token)];
    return golomb(bytes.length, 2) + bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  });
  const flags = [inputs.causal, inputs.W_O !== null, ...inputs.padding];
  const lists = [inputs.X, inputs.W_Q, inputs.W_K, inputs.W_V, inputs.W_O ?? []];
  const bits = [
    ...SIZES.map((name) => golomb(size[name] - 1, 2)),
    ...flags.map((flag) => (flag ? "1" : "0")), ...names,
    ...lists.map((list) => list.flat(2)).filter((list) => list.length).map(listBits),
  ];
  const text = VERSION + lettersOf(bits.join(""));
  return text + proof(text);
}

function inRows(values, columns) {
  return Array.from({ length: values.length / columns }, (_, i) => values.slice(i * columns, (i + 1) * columns));
}

/** Read what `written` wrote; throws the reason, in words, where it cannot, or is too large. */
export function readSheet(text, limits) {
  if (!text.startsWith(VERSION)) throw new Error("this version of the course cannot read it");
  const body = text.slice(0, -3);
  if (!/^[\w-]{8,}$/.test(text) || proof(body) !== text.slice(-3)) throw new Error(CUT);
  const bits = reader(bitsOf(body.slice(1)));
  const [tokens, d_model, d_k, d_v, heads] = SIZES.map((name) => {
    const size = bits.whole(2) + 1n;
    if (size > limits[name]) throw new Error(`it asks for ${size} as ${name}, and at most ${limits[name]} can be shown`);
    return Number(size);
  });
  const flag = () => bits.take(1) === "1";
  const [causal, projects] = [flag(), flag()];
  const padding = Array.from({ length: tokens }, flag);
  const name = () => {
    const length = Number(bits.whole(2));
    if (length > LONGEST) throw new Error(CUT);
    const bytes = Array.from({ length }, () => parseInt(bits.take(8), 2));
    return new TextDecoder().decode(Uint8Array.from(bytes));
  };
  const names = Array.from({ length: tokens }, name);
  const matrix = (rows, columns) => inRows(takeList(bits, rows * columns), columns);
  const stack = (columns) => inRows(matrix(heads * d_model, columns), d_model);
  const inputs = {
    tokens: names, X: matrix(tokens, d_model), W_Q: stack(d_k), W_K: stack(d_k), W_V: stack(d_v),
    W_O: projects ? matrix(heads * d_v, d_model) : null, causal, padding,
  };
  if (!bits.ended()) throw new Error(CUT);
  return inputs;
}
