// A language model: layers of attention and feed-forward network. The reader sets the sharpness of
// its heads and switches heads off.
//
// Weights stay packed in 4 or 8 bits, as the file has them: a row of a matrix is expanded
// just before its dot products. `src/language_model/model.py` is the same model in NumPy.

import { expandRow, readFile } from "./file.js";
import { tokenizer } from "./tokens.js";

const MOST_NEXT = 8; // number of next tokens that are returned

/** The sizes of a model: layers, heads, widths, and `perGroup`, the number of heads that share a key. */
function sizesOf(notes) {
  const of = (name) => notes[`llama.${name}`];
  const [heads, groups, d] = [of("attention.head_count"), of("attention.head_count_kv"), of("embedding_length")];
  const width = of("rope.dimension_count");
  return {
    layers: of("block_count"), heads, d, width, perGroup: heads / groups, groupWidth: groups * width,
    base: of("rope.freq_base"), epsilon: of("attention.layer_norm_rms_epsilon"),
  };
}

const matrixOf = (file, name) => file.matrices.get(name);

/** Multiply `n` rows of x by a packed matrix of the file; four rows of x at a time. */
function product(file, x, n, name) {
  const matrix = matrixOf(file, name);
  const { columns, rows } = matrix;
  const w = new Float32Array(columns);
  const y = new Float32Array(n * rows);
  for (let r = 0; r < rows; r++) {
    expandRow(file, matrix, r, w);
    let i = 0;
    for (; i + 4 <= n; i += 4) {
      let [a, b, c, d] = [0, 0, 0, 0];
      const [p, q, s, t] = [i * columns, (i + 1) * columns, (i + 2) * columns, (i + 3) * columns];
      for (let k = 0; k < columns; k++) {
        const each = w[k];
        a += each * x[p + k];
        b += each * x[q + k];
        c += each * x[s + k];
        d += each * x[t + k];
      }
      y[i * rows + r] = a;
      y[(i + 1) * rows + r] = b;
      y[(i + 2) * rows + r] = c;
      y[(i + 3) * rows + r] = d;
    }
    for (; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < columns; k++) sum += w[k] * x[i * columns + k];
      y[i * rows + r] = sum;
    }
  }
  return y;
}

/** Divide each of `n` rows by its root mean square, and scale the columns. */
function norm(file, { d, epsilon }, x, n, name) {
  const gain = new Float32Array(d);
  expandRow(file, matrixOf(file, name), 0, gain);
  const y = new Float32Array(n * d);
  for (let i = 0; i < n; i++) {
    const begin = i * d;
    let squares = 0;
    for (let k = 0; k < d; k++) squares += x[begin + k] ** 2;
    const factor = 1 / Math.sqrt(squares / d + epsilon);
    for (let k = 0; k < d; k++) y[begin + k] = x[begin + k] * factor * gain[k];
  }
  return y;
}

/** Turn the pairs of columns of every head by angles for the positions from `before` on. */
function turn({ width, base }, x, n, before) {
  const columns = x.length / n;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < columns / 2; j++) {
      const angle = (before + i) * base ** ((-2 * (j % (width / 2))) / width);
      const [cos, sin] = [Math.fround(Math.cos(angle)), Math.fround(Math.sin(angle))];
      const at = i * columns + 2 * j;
      const [a, b] = [x[at], x[at + 1]];
      x[at] = a * cos - b * sin;
      x[at + 1] = a * sin + b * cos;
    }
  }
  return x;
}

function joined(one, two) {
  const both = new Float32Array(one.length + two.length);
  both.set(one);
  both.set(two, one.length);
  return both;
}

/**
 * Attend with every head of a layer, for `n` new tokens after `before` earlier tokens.
 *
 * beta: the sharpness; isOff(head): whether the output of a head is 0
 * Returns { z, rows }: the outputs of the heads (n, heads * width), and for each new token
 * its weights (heads, tokens that it sees).
 */
function attend({ heads, width, perGroup, groupWidth }, { q, keys, values }, n, before, { beta, isOff }) {
  const z = new Float32Array(q.length);
  const rows = Array.from({ length: n }, (_, i) => new Float32Array(heads * (before + i + 1)));
  rows.forEach((row, i) => {
    const seen = before + i + 1;
    for (let head = 0; head < heads; head++) {
      const weights = row.subarray(head * seen, (head + 1) * seen);
      const query = (i * heads + head) * width;
      const group = Math.floor(head / perGroup) * width;
      let largest = -Infinity;
      for (let j = 0; j < seen; j++) {
        let sum = 0;
        for (let d = 0; d < width; d++) sum += q[query + d] * keys[j * groupWidth + group + d];
        weights[j] = (beta * sum) / Math.sqrt(width);
        largest = Math.max(largest, weights[j]);
      }
      let total = 0;
      for (let j = 0; j < seen; j++) total += weights[j] = Math.exp(weights[j] - largest);
      for (let j = 0; j < seen; j++) {
        weights[j] /= total;
        if (isOff(head)) continue;
        for (let d = 0; d < width; d++) z[query + d] += weights[j] * values[j * groupWidth + group + d];
      }
    }
  });
  return { z, rows };
}

/** Run one layer. Returns { x, rows, cache }: the new vectors, `rows` of `attend`, the cache. */
function layer(file, sizes, number, x, n, cache, settings) {
  const at = `blk.${number}.`;
  const before = cache.values.length / sizes.groupWidth;
  const inside = norm(file, sizes, x, n, `${at}attn_norm.weight`);
  const [q, k, v] = ["q", "k", "v"].map((which) => product(file, inside, n, `${at}attn_${which}.weight`));
  const keys = joined(cache.keys, turn(sizes, k, n, before));
  const values = joined(cache.values, v);
  const { z, rows } = attend(sizes, { q: turn(sizes, q, n, before), keys, values }, n, before, settings);
  const written = product(file, z, n, `${at}attn_output.weight`);
  const after = x.map((value, i) => value + written[i]);
  const hidden = norm(file, sizes, after, n, `${at}ffn_norm.weight`);
  const [gate, up] = ["gate", "up"].map((which) => product(file, hidden, n, `${at}ffn_${which}.weight`));
  const gated = gate.map((value, i) => (value / (1 + Math.exp(-value))) * up[i]);
  const network = product(file, gated, n, `${at}ffn_down.weight`);
  return { x: after.map((value, i) => value + network[i]), rows, cache: { keys, values } };
}

const EMPTY_CACHE = { keys: new Float32Array(0), values: new Float32Array(0) };

/**
 * Return the model in the bytes of a file. The model reuses its last run in the next run.
 *
 * Returns { encode, decode, sizes, read }.
 */
export function modelOf(buffer) {
  const file = readFile(buffer);
  const sizes = sizesOf(file.notes);
  const { layers, heads, d } = sizes;
  /** @type {{ tokens: number[], beta: number, off: number[], inputs: Float32Array[], caches: object[], rows: Float32Array[][] }} */
  let lastRun = { tokens: [], beta: 1, off: [], inputs: [], caches: [], rows: [] };

  function embedded(tokens) {
    const x = new Float32Array(tokens.length * d);
    const matrix = matrixOf(file, "token_embd.weight");
    tokens.forEach((token, i) => expandRow(file, matrix, token, x.subarray(i * d, (i + 1) * d)));
    return x;
  }

  /** Return the first layer (`from`) and the first token (`before`) that must be computed. */
  function begin(tokens, { beta, off }) {
    const continuesLastRun = beta === lastRun.beta && lastRun.tokens.every((token, i) => token === tokens[i]);
    const changed = [...off, ...lastRun.off].filter((head) => off.includes(head) !== lastRun.off.includes(head));
    if (!continuesLastRun || !lastRun.tokens.length) return { from: 0, before: 0 };
    if (lastRun.tokens.length === tokens.length) return { from: Math.min(layers, ...changed.map((head) => Math.floor(head / heads))), before: 0 };
    return { from: 0, before: changed.length ? 0 : lastRun.tokens.length };
  }

  /**
   * Read tokens, and reuse what the last run has already computed.
   *
   * settings: { beta, off }: the sharpness of all heads, and the heads that are switched off,
   * as heads * layer + head
   * afterLayer(number): awaited after each layer; if it returns false, the run ends
   * Returns { rows, scores }, or null for a run that was ended: `rows` has the weights of each
   * layer and token (heads, tokens seen), `scores` the score of every token as the next token.
   *
   * @param {number[]} tokens
   * @param {{ beta: number, off: number[] }} settings
   * @param {(number: number) => Promise<boolean>} afterLayer
   */
  async function read(tokens, { beta, off }, afterLayer = async () => true) {
    const { from, before } = begin(tokens, { beta, off });
    const n = tokens.length - before;
    const [inputs, caches, rows] = [lastRun.inputs, lastRun.caches, lastRun.rows].map((kept) => kept.slice(0, from));
    const run = /** @type {typeof lastRun} */ ({ tokens, beta, off, inputs, caches, rows });
    let x = from ? lastRun.inputs[from] : embedded(tokens.slice(before));
    for (let number = from; number < layers; number++) {
      const isOff = (head) => off.includes(heads * number + head);
      const result = layer(file, sizes, number, x, n, before ? lastRun.caches[number] : EMPTY_CACHE, { beta, isOff });
      run.inputs.push(before ? joined(lastRun.inputs[number], x) : x);
      run.caches.push(result.cache);
      run.rows.push([...(before ? lastRun.rows[number] : []), ...result.rows]);
      x = result.x;
      if (!(await afterLayer(number + 1))) return null;
    }
    run.inputs.push(before ? joined(lastRun.inputs[layers], x) : x);
    lastRun = run;
    const last = norm(file, sizes, x.slice((n - 1) * d), 1, "output_norm.weight");
    return { rows: run.rows, scores: product(file, last, 1, "token_embd.weight") };
  }
  return { ...tokenizer(file.notes), sizes, read };
}

/** Pack weights for HeadWall: the lower triangle of each layer and head, one byte a weight. */
export function packed(rows, heads) {
  const n = rows[0].length;
  const bytes = new Uint8Array((rows.length * heads * n * (n + 1)) / 2);
  let at = 0;
  for (const ofLayer of rows) {
    for (let head = 0; head < heads; head++) {
      ofLayer.forEach((row, i) => {
        for (let j = 0; j <= i; j++) bytes[at++] = Math.round(255 * row[head * (i + 1) + j]);
      });
    }
  }
  return bytes;
}

/** Return the most probable next tokens as [number, probability], the most probable first. */
export function likeliest(scores) {
  const largest = scores.reduce((a, b) => Math.max(a, b));
  const total = scores.reduce((sum, score) => sum + Math.exp(score - largest), 0);
  const best = [];
  scores.forEach((score, i) => {
    if (best.length === MOST_NEXT && score <= scores[best.at(-1)]) return;
    best.push(i);
    best.sort((a, b) => scores[b] - scores[a] || a - b);
    best.length = Math.min(best.length, MOST_NEXT);
  });
  return best.map((i) => [i, Math.exp(scores[i] - largest) / total]);
}
