// The encoder-decoder, forward, in float64: `transformer.model` in the reader's browser.
//
// A pass stores every matrix under the name that Python's trace gives it, as
//   { values, rows, columns, how }
// rows, columns: kind of the labels: "english", "french" or "" (numbers)
// how:           { by, ... }, the operation and the names of its operands; `explain.js`
//                turns `how` into the arithmetic of a cell
//
// A matrix has a row for each word. When the decoder writes a word, the rows of all earlier
// words are kept; their scores and weights get a column for the new word.
// A worker gets this code as text: list every constant and function that it needs in `CODE`.

import { softmax } from "../card/numbers.js";

const EPSILON = 1e-5;

// Loops, because products take most of a pass: `reduce` and `map` are several times slower.
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

const TEMPLATES = []; // a row of each length: `rowOf` copies it, which is faster than pushing numbers

// Return a row to fill, of 0.5 and not 0: the browser would convert an array of integers at its first fraction.
function rowOf(n) {
  TEMPLATES[n] ??= Array.from({ length: n }, () => 0.5);
  return TEMPLATES[n].slice();
}

/** Return row × matrix + bias; with `relu`, negative numbers become 0. `columns`: the matrix's columns. */
function times(row, columns, bias, relu) {
  const found = rowOf(columns.length);
  for (let j = 0; j < columns.length; j++) {
    const sum = dot(row, columns[j]) + (bias ? bias[j] : 0);
    found[j] = relu && sum < 0 ? 0 : sum;
  }
  return found;
}

/** The sum of rows, each times its weight. */
function mixed(weights, rows) {
  const sum = rows[0].map(() => 0);
  for (let j = 0; j < rows.length; j++) {
    for (let k = 0; k < sum.length; k++) sum[k] += weights[j] * rows[j][k];
  }
  return sum;
}

const TRANSPOSED = new WeakMap(); // the columns of each matrix of weights

function columnsOf(rows) {
  if (!TRANSPOSED.has(rows)) TRANSPOSED.set(rows, rows[0].map((_, j) => rows.map((row) => row[j])));
  return TRANSPOSED.get(rows);
}

const [NAMES, HEADS] = [new Map(), new Map()]; // names of matrices and of heads, kept because joining is slow
const SUFFIXES = ["query", "key", "value", "scores", "logits", "weights", "output", "added", "concat", "hidden",
  "residual", "norm", "W_Q", "W_K", "W_V", "W_O", "b_O", "W_1", "b_1", "W_2", "b_2", "gain", "bias"];

/** The full names of a part's matrices: namesOf("decoder.0.feed_forward").norm. */
function namesOf(at) {
  if (!NAMES.has(at)) NAMES.set(at, Object.fromEntries(SUFFIXES.map((last) => [last, `${at}.${last}`])));
  return NAMES.get(at);
}

/** Return the names of the n heads of a sublayer. Machines on one page may differ in n. */
function headsAt(at, n) {
  const key = `${n} ${at}`;
  if (!HEADS.has(key)) HEADS.set(key, indices(n).map((head) => `${at}.head.${head}`));
  return HEADS.get(key);
}

/** Return the mean and the standard deviation of a row, as the layer norm uses them. */
export function moments(row) {
  let [sum, squares] = [0, 0];
  for (let j = 0; j < row.length; j++) sum += row[j];
  const mean = sum / row.length;
  for (let j = 0; j < row.length; j++) squares += (row[j] - mean) ** 2;
  return { mean, size: Math.sqrt(squares / row.length + EPSILON) };
}

/** Return the angle whose sine or cosine is column j of a place's positional encoding. */
export function angle(place, j, width) {
  return place / 10000 ** ((j - (j % 2)) / width);
}

/** A forward pass: the weights and the matrices that are computed from them, by name. */
export class Pass {
  constructor({ matrices, config, lacks }) {
    this.config = config;
    this.lacks = lacks;
    this.matrices = {};
    for (const [name, values] of Object.entries(matrices)) this.matrices[name] = { values, rows: "", columns: "", how: { by: "learned" } };
  }

  values(name) {
    return this.matrices[name].values;
  }

  rowKind(name) {
    return this.matrices[name].rows;
  }

  /** Compute the missing rows of a matrix, up to n rows; `make(i)` returns row i. */
  grow(name, n, rowKind, columnKind, how, make) {
    const { values } = (this.matrices[name] ??= { values: [], rows: rowKind, columns: columnKind, how });
    for (let i = values.length; i < n; i++) values.push(make(i));
    return name;
  }

  /**
   * left × a matrix of weights, plus a bias. With `relu`, negative numbers become 0.
   *
   * @param {string} name
   * @param {string} left
   * @param {string} right
   * @param {{ bias?: string, relu?: boolean }} options
   */
  product(name, left, right, { bias, relu = false } = {}) {
    const [rows, columns] = [this.values(left), columnsOf(this.values(right))];
    const add = bias ? this.values(bias)[0] : null;
    return this.grow(name, rows.length, this.rowKind(left), "", { by: "product", left, right, bias, relu },
      (i) => times(rows[i], columns, add, relu));
  }

  /** Weights × values: the weighted mean of the values. */
  mix(name, left, right) {
    const [rows, values] = [this.values(left), this.values(right)];
    return this.grow(name, rows.length, this.rowKind(left), "", { by: "product", left, right }, (i) => mixed(rows[i], values));
  }

  /** left × the transpose of right: entry (i, j) is the dot product of rows i and j. */
  productWithTranspose(name, left, right) {
    const [rows, others] = [this.values(left), this.values(right)];
    this.widen(name, others.length, (i, j) => dot(rows[i], others[j]));
    return this.grow(name, rows.length, this.rowKind(left), this.rowKind(right), { by: "compare", left, right },
      (i) => times(rows[i], others, null, false));
  }

  /** Add the columns of later words to the existing rows of a matrix. */
  widen(name, m, entry) {
    const rows = this.matrices[name]?.values ?? [];
    if (!rows.length || rows[0].length >= m) return;
    rows.forEach((row, i) => {
      for (let j = row.length; j < m; j++) row.push(entry(i, j));
    });
  }

  add(name, left, right) {
    const [rows, others] = [this.values(left), this.values(right)];
    return this.grow(name, rows.length, this.rowKind(left), "", { by: "sum", left, right },
      (i) => rows[i].map((x, j) => x + others[i][j]));
  }

  norm(name, of, weights) {
    const { gain, bias } = namesOf(weights);
    const [rows, scale, shift] = [this.values(of), this.values(gain)[0], this.values(bias)[0]];
    return this.grow(name, rows.length, this.rowKind(of), "", { by: "norm", of, gain, bias }, (i) => {
      const { mean, size } = moments(rows[i]);
      return rows[i].map((x, j) => ((x - mean) / size) * scale[j] + shift[j]);
    });
  }

  /** Compute the vectors of words, and add the encodings of their positions. */
  embed(side, language, numbers) {
    const table = this.values(language);
    const width = table[0].length;
    const lacking = this.lacks.has(`${side}.positions`);
    const place = (i, j) => (lacking ? 0 : (j % 2 ? Math.cos : Math.sin)(angle(i, j, width)));
    const [embedded, positions] = [`${side}.embedded`, `${side}.positions`];
    this.grow(embedded, numbers.length, language, "", { by: "lookup", table: language, numbers },
      (i) => table[numbers[i]].map((x) => x * Math.sqrt(width)));
    this.grow(positions, numbers.length, language, "", { by: lacking ? "lacking" : "place" },
      (i) => table[0].map((_, j) => place(i, j)));
    return this.add(`${side}.input`, embedded, positions);
  }

  /** Run one head; return the name of its output. `sees(i, j)`: whether query i may attend to key j. */
  head(at, x, context, sees) {
    const names = namesOf(at);
    const query = this.product(names.query, x, names.W_Q);
    const key = this.product(names.key, context, names.W_K);
    const value = this.product(names.value, context, names.W_V);
    const scores = this.productWithTranspose(names.scores, query, key);
    const [found, d_k] = [this.values(scores), this.values(query)[0].length];
    const [rowKind, columnKind, m] = [this.rowKind(query), this.rowKind(key), this.values(key).length];
    this.widen(names.logits, m, () => -Infinity); // new columns of existing rows are always masked
    this.grow(names.logits, found.length, rowKind, columnKind, { by: "scale", of: scores, d_k },
      (i) => found[i].map((score, j) => (sees(i, j) ? score / Math.sqrt(d_k) : -Infinity)));
    this.widen(names.weights, m, () => 0);
    const weights = this.grow(names.weights, found.length, rowKind, columnKind, { by: "softmax", of: names.logits },
      (i) => softmax(this.values(names.logits)[i]));
    const output = this.mix(names.output, weights, value);
    this.product(names.added, output, names.W_O);
    return output;
  }

  /** Run all heads, W^O, the residual connection and the norm. */
  attention(at, x, context, sees = () => true) {
    const names = namesOf(at);
    const found = headsAt(at, this.config.num_heads).map((head) => this.head(head, x, context, sees));
    this.grow(names.concat, this.values(x).length, this.rowKind(x), "", { by: "concat", of: found },
      (i) => [].concat(...found.map((name) => this.values(name)[i])));
    const bias = names.b_O in this.matrices ? names.b_O : undefined;
    this.product(names.output, names.concat, names.W_O, { bias });
    return this.addAndNorm(at, x);
  }

  feedForward(at, x) {
    const names = namesOf(at);
    this.product(names.hidden, x, names.W_1, { bias: names.b_1, relu: true });
    this.product(names.output, names.hidden, names.W_2, { bias: names.b_2 });
    return this.addAndNorm(at, x);
  }

  /** Add the input of a sublayer to its output, and normalise. */
  addAndNorm(at, x) {
    const { residual, output, norm } = namesOf(at);
    if (!this.lacks.has(`${at.split(".")[0]}.residuals`)) this.add(residual, x, output);
    else {
      const found = this.values(output);
      this.grow(residual, found.length, this.rowKind(output), "", { by: "alone", of: output }, (i) => found[i].slice());
    }
    return this.norm(norm, residual, `${at}_norm`);
  }

  read(source) {
    let x = this.embed("encoder", "english", source);
    for (const layer of indices(this.config.num_layers)) {
      x = this.attention(`encoder.${layer}.self_attention`, x, x);
      x = this.feedForward(`encoder.${layer}.feed_forward`, x);
    }
    this.memory = x;
  }

  /** Return the logits after the last word; `target` must begin with the words of the previous call. */
  write(target) {
    const causal = (i, j) => j <= i;
    let x = this.embed("decoder", "french", target);
    for (const layer of indices(this.config.num_layers)) {
      const at = `decoder.${layer}`;
      x = this.attention(`${at}.self_attention`, x, x, causal);
      x = this.attention(`${at}.cross_attention`, x, this.memory);
      x = this.feedForward(`${at}.feed_forward`, x);
    }
    return this.values(this.productWithTranspose("decoder.logits", x, "french")).at(-1);
  }
}

const indices = (n) => Array.from({ length: n }, (_, i) => i);

/**
 * Return a model with parts switched off, named as in `transformer.laboratory`.
 *
 * A head occurs in two matrices: its own W_O, and its rows of the sublayer's W_O. Both become 0.
 * means: a row for each head, which is added if the head is off; null: add nothing
 *
 * @param {any} model
 * @param {string[]} off
 * @param {Record<string, number[][]> | null} means
 */
export function cut(model, off, means = null) {
  const matrices = { ...model.matrices };
  const zeros = (rows) => rows.map((row) => row.map(() => 0));
  for (const name of off) {
    const [at, head] = name.split(".head.");
    if (head !== undefined) {
      const width = matrices[`${name}.W_O`].length;
      const begin = Number(head) * width;
      matrices[`${at}.W_O`] = matrices[`${at}.W_O`].map((row, i) => (i >= begin && i < begin + width ? row.map(() => 0) : row));
      matrices[`${name}.W_O`] = zeros(matrices[`${name}.W_O`]);
      if (means) {
        const [mean, bias] = [means[name][0], matrices[`${at}.b_O`]?.[0]];
        matrices[`${at}.b_O`] = [mean.map((x, j) => x + (bias?.[j] ?? 0))];
      }
    } else if (at.endsWith("feed_forward")) {
      for (const part of [`${at}.W_2`, `${at}.b_2`]) matrices[part] = zeros(matrices[part]);
    }
  }
  return { ...model, matrices, lacks: new Set(off) };
}

/** Return the index of the largest logit. */
const likeliest = (logits) => logits.indexOf(Math.max(...logits));

/**
 * Translate a sentence and keep every matrix.
 *
 * model: what `readModel` or `cut` returns; source: token ids of the English words;
 * longest: number of words after which the translation stops without an end mark
 * forced: for each place the token id of the word that the reader chose, or undefined
 * Returns { target, last, matrices }: `target` has the token ids of the start mark and of the
 * French words, `last` the token id chosen after them. `matrices` has every matrix of the pass.
 * A written word sees only earlier words, so its rows do not change when the decoder writes more
 * words: one pass holds all steps.
 *
 * @param {any} model
 * @param {number[]} source
 * @param {any} words
 * @param {(number | undefined)[]} forced
 */
export function translate(model, source, { start, end, longest }, forced = []) {
  const pass = new Pass(model);
  pass.read(source);
  const target = [start];
  for (;;) {
    const n = target.length;
    const logits = pass.write(target);
    const last = forced[n - 1] ?? likeliest(logits);
    if (last === end || n > longest) return { target, last, matrices: pass.matrices };
    target.push(last);
  }
}

const NAMED = { softmax, dot, rowOf, times, mixed, columnsOf, namesOf, headsAt, moments, angle, Pass, indices, cut, likeliest, translate };

/** The code that `cut` and `translate` need, as the text of a script for a worker. */
export const CODE = [
  `const [EPSILON, SUFFIXES] = [${EPSILON}, ${JSON.stringify(SUFFIXES)}];`,
  "const [TEMPLATES, TRANSPOSED, NAMES, HEADS] = [[], new WeakMap(), new Map(), new Map()];",
  ...Object.entries(NAMED).map(([name, code]) => `const ${name} = ${code};`), ""].join("\n");

/** Return the indices of the k largest values. Equal values keep their order. */
export const largest = (values, k) => values.map((_, i) => i).sort((a, b) => values[b] - values[a]).slice(0, k);
