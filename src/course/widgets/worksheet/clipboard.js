// Blocks of numbers, from a spreadsheet into a sheet and back.

import { blockText, placeBlock, readBlock, shapeText } from "./block.js";
import { nameText } from "./grid.js";
import { isInput } from "./model.js";
import { eventCell } from "./stage.js";

/** Let the reader paste into the matrices of a sheet, and copy them. */
export function followClipboard(sheet, editing) {
  const { state, node } = sheet;

  /** Let no half-typed number stand where a block goes. */
  const settleFields = (id, at, block) => {
    const [row, column] = at;
    const { target } = sheet.grid(id);
    block.forEach((line, i) => line.forEach((_, j) => {
      const cell = { id, row: row + i, column: column + j };
      const field = target(cell.row, cell.column);
      if (field.hasAttribute("aria-invalid")) editing.restore(field, cell);
    }));
  };

  /**
   * Where a block goes that was pasted at a cell, or why nowhere.
   *
   * @returns {{ at?: number[], message?: string }}
   */
  const placeOf = ({ id, row, column }, shape, { block, message }) => {
    const name = nameText(state.inputs(), id);
    if (!isInput(id)) return { message: `${name} is computed: paste into a matrix that you set.` };
    return block ? placeBlock(block, shape, [row, column], name) : { message };
  };

  const paste = (cell, shape, read) => {
    const { at, message } = placeOf(cell, shape, read);
    if (!at) {
      editing.tell(`Nothing was pasted. ${message}`, true);
      return;
    }
    const [{ id }, { block }, name] = [cell, read, nameText(state.inputs(), cell.id)];
    settleFields(id, at, block);
    editing.setBlock(id, at[0], at[1], block);
    editing.tell(`${shapeText([block.length, block[0].length])} numbers pasted into ${name}.`);
  };

  // A block fills the matrix; a single number is left to its field.
  node.addEventListener("paste", (event) => {
    const cell = eventCell(event);
    if (!cell) return;
    const { clipboardData: pasted } = event;
    const matrix = sheet.values[cell.id];
    const shape = [matrix.length, matrix[0].length];
    const fromTable = /<td/i.test(pasted.getData("text/html"));
    const read = readBlock(pasted.getData("text/plain"), shape, state.limits.size, fromTable);
    if (!read) return;
    event.preventDefault();
    paste(cell, shape, read);
  });

  // Where no text is selected, the whole matrix is copied.
  node.addEventListener("copy", (event) => {
    const cell = eventCell(event);
    const { selectionStart: start, selectionEnd: end } = event.target;
    if (!cell || start !== end || !getSelection()?.isCollapsed) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", blockText(sheet.values[cell.id]));
    editing.tell(`${nameText(state.inputs(), cell.id)} copied as a block.`);
  });
}
