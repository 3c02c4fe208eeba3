// What a worksheet shows now: the one state over which selection, editing, clipboard and
// playback work.

/** @import { Cell, Explanation } from "../contract.d.ts" */

import { explain } from "./explain.js";
import { compute } from "./model.js";
import { shapeSignature, stageOf } from "./stage.js";
import { worksheetState } from "./state.js";

const LEAST_DECIMALS = 4; // of the arithmetic; it has those of the cells where these are more

export class Sheet {
  /** @type {Record<string, number[][]>} */
  values = {}; // every matrix, by its id
  /** @type {any[]} */
  shown = []; // the grids of the step
  shape = ""; // tokens, sizes and masks, as one text
  /** @type {Cell} */
  selected = { id: "", row: 0, column: 0 }; // the cell on which the reader stands
  /** @type {Cell} */
  explained = this.selected; // the cell whose arithmetic is shown: the selected one, or one pointed at
  /** @type {Explanation | null} */
  explanation = null;
  /** @type {Cell[]} */
  trail = []; // the cells from which the reader followed a number to its source
  /** @type {(() => void)[]} */
  #watches = [];

  constructor(parts) {
    this.parts = parts;
    this.state = worksheetState(parts);
    this.stage = stageOf();
    this.node = this.stage.node;
  }

  /** Compute what the traits say and draw the matrices of the step. */
  draw() {
    const { state, stage } = this;
    const inputs = state.inputs();
    this.values = compute(inputs);
    this.shape = shapeSignature(inputs);
    this.shown = stage.arrange(inputs, state.step(), state.head());
    for (const grid of this.shown) grid.update(this.values[grid.id], this.decimals);
  }

  /** Run `act` at the next `changed` at which `select` gives something else than before. */
  watch(select, act) {
    /** @type {any[] | null} */
    let before = null;
    this.#watches.push(() => {
      const now = [select(this)].flat();
      if (before && now.every((value, i) => Object.is(value, before?.[i]))) return;
      before = now;
      act(...now);
    });
  }

  changed() {
    for (const look of this.#watches) look();
  }

  get decimals() {
    return this.parts.model.get("decimals");
  }

  get decimalsExplained() {
    return Math.max(LEAST_DECIMALS, this.decimals);
  }

  /**
   * The grid of a matrix, where the step shows it.
   *
   * @returns {any}
   */
  grid(id) {
    return this.shown.find((grid) => grid.id === id);
  }

  /** The table cell of a cell, where the step shows it. */
  cellNode({ id, row, column }) {
    return this.grid(id)?.cells[row]?.[column];
  }

  value({ id, row, column }) {
    return this.values[id]?.[row]?.[column];
  }

  exists(cell) {
    return this.value(cell) !== undefined;
  }

  /**
   * Work out the arithmetic of a cell; gives its explanation.
   *
   * @param {Cell} cell
   */
  explain(cell) {
    this.explained = cell;
    this.explanation = explain(this.state.inputs(), this.values, cell, this.decimalsExplained);
    return this.explanation;
  }
}

/** Give some elements a class at a time: those that had it before lose it. */
export function highlight(name) {
  let lit = [];
  return (nodes) => {
    if (nodes.length === lit.length && nodes.every((node, i) => node === lit[i])) return;
    for (const node of lit) node.classList.remove(name);
    for (const node of nodes) node.classList.add(name);
    lit = nodes;
  };
}
