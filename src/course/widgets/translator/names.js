// Names of the machine's parts and matrices, and which matrices belong to one part.

import { html, symbol } from "../card/elements.js";

const SYMBOLS = {
  W_Q: ["W", "Q", "query"], W_K: ["W", "K", "key"], W_V: ["W", "V", "value"], W_O: ["W", "O", "output"],
  query: ["Q", "", "query"], key: ["K", "", "key"], value: ["V", "", "value"],
  weights: ["A", "", "ink"],
};

const WORDS = {
  embedded: "embeddings", positions: "positions", input: "sum",
  scores: "scores QKᵀ", logits: "logits", output: "output", added: "through its rows of Wᴼ",
  concat: "heads side by side", residual: "plus what came in", norm: "normalised",
  W_1: "W₁", W_2: "W₂", b_1: "b₁", b_2: "b₂", hidden: "hidden", gain: "gain", bias: "shift",
  english: "English table", french: "French table", stream: "residual stream", parts: "head by head",
};

// Those names of WORDS that contain symbols, as nodes.
const WITH_SYMBOLS = {
  scores: () => ["scores ", symbol("QK", "", "T")], added: () => ["through its rows of ", symbol("W", "", "O")],
  W_1: () => [symbol("W", "1")], W_2: () => [symbol("W", "2")], b_1: () => [symbol("b", "1")], b_2: () => [symbol("b", "2")],
};

export const SUBLAYERS = {
  encoder: ["self_attention", "feed_forward"],
  decoder: ["self_attention", "cross_attention", "feed_forward"],
};

const PARTS = {
  head: ["weights", "query", "key", "value", "scores", "logits", "output", "added", "W_Q", "W_K", "W_V", "W_O"],
  attention: ["concat", "W_O", "output", "parts", "residual", "norm"],
  feed_forward: ["hidden", "output", "residual", "norm", "W_1", "W_2"],
  input: ["embedded", "positions", "input"],
  stream: ["stream"],
  decoder: ["logits"],
};

/** Split a matrix's name at its last dot: the name of its part, and its last word. */
export function splitName(name) {
  const at = name.lastIndexOf(".");
  return [name.slice(0, at), name.slice(at + 1)];
}

function kindOf(name) {
  const [part, last] = splitName(name);
  if (part.includes(".head.")) return "head";
  if (part.endsWith("attention")) return "attention";
  if (part.endsWith("feed_forward")) return "feed_forward";
  if (last === "stream") return "stream";
  return last === "logits" ? "decoder" : "input";
}

/** Return the names of all matrices of the same part, with `name` itself. */
export function matricesOfPart(name) {
  return PARTS[kindOf(name)].map((last) => `${splitName(name)[0]}.${last}`);
}

/** Return the name of the first matrix of a part, which identifies the part. */
export function partOf(name) {
  return matricesOfPart(name)[0];
}

/** Whether a model of these sizes has a matrix of this name. */
export function exists(name, { num_layers, num_heads }) {
  const found = /^(encoder|decoder)(?:\.(\d)\.(\w+?)(?:\.head\.(\d))?)?\.\w+$/.exec(name);
  if (!found || !matricesOfPart(name).includes(name)) return false;
  const [, side, layer, sublayer, head] = found;
  if (layer === undefined) return side === "decoder" || !name.endsWith(".logits");
  const headFits = head === undefined || (sublayer.endsWith("attention") && head < num_heads);
  return layer < num_layers && SUBLAYERS[side].includes(sublayer) && headFits;
}

/** The place of a part in words: "Decoder, layer 2, cross-attention, head 3". */
export function placeText(name) {
  const [side, layer, sublayer, , head] = splitName(name)[0].split(".");
  const texts = [side[0].toUpperCase() + side.slice(1)];
  if (layer !== undefined) texts.push(`layer ${Number(layer) + 1}`, sublayerText(side, sublayer));
  if (head !== undefined) texts.push(`head ${Number(head) + 1}`);
  return texts.join(", ");
}

export function sublayerText(side, sublayer) {
  const text = sublayer.replace("_", "-");
  return side === "decoder" && sublayer === "self_attention" ? `masked ${text}` : text;
}

const STEP = "A row: the step that chooses the word after the arrow. A column: ";
const NOTES = {
  weights: "A row: the word that attends. A column: the word that it attends to.",
  added: "The contribution of this head to the sublayer’s output: its output times its rows of Wᴼ.",
  concat: "The outputs of all heads, side by side.",
  output: "The sublayer’s output, which is added to its input.",
  parts: "The contribution of each head to the row of one word, and their sum.",
  residual: "The input plus the sublayer’s output.",
  norm: "The sum, with each row normalised to the same mean and spread.",
  stream: "The row of one word: at the input, and after each sublayer.",
  logits: "A row: the word of the query. A column: the word of the key.",
  input: "The input of the first layer: the word’s vector plus its position.",
  positions: "Sines and cosines of the position, the same for every sentence.",
  hidden: "After W₁ and the ReLU: many entries are 0.",
};

/** A line that says how to read a matrix. */
export function noteText(name) {
  const [part, last] = splitName(name);
  if (name === "decoder.logits") return "A row: the last word written. A column: one of the most probable next words at the end.";
  if (last === "weights" && part.startsWith("decoder"))
    return `${STEP}${part.includes("cross_attention") ? "an English word." : "a French word that is written already."}`;
  if (last === "logits" && part.startsWith("decoder") && part.includes("self_attention")) return `${NOTES.logits} Later words stand at −∞.`;
  if (last === "output" && part.includes(".head.")) return "The weights times the values.";
  return NOTES[last] ?? "";
}

/** A matrix's own name in plain text. */
export function nameText(name) {
  const last = splitName(name)[1];
  if (!(last in SYMBOLS)) return WORDS[last];
  const [letter, above] = SYMBOLS[last];
  return last === "weights" ? "weights A" : letter + ({ Q: "ᵠ", K: "ᴷ", V: "ⱽ", O: "ᴼ" }[above] ?? "");
}

/** A matrix's own name as nodes, coloured by its role. */
export function nameNode(name) {
  const last = splitName(name)[1];
  if (!(last in SYMBOLS)) return html("span", {}, ...(WITH_SYMBOLS[last]?.() ?? [WORDS[last]]));
  const [letter, above, role] = SYMBOLS[last];
  const node = html("span", { style: `color: var(--abh-${role})` }, symbol(letter, "", above));
  return last === "weights" ? html("span", {}, "weights ", node) : node;
}
