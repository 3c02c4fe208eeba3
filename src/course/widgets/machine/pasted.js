// Blocks of numbers, as spreadsheets put them on the clipboard as text, and back.

import { grouped, readNumber } from "../card/numbers.js";

// A block that is no table of a spreadsheet may separate its columns in several ways.
const SEPARATORS = [",", ", +", " +"];
const NONE = "(?!)";

/** The number in a text, as `readNumber` gives it, if it is at most so large. */
export function readEntry(text, largest, decimal = "") {
  const read = readNumber(text, { decimal });
  if (!(Math.abs(read.value) > largest)) return read;
  return { ...read, value: NaN,
    message: `Too large: at most ${grouped(largest)} in size.` };
}

function tidied(text) {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/^\ufeff/, "")
    .replace(/ +$/gm, "")
    .replace(/\n+$/, "");
}

/** The cells of a text, row by row; a quoted cell may hold separators and line ends. */
function cellsOf(text, separator) {
  const pattern = new RegExp(` *(?:"((?:[^"]|"")*)" *|([^\\n]*?))(${separator}|\\n|$)`,
    "gy");
  /** @type {string[][]} */
  const rows = [[]];
  for (;;) {
    const [, quoted, plain, end] = /** @type {RegExpExecArray} */ (pattern.exec(text));
    rows[rows.length - 1].push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === "") return rows;
    if (end === "\n") rows.push([]);
  }
}

/** The numbers of some cells, read with the decimal mark that one of them proves. */
function numbersOf(cells, largest) {
  const marks = new Set(
    cells
      .flat()
      .map((text) => readNumber(text).mark)
      .filter(Boolean),
  );
  const decimal = marks.size === 1 ? [...marks][0] : "";
  return cells.map((row) =>
    row.map((text) => ({ text, ...readEntry(text, largest, decimal) })),
  );
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

const LIST =
  /^(?:(?:np\.|numpy\.)?(?:as)?array\()?\s*\[[^]*\]\s*(?:,\s*dtype=[\w.]+\s*)?\)?;?$/;

/** The cells of a list of lists, as Python and NumPy write it, or null. */
function listCells(text) {
  if (!LIST.test(text.trim())) return null;
  const rows = [...text.matchAll(/\[([^[\]]*)\]/g)].map(([, row]) =>
    row.trim().replace(/,$/, ""),
  );
  return rows.length ? rows.map((row) => row.split(/\s*,\s*|\s+/)) : null;
}

/** All ways to read a text as a block of numbers; the first, if none is right. */
function readings(text, largest, fromTable) {
  const certain = ["\t", ";"].find((mark) => text.includes(mark));
  const ways = certain ? [certain] : fromTable ? [NONE] : [...SEPARATORS, NONE];
  const all = ways.map((way) => numbersOf(cellsOf(text, way), largest));
  const right = all.filter((numbers) => !flaw(numbers));
  const distinct = new Map(
    right.map((numbers) => [JSON.stringify(shapeOf(numbers)), numbers]));
  const most = all.reduce((a, b) => (b[0].length > a[0].length ? b : a));
  return distinct.size ? [...distinct.values()] : [most];
}

/**
 * Read a pasted text as a block of numbers for a matrix of this shape.
 *
 * Cells are separated by tabs; else by semicolons; else by commas or spaces, and a text
 * that could be read in several such ways is taken in the one that fills the matrix, or
 * not at all. One decimal mark found in the block decides of cells as 1,234. fromTable:
 * the clipboard holds a table too, so that a line without a tab is one cell.
 * A list of lists, [[1, 2], [3, 4]] or np.array([...]), is such a block too.
 *
 * Returns { block } with the numbers, { message } with what is wrong, or null where the
 * text is a single cell, which a field takes by itself.
 *
 * @param {string} text
 * @param {number[]} shape
 * @returns {{ block?: number[][], message?: string } | null}
 */
export function readBlock(text, shape, largest, fromTable = false) {
  const plain = tidied(text);
  const list = listCells(plain);
  if (list) {
    const numbers = numbersOf(list, largest);
    const message = flaw(numbers);
    return message ? { message }
      : { block: numbers.map((row) => row.map(({ value }) => value)) };
  }
  const isLine = !/[\t;\n]/.test(plain);
  const isNumber = ["", "ambiguous"].includes(readNumber(plain).why);
  if (isLine && (fromTable || isNumber)) return null;
  const found = readings(plain, largest, fromTable);
  if (found.length === 1 && found[0].length === 1 && found[0][0].length === 1)
    return null;
  const fitting = found.find(
    (numbers) => shapeText(shapeOf(numbers)) === shapeText(shape));
  if (!fitting && found.length > 1) {
    const shapes = found.map((numbers) => shapeText(shapeOf(numbers))).join(" or ");
    return {
      message: `The block may be ${shapes}: put tabs between its columns.`,
    };
  }
  const numbers = fitting ?? found[0];
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
