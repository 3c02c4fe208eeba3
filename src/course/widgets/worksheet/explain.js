// The arithmetic of a cell, said with its numbers.
//
// An explanation (contract.d.ts) is lines of parts: words and signs, symbols in the colour
// of their role, source cells that the reader can follow, intermediate results. Its terms
// follow one another when it plays: the sources that enter, and what is reached with them.

/** @import { Cell, Explanation, ExplanationPart, Inputs } from "../contract.d.ts" */

import { fixed, shortened, signed } from "../card/numbers.js";
import { PER_HEAD, blocked, hasMask, sizes, splitId } from "./model.js";

export const ROLE_OF = {
  W_Q: "query",
  Q: "query",
  W_K: "key",
  K: "key",
  W_V: "value",
  V: "value",
  head: "output",
  concat: "output",
  W_O: "output",
  output: "output",
};

export const KIND_NAMES = {
  X: "X",
  W_Q: "Query projection",
  W_K: "Key projection",
  W_V: "Value projection",
  Q: "Q",
  K: "K",
  V: "V",
  scores: "Scores",
  scaled: "Scaled scores",
  masked: "Masked scores",
  weights: "Weights",
  head: "Head output",
  concat: "Concatenation",
  W_O: "Output projection",
  output: "Output",
};

// Beyond this the plain exponentials grow too long to read, or overflow.
const READABLE_LOGIT = 12;

// ---------------------------------------------------------------- numbers

function exponential(value, digits) {
  return signed(value.toExponential(digits).replace("e+", "e"));
}

// A number of a sum: as short as it can be at this many decimals.
export function shortNumber(value, decimals) {
  const size = Math.abs(value);
  if (size === Infinity) return fixed(value);
  if (size >= 1e6) return exponential(value, decimals);
  if (size > 0 && size < 0.5 * 10 ** -decimals) return exponential(value, 1);
  return shortened(value, decimals);
}

// A number of a matrix: the same decimals in every cell, so that points align.
export function cellNumber(value, decimals) {
  const size = Math.abs(value);
  if (size >= 9999.5 && size !== Infinity) return exponential(value, 1);
  return fixed(value, size >= 99.5 ? 1 : decimals);
}

// Decimals that show three of four numbers of an input matrix in full, from one to four;
// a number that needs more has them for itself.
export function inputDecimals(matrix) {
  const lengths = matrix.flat().map((x) => {
    const [, fraction = ""] = String(x).split(".");
    return /e/.test(String(x)) ? 0 : fraction.length;
  }).sort((a, b) => a - b);
  return Math.min(4, Math.max(1, lengths[Math.floor(0.75 * (lengths.length - 1))]));
}

export function inputNumber(value, decimals) {
  const saysAll = Number(value.toFixed(decimals)) === value && Math.abs(value) < 1e5;
  if (saysAll) return fixed(value, decimals);
  return shortNumber(value, 4);
}

// Whether a number is shown in full: one too small for its decimals never is.
function isExact(value, decimals) {
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -decimals) return false;
  const rounded = Number(value.toFixed(decimals));
  return Math.abs(rounded - value) <= 1e-12 * Math.max(1, Math.abs(value));
}

function equals(values, decimals) {
  const exact = values.every((v) => !Number.isFinite(v) || isExact(v, decimals));
  return { text: exact ? " = " : " \u2248 " };
}

// ------------------------------------------------------------------ parts

// Each list stays on one line; a sum breaks between its terms, which play in order.
function joined(lists, separator) {
  const groups = lists.map((group, i) => ({ group, at: i + 1 }));
  return groups.flatMap((part, i) => (i ? [{ text: separator, at: i + 1 }, part] : [part]));
}

function from(at, parts) {
  return parts.map((part) => ({ ...part, at }));
}

// A single term: the sources, and the result that ends the lines.
function atOnce(cells, name, number) {
  return [{ cells, name, number }];
}

// The sums of some numbers, one after the other.
function running(numbers) {
  let sum = 0;
  return numbers.map((number) => (sum += number));
}

/** @type {(parts: ExplanationPart[]) => ExplanationPart[]} */
export function leaves(parts) {
  return parts.flatMap((part) => (part.group ? leaves(part.group) : [part]));
}

function words(text) {
  return { text };
}

function cellPart(values, id, row, column) {
  return { cell: { id, row, column }, value: values[id][row][column] };
}

function wrapped(part) {
  const negative = (part.value ?? part.number) < 0;
  return negative ? [words("("), part, words(")")] : [part];
}

function letterPart(inputs, sym, sub, role, head) {
  const sup = head !== undefined && inputs.W_Q.length > 1 ? `(${head + 1})` : "";
  return { sym, sub, sup, role };
}

// The sum of products of pairs of cells, as lines: factors, products, total; and as terms.
function sumOfProducts(lead, pairs, total, decimals) {
  const factors = pairs.map(([a, b]) => [...wrapped(a), words("\u00d7"), ...wrapped(b)]);
  const products = pairs.map(([a, b]) => a.value * b.value);
  const operands = pairs.flat().map((part) => part.value);
  const lines = [[...lead, equals(operands, decimals), ...joined(factors, " + ")]];
  if (pairs.length > 1) {
    const terms = products.map((number) => wrapped({ number }));
    lines.push([...from(1, [equals(products, decimals)]), ...joined(terms, " + ")]);
  }
  lines.push(from(pairs.length, [equals([total], decimals), { number: total, result: true }]));
  const sums = running(products);
  const terms = pairs.map((pair, i) => ({ cells: pair.map(({ cell }) => cell), name: "sum", number: sums[i] }));
  return { lines, terms };
}

// ------------------------------------------------------------- explanations

const EXPLAINERS = {
  scores: explainScore,
  scaled: explainScaled,
  masked: explainMasked,
  weights: explainWeight,
  head: explainMix,
  concat: explainConcat,
  output: explainOutput,
  Q: (context) => explainProjection(context, "q", "W_Q", "query"),
  K: (context) => explainProjection(context, "k", "W_K", "key"),
  V: (context) => explainProjection(context, "v", "W_V", "value"),
};

/**
 * The arithmetic of a cell.
 *
 * @param {Inputs} inputs
 * @param {Record<string, number[][]>} values
 * @param {Cell} cell
 * @param {number} decimals
 * @returns {Explanation}
 */
export function explain(inputs, values, cell, decimals) {
  const { kind, head } = splitId(cell.id);
  const context = { inputs, values, head, kind, decimals, ...cell };
  const found = (EXPLAINERS[kind] ?? explainInput)(context);
  const sources = leaves(found.lines.flat())
    .filter((part) => part.cell)
    .map((part) => part.cell);
  return { title: cellTitle(inputs, cell), sources, terms: [], ...found };
}

export function headName(inputs, head) {
  return inputs.W_Q.length > 1 ? `, head ${head + 1}` : "";
}

// A cell in words: "Scores, row play, column football, head 1".
export function cellTitle(inputs, { id, row, column }) {
  const { kind, head } = splitId(id);
  const suffix = PER_HEAD.includes(kind) ? headName(inputs, head) : "";
  const [rows, columns] = labels(inputs, kind);
  const places = `row ${rows[row]}, column ${columns[column]}`;
  return `${KIND_NAMES[kind]}${suffix}: ${places}`;
}

function counted(count) {
  return Array.from({ length: count }, (_, i) => String(i + 1));
}

// Row and column labels of a kind of matrix.
export function labels(inputs, kind) {
  const size = sizes(inputs);
  const tokens = inputs.tokens;
  if (["scores", "scaled", "masked", "weights"].includes(kind)) {
    return [tokens, tokens];
  }
  const widths = {
    X: size.d_model,
    Q: size.d_k,
    K: size.d_k,
    V: size.d_v,
    head: size.d_v,
    concat: size.width,
    output: size.d_model,
  };
  if (kind in widths) return [tokens, counted(widths[kind])];
  if (kind === "W_O") return [counted(size.width), counted(size.d_model)];
  const columns = kind === "W_V" ? size.d_v : size.d_k;
  return [counted(size.d_model), counted(columns)];
}

function explainInput({ inputs, kind, head, id, row, column, values, decimals }) {
  const feeds = {
    X: `It feeds row ${inputs.tokens[row]} of Q, K and V in every head.`,
    W_Q: `It feeds column ${column + 1} of Q${headName(inputs, head)}.`,
    W_K: `It feeds column ${column + 1} of K${headName(inputs, head)}.`,
    W_V: `It feeds column ${column + 1} of V${headName(inputs, head)}.`,
    W_O: `It feeds column ${column + 1} of the output.`,
  };
  const number = values[id][row][column];
  const lead = isExact(number, decimals) ? "You set this number: " : "You set this number, about ";
  const lines = [[words(lead), { number, result: true }]];
  return { lines, note: feeds[kind] };
}

function explainProjection(context, letter, weightKind, role) {
  const { inputs, values, head, row, column, decimals } = context;
  const weightId = `${weightKind}.${head}`;
  const pairs = values.X[row].map((_, k) => [
    cellPart(values, "X", row, k),
    cellPart(values, weightId, k, column),
  ]);
  const lead = [
    letterPart(inputs, letter, `${row + 1},${column + 1}`, role, head),
    words(" = "),
    letterPart(inputs, "x", String(row + 1), "ink"),
    words(" \u00b7 "),
    { sym: "W", sub: inputs.W_Q.length > 1 ? String(head + 1) : "", sup: letter.toUpperCase(), role },
    words(` column ${column + 1}`),
  ];
  const total = values[`${letter.toUpperCase()}.${head}`][row][column];
  const note =
    `The ${role} of \u201c${inputs.tokens[row]}\u201d: its row of X times ` +
    `column ${column + 1} of the ${role} projection.`;
  return { ...sumOfProducts(lead, pairs, total, decimals), note };
}

function explainScore({ inputs, values, head, row, column, id, decimals }) {
  const pairs = values[`Q.${head}`][row].map((_, k) => [
    cellPart(values, `Q.${head}`, row, k),
    cellPart(values, `K.${head}`, column, k),
  ]);
  const lead = [
    letterPart(inputs, "q", String(row + 1), "query", head),
    words(" \u00b7 "),
    letterPart(inputs, "k", String(column + 1), "key", head),
  ];
  const note =
    `The query of \u201c${inputs.tokens[row]}\u201d against the key of ` +
    `\u201c${inputs.tokens[column]}\u201d: the larger the score, the more ` +
    `it looks there.`;
  const total = values[id][row][column];
  return { ...sumOfProducts(lead, pairs, total, decimals), note };
}

function explainScaled({ inputs, values, head, row, column, id, decimals }) {
  const d_k = sizes(inputs).d_k;
  const source = cellPart(values, `scores.${head}`, row, column);
  const root = { number: Math.sqrt(d_k) };
  const value = values[id][row][column];
  const line = [
    words("score \u00f7 \u221a"),
    { sym: "d", sub: "k", sup: "", role: "ink" },
    equals([source.value], decimals),
    source,
    words(` \u00f7 \u221a${d_k}`),
    equals([root.number], decimals),
    source,
    words(" \u00f7 "),
    root,
  ];
  const result = from(1, [equals([value], decimals), { number: value, result: true }]);
  const note = `Every score of this head is divided by the same \u221a${d_k}.`;
  return { lines: [line, result], note, terms: atOnce([source.cell], "scaled score", value) };
}

function explainMasked({ inputs, values, head, row, column, id, decimals }) {
  const source = cellPart(values, `scaled.${head}`, row, column);
  const reason = blocked(inputs, row, column);
  const value = values[id][row][column];
  const add = reason ? "(\u2212\u221e)" : "0";
  const lines = [
    [words("scaled + mask"), equals([source.value], decimals), source, words(` + ${add}`)],
    from(1, [equals([value], decimals), { number: value, result: true }]),
  ];
  const terms = atOnce([source.cell], "masked score", value);
  return { lines, terms, note: maskNote(inputs, row, column, reason) };
}

function maskNote(inputs, row, column, reason) {
  const [from, to] = [inputs.tokens[row], inputs.tokens[column]];
  if (reason === "padding") {
    return `Masked: \u201c${to}\u201d is padding, so nobody looks at it.`;
  }
  if (reason === "causal") {
    return `Masked: \u201c${to}\u201d comes after \u201c${from}\u201d (causal mask).`;
  }
  return `Not masked: \u201c${from}\u201d may look at \u201c${to}\u201d.`;
}

function explainWeight({ inputs, values, head, row, column, id, decimals }) {
  const sourceId = hasMask(inputs) ? `masked.${head}` : `scaled.${head}`;
  const logits = values[sourceId][row];
  const cells = logits.map((_, j) => cellPart(values, sourceId, row, j));
  const value = values[id][row][column];
  const top = Math.max(...logits);
  if (top === -Infinity) return explainNoWeight(inputs, row, cells);
  const shift = Math.max(...finite(logits).map(Math.abs)) > READABLE_LOGIT ? top : 0;
  const explained = weightLines(cells, column, shift, value, decimals);
  return { ...explained, note: weightNote(inputs, row, column, value, shift) };
}

export function finite(list) {
  return list.filter(Number.isFinite);
}

function explainNoWeight(inputs, row, cells) {
  const shown = joined(cells.map((cell) => [cell]), ", ");
  const lines = [
    [words("the row is "), ...shown, words(":")],
    from(1, [words("no key is left, so the weight is "), { number: 0, result: true }]),
  ];
  const terms = atOnce(cells.map(({ cell }) => cell), "weight", 0);
  const note =
    `Every key is masked for \u201c${inputs.tokens[row]}\u201d. The quotient ` +
    "would be 0 \u00f7 0; by rule such a row has zero weights and a zero output.";
  return { lines, terms, note };
}

function power(cell, shift) {
  const moved = [words(" \u2212 "), ...wrapped({ number: shift })];
  return [words("exp("), cell, ...(shift ? moved : []), words(")")];
}

function weightLines(cells, column, shift, value, decimals) {
  const powers = cells.map((cell) => Math.exp(cell.value - shift));
  const sums = running(powers);
  const total = sums.at(-1);
  const numerator = { number: powers[column] };
  const exponents = cells.map((cell) => power(cell, shift));
  const numbers = powers.map((number) => [{ number }]);
  const last = cells.length + 1;
  const lines = [
    [
      { group: power(cells[column], shift) },
      words(" \u00f7 ( "),
      ...joined(exponents, " + "),
      ...from(cells.length, [words(" )")]),
    ],
    [
      ...from(1, [equals(powers, decimals)]),
      ...from(column + 1, [numerator]),
      ...from(1, [words(" \u00f7 ( ")]),
      ...joined(numbers, " + "),
      ...from(cells.length, [words(" )")]),
    ],
    from(last, [
      equals([powers[column], total], decimals),
      numerator,
      words(" \u00f7 "),
      { number: total },
      equals([value], decimals),
      { number: value, result: true },
    ]),
  ];
  const terms = cells.map(({ cell }, i) => ({ cells: [cell], name: "sum", number: sums[i] }));
  return { lines, terms: [...terms, ...atOnce([cells[column].cell], "weight", value)] };
}

function weightNote(inputs, row, column, value, shift) {
  const [from, to] = [inputs.tokens[row], inputs.tokens[column]];
  const masked = blocked(inputs, row, column)
    ? `${maskNote(inputs, row, column, blocked(inputs, row, column))} exp(\u2212\u221e) is 0. `
    : "";
  const moved = shift
    ? "The row\u2019s largest score is subtracted first: the quotient stays the " +
      "same and no exponential overflows. "
    : "";
  const percent = shortNumber(100 * value, 1);
  return `${masked}${moved}\u201c${from}\u201d gives \u201c${to}\u201d ${percent}% of its attention.`;
}

function explainMix({ inputs, values, head, row, column, id, decimals }) {
  const pairs = inputs.tokens.map((_, j) => [
    cellPart(values, `weights.${head}`, row, j),
    cellPart(values, `V.${head}`, j, column),
  ]);
  const lead = [
    words("weights "),
    { sym: "a", sub: String(row + 1), sup: "", role: "ink" },
    words(" \u00b7 "),
    letterPart(inputs, "V", "", "value", head),
    words(` column ${column + 1}`),
  ];
  const total = values[id][row][column];
  const taking = inputs.tokens.map((_, j) => j).filter((j) => !blocked(inputs, row, j));
  const mixed = taking.map((j) => values[`V.${head}`][j][column]);
  const note = mixed.length
    ? `A mixture of column ${column + 1} of V in the proportions of ` +
      `\u201c${inputs.tokens[row]}\u201d: never below ` +
      `${shortNumber(Math.min(...mixed), decimals)}, never above ` +
      `${shortNumber(Math.max(...mixed), decimals)}.`
    : `Every key is masked for \u201c${inputs.tokens[row]}\u201d: nothing is mixed.`;
  return { ...sumOfProducts(lead, pairs, total, decimals), note };
}

function explainConcat({ inputs, values, row, column, decimals }) {
  const d_v = sizes(inputs).d_v;
  const head = Math.floor(column / d_v);
  const source = cellPart(values, `head.${head}`, row, column % d_v);
  const place = `head ${head + 1}, column ${(column % d_v) + 1}`;
  const lines = [
    [words(`${place}: `), source],
    from(1, [equals([source.value], decimals), { number: source.value, result: true }]),
  ];
  const terms = atOnce([source.cell], "copied", source.value);
  return { lines, terms, note: "Copied: joining the heads adds no arithmetic." };
}

function explainOutput({ inputs, values, row, column, id, decimals }) {
  const pairs = values.concat[row].map((_, k) => [
    cellPart(values, "concat", row, k),
    cellPart(values, "W_O", k, column),
  ]);
  const lead = [
    words(`concatenation row ${row + 1} \u00b7 `),
    { sym: "W", sub: "", sup: "O", role: "output" },
    words(` column ${column + 1}`),
  ];
  const many = inputs.W_Q.length > 1;
  const note =
    `The new vector of \u201c${inputs.tokens[row]}\u201d, column ${column + 1}` +
    (many ? ": a sum over all heads." : ".");
  const total = values[id][row][column];
  return { ...sumOfProducts(lead, pairs, total, decimals), note };
}

// --------------------------------------------------------------- plain text

function partText(part, decimals) {
  if (part.text !== undefined) return part.text;
  if (part.sym !== undefined) {
    return part.sym + (part.sub ? `_${part.sub}` : "") + (part.sup ? `^${part.sup}` : "");
  }
  return shortNumber(part.cell ? part.value : part.number, decimals);
}

function lineText(line, decimals) {
  return leaves(line)
    .map((part) => partText(part, decimals))
    .join("");
}

// An explanation for a screen reader: one sentence of arithmetic, one of words.
export function explanationText(explanation, decimals) {
  const lines = explanation.lines.map((line) => lineText(line, decimals));
  return `${explanation.title}. ${lines.map((line) => line.trim()).join(" ")}. ${explanation.note}`;
}

// A matrix as a NumPy expression, every digit kept.
export function numpyText(matrix) {
  const number = (x) => {
    if (x === -Infinity) return "-np.inf";
    const digits = String(x);
    return /[.e]/.test(digits) ? digits : `${digits}.0`;
  };
  const rows = matrix.map((row) => `[${row.map(number).join(", ")}]`);
  return `np.array([${rows.join(",\n          ")}])`;
}
