// What a worksheet shows now: the one state over which selection, editing, clipboard and
// playback work.

/** @import { Cell, Explanation, Inputs } from "../contract.d.ts" */

import { explain } from "./explain.js";
import { compute, resultId, sameInputs, sizes } from "./model.js";
import { shapeSignature, stageOf } from "./stage.js";
import { worksheetState } from "./state.js";

const LEAST_DECIMALS = 4; // of the arithmetic; it has those of the cells where these are more

/** @typedef {{ inputs: Inputs, values: Record<string, number[][]> }} State */

/** Whether the numbers of two inputs stand in the same places. */
function isLike(a, b) {
  return JSON.stringify([a.tokens, sizes(a)]) === JSON.stringify([b.tokens, sizes(b)]);
}

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
  /** @type {object | null} */
  act = null; // what the reader does while inputs change: all that it changes is one change
  /** @type {Cell | null} */
  dragged = null; // the number that a hand is dragging, until all that follows from it is drawn
  /** @type {Cell | null} */
  typed = null; // the number that is being typed, while what the reader watches is drawn
  /** @type {Inputs | null} */
  #inputs = null; // those that were drawn
  /** @type {State | null} */
  #before = null; // what stood before the last change
  /** @type {object | null} */
  #changedBy = null; // its act
  /** @type {State | null} */
  #pinned = null; // what the reader compares with instead
  /** @type {(State | null)[] | null} */
  #reference = null; // what is compared with now, once it has been asked for
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
    this.#take(inputs);
    this.shown = stage.arrange(inputs, state.step(), state.head());
    const row = this.rowAtOnce;
    for (const { id, update } of this.atOnce) update(this.values[id], this.decimals, id === this.inHand?.id ? null : row);
  }

  /** The number that the reader changes now in a sheet that shows all; null where none. */
  get inHand() {
    return this.state.step().id === "sheet" ? this.dragged ?? this.typed : null;
  }

  /** What is drawn at once: all, but of a number in hand its matrix, the weights and the result. */
  get atOnce() {
    if (!this.inHand) return this.shown;
    const head = this.state.head();
    const watched = [this.inHand.id, `weights.${head}`, resultId(this.values, head)];
    return this.shown.filter(({ id }) => watched.includes(id));
  }

  /** The row of weights and of the result that follows a dragged number at every move; null for all rows. */
  get rowAtOnce() {
    if (!this.inHand || !this.dragged) return null;
    return this.dragged.id === "X" ? this.dragged.row : 0;
  }

  /** Compute from inputs, unless they are those that were drawn; of a change, keep what stood before. */
  #take(inputs) {
    const last = this.#inputs;
    if (inputs === last) return;
    const isChange = last && !sameInputs(inputs, last);
    if (isChange && !(this.act && this.act === this.#changedBy)) this.#before = { inputs: last, values: this.values };
    if (isChange) this.#changedBy = this.act;
    this.#inputs = inputs;
    this.#reference = null;
    this.values = compute(inputs);
    this.shape = shapeSignature(inputs);
  }

  /** Change inputs as a part of an act. */
  during(act, change) {
    this.act = act;
    change();
    this.act = null;
  }

  /** Keep what stands now to compare with, or no longer. */
  pin(on) {
    this.#reference = null;
    this.#pinned = on ? { inputs: this.state.inputs(), values: this.values } : null;
  }

  get isPinned() {
    return this.#pinned !== null && isLike(this.#pinned.inputs, this.state.inputs());
  }

  /** What stood before, where it stood in the same places and was not the same. */
  get reference() {
    this.#reference ??= [this.#referenceNow()];
    return this.#reference[0];
  }

  #referenceNow() {
    const inputs = this.state.inputs();
    const state = this.isPinned ? this.#pinned : this.#before;
    return state && isLike(state.inputs, inputs) && !sameInputs(state.inputs, inputs) ? state : null;
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
