// Judges each entry that a reader wrote into a sheet, and finds the mistake of each row.

import { MISTAKES } from "./mistakes.js";
import { fitsRange, getterOfEntries, isCoarse, readEntry } from "./steps.js";

/** Return "" for no text, "refused" for a text that is no number, "right", "coarse" or "wrong". */
function stateOf(part, read, range) {
  if (read.why === "empty") return "";
  if (read.message) return "refused";
  if (fitsRange(part, read, range)) return "right";
  return isCoarse(part, read, range) ? "coarse" : "wrong";
}

/**
 * The only mistake that explains all numbers written in a row; null if no mistake does, or several do.
 * A single number fits a mistake too often by chance, so a row needs two numbers.
 */
function mistakeOf(sheet, get, part, cells) {
  const written = cells.filter(({ read }) => !read.message);
  if (written.length < 2) return null;
  const wrongly = { ...part, form: "decimal" }; // a wrong result may need decimals where the right one is a whole number
  const explains = (formula) => written.every(({ i, j, read }) => formula(get, i, j).some((range) => fitsRange(wrongly, read, range)));
  const found = MISTAKES.filter(({ formulas }) => formulas(part, sheet).some(explains));
  return found.length === 1 ? found[0] : null;
}

/**
 * Judge a sheet. Each entry is judged from the entries before it, so later steps do not count
 * a mistake again.
 *
 * entries: texts by the id of their cell
 * Returns { cells, rows, right, written }: the asked cells with their `state`; the rows in
 * which they stand, each with its cells and its `mistake`, or null; the counts of right entries
 * and of written entries.
 */
export function judge(sheet, entries) {
  const get = getterOfEntries(sheet, entries);
  const cells = sheet.asked.map((cell) => {
    const read = readEntry(sheet, entries, cell.part.key, cell.i, cell.j);
    return { ...cell, read, state: stateOf(cell.part, read, cell.part.entry(get, cell.i, cell.j)) };
  });
  const firstCells = cells.filter(({ part, i }, at) => part !== cells[at - 1]?.part || i !== cells[at - 1].i);
  const rows = firstCells.map(({ part, i }) => {
    const row = cells.filter((cell) => cell.part === part && cell.i === i);
    const isWrong = row.some(({ state }) => state === "wrong");
    return { part, i, cells: row, mistake: isWrong ? mistakeOf(sheet, get, part, row) : null };
  });
  const count = (wanted) => cells.filter(({ state }) => state === wanted).length;
  return { cells, rows, right: count("right"), written: cells.length - count("") };
}
