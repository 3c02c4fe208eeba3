// Reads blocks of numbers from pasted text, and writes matrices as text for spreadsheets.

import { counted, grouped, readNumber } from "../card/numbers.js";

/** Read a number like `readNumber`, but refuse sizes above `largest`. */
export function readEntry(text, largest, decimal = "") {
  const read = readNumber(text, { decimal });
  if (!(Math.abs(read.value) > largest)) return read;
  return { ...read, value: NaN,
    message: `Too large: at most ${grouped(largest)} in size.` };
}

const LIST =
  /^(?:(?:np\.|numpy\.)?(?:as)?array\()?\s*\[[^]*\]\s*(?:,\s*dtype=[\w.]+\s*)?\)?;?$/;
// Column separators to try in a text without tab or semicolon; the last one never matches.
const SEPARATORS = [/,? +/, /,/, /(?!)/];

/** Return all possible readings of a text as rows of cells; each cell is still a text. */
function readingsOf(text, fromTable) {
  if (!readNumber(text).message) return [[[text]]];
  if (LIST.test(text)) {
    const rows = [...text.matchAll(/\[([^[\]]*)\]/g)].map(([, row]) => row.trim());
    return [rows.map((row) => row.replace(/,$/, "").split(/\s*,\s*|\s+/))];
  }
  const certain = [/\t/, /;/].find((mark) => mark.test(text));
  const separators = certain ? [certain] : fromTable ? [/\t/] : SEPARATORS;
  const bare = (cell) => cell.trim().replace(/^"(.*)"$/, "$1");
  return separators.map((separator) =>
    text.split("\n").map((line) => line.trimEnd().split(separator).map(bare)));
}

/** Read cells as numbers. If all clear decimal marks are equal, this mark holds for all cells. */
function numbersOf(cells, largest) {
  const marks = new Set(cells.flat().map((text) => readNumber(text).mark));
  marks.delete("");
  const decimal = marks.size === 1 ? [...marks][0] : "";
  return cells.map((row) =>
    row.map((text) => ({ text, ...readEntry(text, largest, decimal) })));
}

/** Return why rows are no block of numbers: unequal lengths, or a cell without a number; or "". */
function flaw(numbers) {
  const [{ length }] = numbers;
  const ragged = numbers.findIndex((row) => row.length !== length);
  if (ragged > 0) {
    const first = `Row 1 of the block has ${counted(length, "cell")}`;
    return `${first}, row ${ragged + 1} has ${numbers[ragged].length}.`;
  }
  for (const [i, row] of numbers.entries()) {
    const j = row.findIndex(({ message }) => message);
    if (j < 0) continue;
    const { text, message } = row[j];
    const what = text === "" ? "The cell is empty." : message.includes(text) ? message
          : `\u201c${text}\u201d: ${message}`;
    return `Row ${i + 1}, column ${j + 1} of the block: ${what}`;
  }
  return "";
}

const shapeOf = (rows) => [rows.length, rows[0].length];

/** @type {(shape: number[]) => string} */
const shapeText = ([rows, columns]) => `${rows} \u00d7 ${columns}`;

/**
 * Read a pasted text as a block of numbers for a matrix of this shape.
 *
 * The text may be a list of lists, [[1, 2], [3, 4]] or np.array([...]). Otherwise tabs,
 * semicolons, spaces or commas separate the columns. If readings of several shapes are
 * possible, the matrix's shape decides; if none has it, the message asks for semicolons.
 * fromTable: the clipboard also holds an HTML table; a line without a tab is one cell.
 *
 * @type {(text: string, shape: number[], largest: number, fromTable?: boolean) =>
 *   { block?: number[][], message?: string }}
 */
export function readBlock(text, shape, largest, fromTable = false) {
  const plain = text.trim().replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n");
  const all = readingsOf(plain, fromTable).map((cells) => numbersOf(cells, largest));
  const valid = all.filter((numbers) => !flaw(numbers));
  const shapes = [...new Set(valid.map((numbers) => shapeText(shapeOf(numbers))))];
  const fitting = valid.find(
    (numbers) => shapeText(shapeOf(numbers)) === shapeText(shape));
  if (!fitting && shapes.length > 1) {
    const may = shapes.join(" or ");
    return { message: `The block may be ${may}: separate its columns with semicolons.` };
  }
  const numbers = fitting ?? valid[0] ?? all[0];
  const message = flaw(numbers);
  return message ? { message }
    : { block: numbers.map((row) => row.map(({ value }) => value)) };
}

/**
 * Return { at }, the cell where a block that is pasted at `place` begins, or { message }
 * if the block does not fit. A block of the matrix's own shape begins at [0, 0].
 *
 * @type {(block: number[][], shape: number[], place: number[], name: string) =>
 *   { at?: [number, number], message?: string }}
 */
export function placeBlock(block, shape, [row, column], name) {
  const [rows, columns] = shapeOf(block);
  if (rows === shape[0] && columns === shape[1]) return { at: [0, 0] };
  const room = [shape[0] - row, shape[1] - column];
  if (rows <= room[0] && columns <= room[1]) return { at: [row, column] };
  const here = row || column ? `, and ${shapeText(room)} fit from the selected cell on` : "";
  return {
    message: `The block is ${shapeText([rows, columns])}, ` +
      `but ${name} is ${shapeText(shape)}${here}.`,
  };
}

/** Return a matrix as text for spreadsheets: tabs between cells, all digits kept. */
export function blockText(matrix) {
  const number = (x) => (Number.isFinite(x) ? String(x) : "-inf");
  return matrix.map((row) => row.map(number).join("\t")).join("\n");
}
