// Blocks of numbers, as spreadsheets put them on the clipboard as text, and back.

import { grouped, readNumber } from "../card/numbers.js";

/** The number in a text, as `readNumber` gives it, if it is at most so large. */
export function readEntry(text, largest, decimal = "") {
  const read = readNumber(text, { decimal });
  if (!(Math.abs(read.value) > largest)) return read;
  return { ...read, value: NaN,
    message: `Too large: at most ${grouped(largest)} in size.` };
}

const LIST =
  /^(?:(?:np\.|numpy\.)?(?:as)?array\()?\s*\[[^]*\]\s*(?:,\s*dtype=[\w.]+\s*)?\)?;?$/;
const WAYS = [/,? +/, /,/, /(?!)/]; // to separate columns, where no tab or ; does it

/** All ways to take a text apart into the texts of numbers, row by row. */
function waysOf(text, fromTable) {
  if (!readNumber(text).message) return [[[text]]];
  if (LIST.test(text)) {
    const rows = [...text.matchAll(/\[([^[\]]*)\]/g)].map(([, row]) => row.trim());
    return [rows.map((row) => row.replace(/,$/, "").split(/\s*,\s*|\s+/))];
  }
  const certain = [/\t/, /;/].find((mark) => mark.test(text));
  const ways = certain ? [certain] : fromTable ? [/\t/] : WAYS;
  const bare = (cell) => cell.trim().replace(/^"(.*)"$/, "$1");
  return ways.map((way) =>
    text.split("\n").map((line) => line.trimEnd().split(way).map(bare)));
}

/** The numbers of some cells, read with the decimal mark that one of them proves. */
function numbersOf(cells, largest) {
  const marks = new Set(cells.flat().map((text) => readNumber(text).mark));
  marks.delete("");
  const decimal = marks.size === 1 ? [...marks][0] : "";
  return cells.map((row) =>
    row.map((text) => ({ text, ...readEntry(text, largest, decimal) })));
}

/** Why some numbers are not one block, in words; "" where they are. */
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

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function shapeOf(rows) {
  return [rows.length, rows[0].length];
}

/** @param {number[]} shape */
export function shapeText([rows, columns]) {
  return `${rows} \u00d7 ${columns}`;
}

/**
 * Read a pasted text as a block of numbers for a matrix of this shape.
 *
 * A list of lists, [[1, 2], [3, 4]] or np.array([...]), is such a block. Else columns
 * are separated by tabs, semicolons, spaces or commas. A text that is right in several
 * ways is read in the way that fills the matrix; else the reader is asked for tabs.
 * fromTable: the clipboard holds a table too, so that a line without a tab is one cell.
 *
 * @param {string} text
 * @param {number[]} shape
 * @returns {{ block?: number[][], message?: string }}
 */
export function readBlock(text, shape, largest, fromTable = false) {
  const plain = text.trim().replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n");
  const all = waysOf(plain, fromTable).map((cells) => numbersOf(cells, largest));
  const right = all.filter((numbers) => !flaw(numbers));
  const shapes = [...new Set(right.map((numbers) => shapeText(shapeOf(numbers))))];
  const fitting = right.find(
    (numbers) => shapeText(shapeOf(numbers)) === shapeText(shape));
  if (!fitting && shapes.length > 1) {
    const may = shapes.join(" or ");
    return { message: `The block may be ${may}: put tabs between its columns.` };
  }
  const numbers = fitting ?? right[0] ?? all[0];
  const message = flaw(numbers);
  return message ? { message }
    : { block: numbers.map((row) => row.map(({ value }) => value)) };
}

/**
 * Where a block begins in a matrix when the reader pastes it at a cell, as { at }; if
 * it does not fit there, { message }. A block of the matrix's own shape fills it.
 *
 * @param {number[][]} block
 * @param {number[]} shape
 * @param {number[]} place
 * @param {string} name
 * @returns {{ at?: [number, number], message?: string }}
 */
export function placeBlock(block, shape, [row, column], name) {
  const [rows, columns] = shapeOf(block);
  if (rows === shape[0] && columns === shape[1]) return { at: [0, 0] };
  const room = [shape[0] - row, shape[1] - column];
  if (rows <= room[0] && columns <= room[1]) return { at: [row, column] };
  const here = row || column ? `, ${shapeText(room)} from the selected cell on` : "";
  return {
    message: `The block is ${shapeText([rows, columns])}, ` +
      `but ${name} is ${shapeText(shape)}${here}.`,
  };
}

/** A matrix as a block that spreadsheets take: tabs between cells, every digit kept. */
export function blockText(matrix) {
  const number = (x) => (Number.isFinite(x) ? String(x) : "-inf");
  return matrix.map((row) => row.map(number).join("\t")).join("\n");
}
