// A sheet as a list of matrices. Some are given; the others are steps, each with a formula
// of earlier matrices.
//
// A formula computes with intervals [low, high], because each number that a reader rounds
// stands for an interval. If all operands are single numbers, the result is a single number.
// A formula is monotone in each operand and uses it once, so the interval is the exact range.

import { fixed, readNumber, shortened } from "../card/numbers.js";
import { problem } from "./problem.js";

const SLACK = 0.55; // how far a rounded number may lie from the exact number, in units of its last decimal
const FEWEST = 2; // decimals that a rounded number must have
const PRINTED = 3; // decimals of a rounded number that the sheet prints
const LARGEST_DENOMINATOR = 9999; // right entries need at most 64, a reader's wrong entries more
const SECONDS = 8; // time for each product and for each entry

/** @typedef {number[]} Range */

const point = (x) => [x, x];
const around = (x, by) => [x - by, x + by];
/** @type {(a: Range, b: Range) => Range} */
const plus = ([a, b], [c, d]) => [a + c, b + d];
const rangeOf = (numbers) => [Math.min(...numbers), Math.max(...numbers)];
/** @type {(a: Range, b: Range) => Range} */
const times = ([a, b], [c, d]) => rangeOf([a * c, a * d, b * c, b * d]);
/** The whole numbers from 0 to n - 1. */
export const upTo = (n) => Array.from({ length: n }, (_, i) => i);

/** Range of x / (x + rest). If the sum may be 0, the range is [NaN, NaN] and contains no number. */
function share(own, rest) {
  const [low, high] = plus(own, rest);
  if (low <= 0 && high >= 0) return point(NaN);
  return rangeOf(own.flatMap((x) => rest.map((y) => x / (x + y))));
}

/** Range of one cell divided by the sum of `cells`, which include this cell. */
export function shareOf(get, key, [i, j], cells) {
  const others = cells.filter(([row, column]) => row !== i || column !== j);
  return share(get(key, i, j), others.map((cell) => get(key, ...cell)).reduce(plus, point(0)));
}

/** The root of a width, as a reader may round it: 1.41 or 1.414. */
export function rootOf(width) {
  const root = Math.sqrt(width);
  return Number.isInteger(root) ? point(root) : around(root, SLACK * 10 ** -FEWEST);
}

// --- Formulas: the range of entry (i, j), and how it is written with numbers --------------

/** A sum of products. pairs(i, j) names the two cells of each product; in `flipped`, product k has the wrong sign. */
export function sumOfProducts(pairs) {
  const products = (get, i, j) => pairs(i, j).map(([a, b]) => times(get(...a), get(...b)));
  return {
    pairs,
    entry: (get, i, j) => products(get, i, j).reduce(plus),
    flipped: (get, i, j, k) => products(get, i, j).map((each, l) => (k === l ? times(each, point(-1)) : each)).reduce(plus),
    spelled: (text, i, j) => pairs(i, j).map(([a, b]) => `${text(...a)} \u00d7 ${text(...b)}`).join(" + "),
  };
}

const product = (left, right, count) =>
  sumOfProducts((i, j) => upTo(count).map((k) => [[left, i, k], [right, k, j]]));

const divided = (scores) => ({
  entry: (get, i, j) => {
    const [low, high] = get("root", 0, 0);
    return times(get(scores, i, j), [1 / high, 1 / low]);
  },
  spelled: (text, i, j) => `${text(scores, i, j)} \u00f7 \u221a${text("d_k", 0, 0)}`,
});

const exponential = (logits) => ({
  entry: (get, i, j) => get(logits, i, j).map(Math.exp),
  spelled: (text, i, j) => `e to the power of ${text(logits, i, j)}`,
});

const normalised = (powers, seen) => ({
  entry: (get, i, j) => {
    if (!seen(i).includes(j)) return point(0);
    const range = shareOf(get, powers, [i, j], seen(i).map((k) => [i, k]));
    return Number.isNaN(range[0]) ? [0, 1] : range; // all powers were rounded to 0
  },
  spelled: (text, i, j) => (seen(i).includes(j)
    ? `${text(powers, i, j)} \u00f7 (${seen(i).map((k) => text(powers, i, k)).join(" + ")})` : "0, because the mask hides this token"),
});

// --- The matrices of each kind ------------------------------------------------------------

/**
 * A matrix of a sheet. `values` are its given numbers; a step has a formula instead.
 *
 * step: name of its computation ("scores"); key: the same name with the head ("scores2")
 * form: "whole", "fraction" or "logarithm" if its numbers are exact, else "decimal"
 * level: lowest level of blanks at which it is asked; none for a given matrix
 * operands: keys of the matrices in its formula; seen(i): the tokens that row i may attend to
 * terms(i): products in an entry of row i; isPrinted(i, j): whether an asked row prints the cell
 *
 * @typedef {{ key: string, title: string, role: string, form?: string, names?: string | null,
 *   values?: number[][], step?: string, level?: number, rows?: number[], width?: number, [more: string]: any }} Part
 */

/** @type {(sizes: any, given: any) => Part[]} */
function partsFromX(sizes, given) {
  const { tokens: { length: n }, d_model, d_k, d_v, heads, causal } = sizes;
  const seen = (i) => upTo(causal ? i + 1 : n);
  const rows = causal ? [given.row] : upTo(n);
  const masked = causal ? " A masked token has the weight 0." : "";
  const form = Number.isInteger(Math.sqrt(d_k)) ? "whole" : "decimal";
  /** @type {Part[]} */
  const parts = [{ key: "X", title: "X", values: given.X, role: "ink" }];
  for (const head of upTo(heads)) {
    const mark = heads > 1 ? String(head + 1) : "";
    const of = heads > 1 ? ` of head ${head + 1}` : "";
    const step = (name, more) => parts.push({ step: name, key: name + mark, head, form: "decimal", rows, ...more });
    for (const [letter, role] of [["Q", "query"], ["K", "key"], ["V", "value"]]) {
      parts.push({ key: `W_${letter}${mark}`, title: `W_${letter}${of}`, values: given[`W_${letter}`][head], role, names: null });
    }
    for (const [letter, role, level, width] of [["Q", "query", 1, d_k], ["K", "key", 2, d_k], ["V", "value", 2, d_v]]) {
      step(letter, {
        ...product("X", `W_${letter}${mark}`, d_model), operands: ["X", `W_${letter}${mark}`], width, role, level, rows: upTo(n), form: "whole",
        title: `${letter}${of} = X W_${letter}`, idea: `Multiply the row of X by each column of W_${letter}.`,
      });
    }
    step("scores", {
      ...sumOfProducts((i, j) => upTo(d_k).map((k) => [[`Q${mark}`, i, k], [`K${mark}`, j, k]])),
      operands: [`Q${mark}`, `K${mark}`], width: n, role: "ink", level: 0, form: "whole", printsHidden: true,
      title: `Scores${of}: query times key`, idea: "Multiply the query of the row by the key of each token, number by number, and add.",
    });
    step("logits", {
      ...divided(`scores${mark}`), operands: [`scores${mark}`], width: n, role: "ink", level: 0, form, printsHidden: true,
      title: `Logits${of}: scores divided`, idea: "Divide each score by the root of the width of a key.",
    });
    step("powers", {
      ...exponential(`logits${mark}`), operands: [`logits${mark}`], width: n, role: "ink", level: 0, printsHidden: true,
      title: `Powers${of}: e to the power of each logit`, idea: "Raise e to the power of each logit.",
    });
    step("weights", {
      ...normalised(`powers${mark}`, seen), operands: [`powers${mark}`], width: n, role: "ink", level: 0,
      title: `Weights${of}: softmax`, idea: `Divide each power by the sum of the powers of the row.${masked}`, seen,
    });
    step("output", {
      ...product(`weights${mark}`, `V${mark}`, n), operands: [`weights${mark}`, `V${mark}`], width: d_v, role: "output", level: 0,
      title: heads > 1 ? `Output${of}` : "Output", idea: "Multiply the row of weights by each column of V.", terms: (i) => seen(i).length,
    });
  }
  if (heads > 1) {
    parts.push({ key: "W_O", title: "W_O", values: given.W_O, role: "output", names: null });
    parts.push({
      ...sumOfProducts((i, j) => upTo(heads * d_v).map((k) => [[`output${Math.floor(k / d_v) + 1}`, i, k % d_v], ["W_O", k, j]])),
      step: "Z", key: "Z", operands: ["output1", "output2", "W_O"], form: "decimal", rows, width: d_model, role: "output", level: 0,
      title: "Output of both heads", idea: "Write the outputs of the heads side by side. Multiply this row by each column of W_O.",
    });
  }
  const isHidden = (i, j) => !seen(i).includes(j);
  return parts.map((part) => (part.printsHidden ? { ...part, isPrinted: isHidden } : part));
}

/** @type {(sizes: any, given: any) => Part[]} */
function exactParts({ tokens: { length: n }, d_v }, { exponents, V }) {
  const all = upTo(n);
  const common = { rows: all, level: 0, head: 0, role: "ink", width: n };
  return [
    { key: "logits", title: "Logits", values: exponents.map((row) => row.map((k) => k * Math.LN2)), role: "ink", form: "logarithm", names: "tokens" },
    { key: "V", title: "V", values: V, role: "value" },
    { ...common, ...exponential("logits"), step: "powers", key: "powers", operands: ["logits"], form: "whole",
      title: "Powers: e to the power of each logit", idea: "e to the power of ln 2 is 2. So e to the power of 3 ln 2 is 2 \u00d7 2 \u00d7 2." },
    { ...common, ...normalised("powers", () => all), step: "weights", key: "weights", operands: ["powers"], form: "fraction", seen: () => all,
      title: "Weights: softmax", idea: "Divide each power by the sum of the powers of the row. Write a fraction." },
    { ...common, ...product("weights", "V", n), step: "output", key: "output", operands: ["weights", "V"], form: "fraction", width: d_v, role: "output",
      title: "Output", idea: "Multiply the row of weights by each column of V. Write a fraction." },
  ];
}

const idOf = (key, i, j) => `${key}.${i}.${j}`;

/** A sheet: its matrices, the cells that are asked, and how long it takes. */
export function sheetOf(kinds, kind, seed, blanks) {
  const sizes = kinds[kind];
  const given = problem(kinds, kind, seed);
  const parts = sizes.d_k ? partsFromX(sizes, given) : exactParts(sizes, given);
  /** @type {Map<string, any>} */
  const byKey = new Map();
  parts.forEach((part) => byKey.set(part.key, part));
  const asksRow = (i) => (sizes.d_k ? i === given.row : i < 2 ** blanks);
  /** @type {(part: any, i: number, j: number) => boolean} */
  const asks = ({ step, level, isPrinted }, i, j) => Boolean(step) && level <= blanks && asksRow(i) && !isPrinted?.(i, j);
  const sheet = { sizes, parts, byKey, asks, row: given.row };
  const exactRange = exactGetter(sheet);
  const asked = parts.flatMap((part) =>
    (part.rows ?? []).flatMap((i) => upTo(part.width).filter((j) => asks(part, i, j)).map((j) => ({ part, i, j, id: idOf(part.key, i, j) }))));
  const products = asked.reduce((sum, { part, i, j }) => sum + (part.terms?.(i) ?? part.pairs?.(i, j).length ?? 0), 0);
  const minutes = Math.ceil((SECONDS * (products + asked.length)) / 60);
  return { ...sheet, asked, products, minutes, exact: (key, i, j) => exactRange(key, i, j)[0] };
}

// --- The range of each cell ---------------------------------------------------------------

/** Return get(key, i, j), the range of a cell: a given number, or by `read`, or else by the cell's formula. */
function getter({ byKey, sizes }, root, read) {
  const known = new Map([["root.0.0", root], ["d_k.0.0", point(sizes.d_k)]]);
  return function get(key, i, j) {
    const id = idOf(key, i, j);
    if (!known.has(id)) {
      const part = byKey.get(key);
      known.set(id, part.values ? point(part.values[i][j]) : read(part, i, j) ?? part.entry(get, i, j));
    }
    return known.get(id);
  };
}

const exactGetter = (sheet) => getter(sheet, point(Math.sqrt(sheet.sizes.d_k)), () => undefined);

/** Return how far a written decimal may lie from the exact number; 0 for exact forms. */
const slackOf = ({ form }, { places }) => (form === "decimal" ? SLACK * 10 ** -Math.max(places, FEWEST) : 0);

/** Read the text in a cell; the exact number decides whether 1,649 means 1.649 or 1649. */
export const readEntry = (sheet, entries, key, i, j) => readNumber(entries[idOf(key, i, j)] ?? "", { scale: sheet.exact(key, i, j) });

/** Return get(key, i, j), the range of a cell from the reader's entries and the printed numbers. */
export function getterOfEntries(sheet, entries) {
  return getter(sheet, rootOf(sheet.sizes.d_k), (part, i, j) => {
    if (sheet.asks(part, i, j)) {
      const read = readEntry(sheet, entries, part.key, i, j);
      return read.message ? undefined : around(read.value, slackOf(part, read));
    }
    return around(sheet.exact(part.key, i, j), part.form === "decimal" ? SLACK * 10 ** -PRINTED : 0);
  });
}

const isWithin = (x, [low, high], slack) => x >= low - slack - 1e-9 * (1 + Math.abs(x)) && x <= high + slack + 1e-9 * (1 + Math.abs(x));

/** Whether the reader's number is a rounding of a number in the range. */
export const fitsRange = (part, read, range) => isWithin(read.value, range, slackOf(part, read));

/** Whether the reader's number is a rounding that is too coarse: it has too few decimals, or a fraction is asked for. */
export const isCoarse = ({ form }, read, range) =>
  (form === "decimal" ? read.places < FEWEST : form === "fraction" && read.places >= FEWEST) && isWithin(read.value, range, SLACK * 10 ** -read.places);

// --- What a sheet prints --------------------------------------------------------------

/** Write a number as a fraction, or with decimals if the denominator is larger than `LARGEST_DENOMINATOR`. */
function fraction(value) {
  let denominator = 1;
  while (denominator <= LARGEST_DENOMINATOR && Math.abs(value * denominator - Math.round(value * denominator)) >= 1e-9) denominator += 1;
  if (denominator > LARGEST_DENOMINATOR) return fixed(value, PRINTED);
  const numerator = fixed(value * denominator, 0);
  return denominator === 1 ? numerator : `${numerator}/${denominator}`;
}

const WRITE = {
  whole: (value) => shortened(value, 4),
  fraction,
  logarithm: (value) => (value ? `${fixed(value / Math.LN2, 0)} ln 2` : "0"),
  decimal: (value) => fixed(value, PRINTED),
};

/** The text of a number of a matrix, as the sheet and the key print it. */
export const written = ({ form = "whole" }, value) => WRITE[form](value);

export const printed = (sheet, part, i, j) => written(part, part.values ? part.values[i][j] : sheet.exact(part.key, i, j));

/** The matrices that a sheet shows: matrices with blanks, and the operands of their formulas. */
export function shownParts({ parts, asked }) {
  const wanted = new Set(asked.flatMap(({ part }) => [part.key, ...part.operands]));
  return parts.filter(({ key }) => wanted.has(key));
}

/** Return the task of a sheet, as a text. */
export function taskOf({ sizes: { tokens, causal, d_k }, row, products, minutes, asked, parts }) {
  const rows = d_k ? `the row of \u201c${tokens[row]}\u201d` : "the blanks";
  const mask = causal ? " A token attends to itself and to earlier tokens only." : "";
  const decimals = parts.some(({ form }) => form === "decimal") ? " If the decimals of a number never end, write at least two of them." : "";
  return `Fill in ${rows}: ${asked.length} entries, ${products} products, about ${minutes} minutes.${mask}${decimals}`;
}

/** Return the table of powers of e, as texts; empty if the logits are not multiples of 0.5. */
export function powersOf({ sizes: { d_k, largest } }) {
  if (!d_k || !Number.isInteger(Math.sqrt(d_k))) return [];
  const top = largest / Math.sqrt(d_k);
  return Array.from({ length: 4 * top + 1 }, (_, i) => i / 2 - top).map((x) => [fixed(x, 1), fixed(Math.exp(x), 3)]);
}
