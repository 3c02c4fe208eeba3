// Reads a model's file (GGUF) and expands its packed numbers.

import { half } from "../card/values.js";

const MAGIC = 0x46554747; // "GGUF"
const [F32, Q4, Q8] = [0, 3, 8]; // codes of the number formats in the file
const BLOCK = 32; // numbers that share one factor
const SIZE = { [Q4]: 20, [Q8]: 34 }; // bytes of a block

/** The value of each of the 65,536 numbers of half precision. */
const HALF = Float32Array.from({ length: 65_536 }, (_, bits) => half(bits));

/**
 * Read the header of a file.
 *
 * Returns { buffer, bytes, notes, matrices }: `notes` has the metadata by name, `matrices` the
 * place and the size of each matrix by name. The numbers of the matrices stay packed.
 *
 * @param {ArrayBuffer} buffer
 */
export function readFile(buffer) {
  const view = new DataView(buffer);
  const text = new TextDecoder();
  let at = 0;
  const take = (name, size) => {
    at += size;
    return view[name](at - size, true);
  };
  const long = () => Number(take("getBigUint64", 8));
  const string = () => {
    const length = long();
    at += length;
    return text.decode(new Uint8Array(buffer, at - length, length));
  };
  const list = () => {
    const kind = take("getUint32", 4);
    return Array.from({ length: long() }, READ[kind]);
  };
  const READ = [ // readers of notes, by the file's code for the type of a note
    () => take("getUint8", 1), () => take("getInt8", 1), () => take("getUint16", 2), () => take("getInt16", 2),
    () => take("getUint32", 4), () => take("getInt32", 4), () => take("getFloat32", 4), () => take("getUint8", 1) > 0,
    string, list, long, () => Number(take("getBigInt64", 8)), () => take("getFloat64", 8),
  ];
  if (take("getUint32", 4) !== MAGIC) throw new Error("this is not the model's file");
  take("getUint32", 4); // the version
  const [tensors, entries] = [long(), long()];
  const notes = {};
  for (let i = 0; i < entries; i++) {
    const key = string();
    notes[key] = READ[take("getUint32", 4)]();
  }
  const found = Array.from({ length: tensors }, () => {
    const name = string();
    const sizes = Array.from({ length: take("getUint32", 4) }, long);
    return { name, columns: sizes[0], rows: sizes[1] ?? 1, kind: take("getUint32", 4), begin: long() };
  });
  const aligned = notes["general.alignment"] ?? 32;
  const begin = Math.ceil(at / aligned) * aligned;
  const matrices = new Map(found.map((each) => [each.name, { ...each, begin: begin + each.begin }]));
  return { buffer, bytes: new Uint8Array(buffer), notes, matrices };
}

/** Expand row `r` of a matrix into `out`. */
export function expandRow({ buffer, bytes }, { columns, kind, begin }, r, out) {
  if (kind === F32) {
    const from = begin + 4 * r * columns;
    out.set(new Float32Array(buffer.slice(from, from + 4 * columns)));
    return;
  }
  const size = SIZE[kind];
  if (!size) throw new Error(`this code cannot expand numbers of format ${kind}`);
  let at = begin + r * (columns / BLOCK) * size;
  for (let b = 0; b < columns; b += BLOCK, at += size) {
    const factor = HALF[bytes[at] | (bytes[at + 1] << 8)];
    if (kind === Q8) {
      for (let j = 0; j < BLOCK; j++) out[b + j] = ((bytes[at + 2 + j] << 24) >> 24) * factor;
    } else {
      const least = HALF[bytes[at + 2] | (bytes[at + 3] << 8)];
      for (let j = 0; j < BLOCK / 2; j++) {
        const two = bytes[at + 4 + j];
        out[b + j] = (two & 15) * factor + least;
        out[b + j + BLOCK / 2] = (two >> 4) * factor + least;
      }
    }
  }
}
