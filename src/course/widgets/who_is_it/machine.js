// Runs a small stack of layers on one sentence: the attention of *it*, and the answer.

import { softmax } from "../card/numbers.js";
import { Pass, cut } from "../translator/forward.js";
import { readModel } from "../translator/weights.js";

/** Read a stored stack, and give its table of words the name that a pass uses. */
export function readStack(view) {
  const model = readModel(view);
  model.matrices.english = model.matrices.words;
  return model;
}

/** Return the names of the heads of a stack, layer by layer. */
export const headsOf = ({ num_layers, num_heads }) => Array.from({ length: num_layers * num_heads }, (_, i) =>
  `encoder.${Math.floor(i / num_heads)}.self_attention.head.${i % num_heads}`);

/**
 * Run a stack on one sentence.
 *
 * tokens: numbers of words; off: names of heads that add nothing; at: the place of *it*
 * Returns { heads, mean, answer }: the weights of *it* in every head, their mean over the
 * heads of the last layer, and a probability for each word of the table.
 */
export function attentionAt(model, off, tokens, at) {
  const pass = new Pass(cut(model, off));
  pass.read(tokens);
  const heads = headsOf(model.config).map((name) => pass.values(`${name}.weights`)[at]);
  const last = heads.slice(-model.config.num_heads);
  const mean = last[0].map((_, j) => last.reduce((sum, row) => sum + row[j], 0) / last.length);
  const y = pass.values(pass.memory)[at];
  const answer = softmax(model.matrices.words.map((word) => word.reduce((sum, x, k) => sum + x * y[k], 0)));
  return { heads, mean, answer };
}
