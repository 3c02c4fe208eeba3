// The encoder-decoder, forward, in float64: `transformer.model` in the reader's browser.
//
// A pass leaves every matrix under the name that Python's trace gives it, as
//   { values, rows, columns, how }
// rows, columns: "english", "french" or "" (numbered): what their labels are
// how:           { by, ... }, the operation and the names of what it took; `explain.js`
//                turns it into the arithmetic of a cell

import { softmax } from "../card/numbers.js";

const EPSILON = 1e-5;

// A loop, as it takes most of a pass: `reduce` is several times slower.
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

const turned = (rows) => rows[0].map((_, j) => rows.map((row) => row[j]));

/** Mean and spread of a row, as the layer norm takes them. */
export function moments(row) {
  const mean = row.reduce((sum, x) => sum + x, 0) / row.length;
  const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
  return { mean, size: Math.sqrt(variance + EPSILON) };
}

/** The angle of column j at a place: what a positional encoding is the sine or cosine of. */
export function angle(place, j, width) {
  return place / 10000 ** ((j - (j % 2)) / width);
}

/** A pass: the weights, and the matrices that are made from them, by name. */
class Pass {
  constructor(weights) {
    this.matrices = {};
    for (const [name, values] of Object.entries(weights)) this.keep(name, values, "", "", { by: "learned" });
  }

  values(name) {
    return this.matrices[name].values;
  }

  keep(name, values, rows, columns, how) {
    this.matrices[name] = { values, rows, columns, how };
    return name;
  }

  rows(name) {
    return this.matrices[name].rows;
  }

  /**
   * left × right, plus a bias, negative numbers cut off for a ReLU.
   *
   * @param {string} name
   * @param {string} left
   * @param {string} right
   * @param {{ bias?: string, relu?: boolean }} options
   */
  product(name, left, right, { bias, relu = false } = {}) {
    const columns = turned(this.values(right));
    const add = bias ? this.values(bias)[0] : columns.map(() => 0);
    const values = this.values(left).map((row) => columns.map((column, j) => {
      const sum = dot(row, column) + add[j];
      return relu ? Math.max(sum, 0) : sum;
    }));
    return this.keep(name, values, this.rows(left), "", { by: "product", left, right, bias, relu });
  }

  /** left × the transpose of right: every row against every row. */
  compare(name, left, right) {
    const values = this.values(left).map((row) => this.values(right).map((other) => dot(row, other)));
    return this.keep(name, values, this.rows(left), this.rows(right), { by: "compare", left, right });
  }

  add(name, left, right) {
    const values = this.values(left).map((row, i) => row.map((x, j) => x + this.values(right)[i][j]));
    return this.keep(name, values, this.rows(left), "", { by: "sum", left, right });
  }

  norm(name, of, weights) {
    const [gain, bias] = ["gain", "bias"].map((part) => `${weights}.${part}`);
    const values = this.values(of).map((row) => {
      const { mean, size } = moments(row);
      return row.map((x, j) => ((x - mean) / size) * this.values(gain)[0][j] + this.values(bias)[0][j]);
    });
    return this.keep(name, values, this.rows(of), "", { by: "norm", of, gain, bias });
  }

  /** Words to vectors, and where each stands. */
  embed(side, language, numbers) {
    const table = this.values(language);
    const width = table[0].length;
    const embedded = numbers.map((number) => table[number].map((x) => x * Math.sqrt(width)));
    const places = numbers.map((_, place) => table[0].map((_, j) =>
      (j % 2 ? Math.cos : Math.sin)(angle(place, j, width))));
    this.keep(`${side}.embedded`, embedded, language, "", { by: "lookup", table: language, numbers });
    this.keep(`${side}.positions`, places, language, "", { by: "place" });
    return this.add(`${side}.input`, `${side}.embedded`, `${side}.positions`);
  }

  head(at, x, context, sees) {
    const query = this.product(`${at}.query`, x, `${at}.W_Q`);
    const key = this.product(`${at}.key`, context, `${at}.W_K`);
    const value = this.product(`${at}.value`, context, `${at}.W_V`);
    const scores = this.compare(`${at}.scores`, query, key);
    const d_k = this.values(query)[0].length;
    const logits = this.values(scores).map((row, i) =>
      row.map((score, j) => (sees(i, j) ? score / Math.sqrt(d_k) : -Infinity)));
    const [rows, columns] = [this.rows(query), this.rows(key)];
    this.keep(`${at}.logits`, logits, rows, columns, { by: "scale", of: scores, d_k });
    this.keep(`${at}.weights`, logits.map((row) => softmax(row)), rows, columns, { by: "softmax", of: `${at}.logits` });
    const output = this.product(`${at}.output`, `${at}.weights`, value);
    this.product(`${at}.added`, output, `${at}.W_O`);
    return output;
  }

  /** All heads, W^O, the residual connection and the norm. */
  attention(at, x, context, heads, sees = () => true) {
    const found = heads.map((head) => this.head(`${at}.head.${head}`, x, context, sees));
    const concat = this.values(x).map((_, i) => found.flatMap((name) => this.values(name)[i]));
    this.keep(`${at}.concat`, concat, this.rows(x), "", { by: "concat", of: found });
    this.product(`${at}.output`, `${at}.concat`, `${at}.W_O`);
    return this.around(at, x);
  }

  feedForward(at, x) {
    this.product(`${at}.hidden`, x, `${at}.W_1`, { bias: `${at}.b_1`, relu: true });
    this.product(`${at}.output`, `${at}.hidden`, `${at}.W_2`, { bias: `${at}.b_2` });
    return this.around(at, x);
  }

  /** Add what came in to what the sublayer found, and normalise. */
  around(at, x) {
    this.add(`${at}.residual`, x, `${at}.output`);
    return this.norm(`${at}.norm`, `${at}.residual`, `${at}_norm`);
  }
}

const count = (n) => Array.from({ length: n }, (_, i) => i);
const causal = (i, j) => j <= i;

function read(pass, { config }, source) {
  let x = pass.embed("encoder", "english", source);
  for (const layer of count(config.num_layers)) {
    const at = `encoder.${layer}`;
    x = pass.attention(`${at}.self_attention`, x, x, count(config.num_heads));
    x = pass.feedForward(`${at}.feed_forward`, x);
  }
  return x;
}

function write(pass, { config }, target, memory) {
  let x = pass.embed("decoder", "french", target);
  for (const layer of count(config.num_layers)) {
    const at = `decoder.${layer}`;
    x = pass.attention(`${at}.self_attention`, x, x, count(config.num_heads), causal);
    x = pass.attention(`${at}.cross_attention`, x, memory, count(config.num_heads));
    x = pass.feedForward(`${at}.feed_forward`, x);
  }
  return pass.compare("decoder.logits", x, "french");
}

/**
 * Translate greedily and keep everything.
 *
 * model: what `readModel` returns; source: numbers of English words;
 * longest: words after which it stops without a mark of the end
 * Returns { target, matrices }: the numbers of the mark of the start and the French words,
 * and every matrix of the pass over them. A written word sees only what stands before it,
 * so its rows do not change when more is written: one pass holds all steps.
 */
export function translate(model, source, { start, end, longest }) {
  const pass = new Pass(model.matrices);
  const memory = read(pass, model, source);
  const target = [start];
  for (;;) {
    const logits = pass.values(write(pass, model, target, memory)).at(-1);
    const next = logits.indexOf(Math.max(...logits));
    if (next === end || target.length > longest) break;
    target.push(next);
  }
  return { target, memory, matrices: pass.matrices };
}
