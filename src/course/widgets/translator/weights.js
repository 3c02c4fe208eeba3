// A stored model: half-precision numbers in the safetensors layout, as float64 matrices.

import { half } from "../card/values.js";

/** Cut a list of numbers into rows. */
function rowsOf(numbers, width) {
  return Array.from({ length: numbers.length / width }, (_, i) => numbers.slice(i * width, (i + 1) * width));
}

/** Read the header of a model's bytes: { length, config, tensors }. */
export function readHeader(view) {
  const length = Number(view.getBigUint64(0, true));
  const bytes = new Uint8Array(view.buffer, view.byteOffset + 8, length);
  const { __metadata__: notes, ...tensors } = JSON.parse(new TextDecoder().decode(bytes));
  /** @type {any} */
  const config = Object.fromEntries(Object.entries(notes).map(([name, text]) => [name, JSON.parse(text)]));
  return { length, config, tensors };
}

/**
 * Read a model's bytes.
 *
 * Returns { config, matrices, lacks }: `matrices` has every weight as rows, by its full name.
 * A tensor with an axis for the heads becomes one matrix for each head. W_O is stored whole,
 * and also for each head: "encoder.0.self_attention.head.2.W_O". `lacks` is empty: no part is off.
 */
export function readModel(view) {
  const { length, config, tensors } = readHeader(view);
  const matrices = {};
  for (const [name, { shape, data_offsets: [begin, end] }] of Object.entries(tensors)) {
    const numbers = [];
    for (let at = begin; at < end; at += 2) numbers.push(half(view.getUint16(8 + length + at, true)));
    const rows = rowsOf(numbers, shape.at(-1));
    if (shape.length < 3) matrices[name] = rows;
    const heads = name.endsWith(".W_O") ? config.num_heads : shape.length === 3 ? shape[0] : 0;
    const place = name.split(".");
    const letter = place.pop();
    for (let head = 0; head < heads; head++) {
      const part = rows.slice((head * rows.length) / heads, ((head + 1) * rows.length) / heads);
      matrices[[...place, "head", head, letter].join(".")] = part;
    }
  }
  return { config, matrices, lacks: new Set() };
}
