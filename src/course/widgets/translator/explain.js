// The arithmetic of one cell, in words and numbers.
//
// An explanation is { terms, lines, sources }:
//   terms:   [[left, right], ...] of a sum of products, or null
//   lines:   the explanation with its numbers, as a list of texts
//   sources: the names of the matrices to link to

import { fixed } from "../card/numbers.js";
import { angle, moments } from "./forward.js";
import { nameText } from "./names.js";

const DIGITS = 4;

/** A number as the explanations write it. */
export function written(value) {
  return fixed(value, DIGITS);
}

const inBrackets = (value) => (value < 0 ? `(${written(value)})` : written(value));

function sumOfProducts(left, right, { bias = 0, relu = false, value, what }) {
  const terms = left.map((x, k) => [x, right[k]]);
  const total = terms.reduce((sum, [a, b]) => sum + a * b, 0);
  const lines = [`${what}: ${terms.length} products, and their sum is ${written(total)}.`];
  if (bias) lines.push(`Plus the shift ${inBrackets(bias)}: ${written(total + bias)}.`);
  if (relu) lines.push(value > 0 ? "It is positive, and the ReLU lets it pass." : "It is not positive: the ReLU makes it 0.");
  return { terms, lines };
}

const HOW = {
  learned: () => ({ lines: ["A weight of the model. Training found it; it is the same for every sentence."] }),

  product: ({ left, right, bias, relu }, i, j, matrices, value) => {
    const column = matrices[right].values.map((row) => row[j]);
    const what = `Row ${i + 1} of ${nameText(left)} times column ${j + 1} of ${nameText(right)}`;
    const add = bias ? matrices[bias].values[0][j] : 0;
    return { ...sumOfProducts(matrices[left].values[i], column, { bias: add, relu, value, what }), sources: [left, right] };
  },

  compare: ({ left, right }, i, j, matrices, value) => {
    const what = `Row ${i + 1} of ${nameText(left)} times row ${j + 1} of ${nameText(right)}`;
    return { ...sumOfProducts(matrices[left].values[i], matrices[right].values[j], { value, what }), sources: [left, right] };
  },

  scale: ({ of, d_k }, i, j, matrices, value) => {
    const score = matrices[of].values[i][j];
    const line = value === -Infinity
      ? "This word comes later. The causal mask hides it: −∞, and so the weight 0."
      : `The score divided by √${d_k}: ${written(score)} ÷ ${written(Math.sqrt(d_k))} = ${written(value)}.`;
    return { lines: [line], sources: [of] };
  },

  softmax: ({ of }, i, j, matrices, value) => {
    const row = matrices[of].values[i];
    const peak = Math.max(...row);
    const powers = row.map((x) => Math.exp(x - peak));
    const total = powers.reduce((sum, x) => sum + x, 0);
    return {
      lines: [
        `e to the power of each logit of the row minus the largest, ${written(peak)}: ${powers.map(written).join(", ")}.`,
        `The power of this column, divided by their sum: ${written(powers[j])} ÷ ${written(total)} = ${written(value)}.`,
      ],
      sources: [of],
    };
  },

  sum: ({ left, right }, i, j, matrices, value) => {
    const [a, b] = [left, right].map((name) => matrices[name].values[i][j]);
    return { lines: [`${written(a)} + ${inBrackets(b)} = ${written(value)}: ${left.endsWith("embedded") ? "the word plus its place" : "the input plus the sublayer\u2019s output"}.`], sources: [left, right] };
  },

  norm: ({ of, gain, bias }, i, j, matrices, value) => {
    const row = matrices[of].values[i];
    const { mean, size } = moments(row);
    const [scale, shift] = [gain, bias].map((name) => matrices[name].values[0][j]);
    return {
      lines: [
        `The ${row.length} entries of the row have the mean ${written(mean)} and the spread ${written(size)}: `
          + `(${written(row[j])} − ${inBrackets(mean)}) ÷ ${written(size)} = ${written((row[j] - mean) / size)}.`,
        `Times the gain ${written(scale)}, plus the shift ${inBrackets(shift)}: ${written(value)}.`,
      ],
      sources: [of],
    };
  },

  lookup: ({ table, numbers }, i, j, matrices, value) => {
    const entry = matrices[table].values[numbers[i]][j];
    const width = matrices[table].values[0].length;
    return { lines: [`The word’s entry in the ${nameText(table)}, times √${width}: ${written(entry)} × ${written(Math.sqrt(width))} = ${written(value)}.`] };
  },

  place: (how, i, j, matrices, value, width) => {
    const wave = j % 2 ? "cos" : "sin";
    return { lines: [`Place ${i}, column ${j + 1}: ${wave}(${i} ÷ 10000^(${j - (j % 2)}/${width})) = ${wave} ${written(angle(i, j, width))} = ${written(value)}.`] };
  },

  lacking: () => ({ lines: ["The positions are switched off: 0 for every word."] }),

  alone: ({ of }, i, j, matrices, value) => ({
    lines: [`${written(value)}: only the sublayer\u2019s output. The residual connections are switched off, so its input is not added.`], sources: [of],
  }),

  concat: ({ of }, i, j, matrices, value) => {
    const width = matrices[of[0]].values[0].length;
    const head = Math.floor(j / width);
    return { lines: [`Copied from head ${head + 1}, column ${(j % width) + 1}: ${written(value)}.`], sources: [of[head]] };
  },
};

/** Explain cell (i, j) of a matrix. */
export function explain(matrices, name, i, j) {
  const { how, values } = matrices[name];
  const found = HOW[how.by](how, i, j, matrices, values[i][j], values[0].length);
  return { terms: null, sources: [], ...found };
}
