// Undo and redo of what a reader sets in a card.
//
// A step is everything that changes while one event of the card is dispatched. Also one step:
// successive moves of one slider or knob; the typing into one field until the reader leaves or
// confirms it; a drag from press to release. Only traits that are declared with `undo` count.
// If another view, a link of the text or Python changes such a trait, this is a step too.
//
// Ctrl+Z (Cmd+Z), Ctrl+Shift+Z and Ctrl+Y work anywhere in the card. While a text has not yet
// changed a trait (a number that is refused, a name before Enter), its field keeps the
// browser's own undo of letters.

import { button, setAttribute } from "./elements.js";
import { equal } from "./values.js";

const MOST_STEPS = 200;

const isTyped = (node) => node.matches("input[type=text], input[type=search], textarea");

/**
 * Return the slider, field or dragged element of an event. Successive events with the same result
 * are one step.
 */
function fieldOf({ type, target }) {
  if (type === "pointermove") return target;
  return type !== "paste" && (isTyped(target) || target.matches("input[type=range], .abh-knob")) ? target : null;
}

class History {
  #past = [];
  #future = [];
  /** @type {Event | null} */
  #act = null; // the event that the last step came from
  /** @type {EventTarget | null} */
  #field = null; // the slider or field that may still add to that step
  #applying = false;
  #listeners = new Set();
  /** @type {Event | null} */
  event = null; // the event that is being dispatched
  noted = 0; // number of changes that note() has found

  constructor(model, traits) {
    this.model = model;
    this.traits = traits;
    this.present = this.#snapshot();
  }

  #snapshot() {
    return Object.fromEntries(this.traits.map((trait) => [trait, this.model.get(trait)]));
  }

  /** Record a step, or extend the last step, if a trait has changed. */
  note() {
    const now = this.#snapshot();
    if (equal(now, this.present)) return;
    this.noted += 1;
    if (!this.#applying) this.#remember();
    this.present = now;
    if (!this.#applying && equal(now, this.#past.at(-1))) {
      this.#past.pop(); // the step ended in the state in which it began
      this.close();
    }
    this.#notify();
  }

  #remember() {
    const event = this.event?.eventPhase ? this.event : null; // after its dispatch, eventPhase is 0
    const field = event && fieldOf(event);
    const extendsStep = event && (event === this.#act || (field && field === this.#field));
    if (!extendsStep) this.#past = [...this.#past.slice(1 - MOST_STEPS), this.present];
    this.#future = [];
    [this.#act, this.#field] = [event, field];
  }

  /** Let the next change begin a new step, unless `field` is the field of the last step. */
  close(field = null) {
    if (field && field === this.#field) return;
    [this.#act, this.#field] = [null, null];
  }

  get counts() {
    return [this.#past.length, this.#future.length];
  }

  undo() {
    this.#go(this.#past, this.#future);
  }

  redo() {
    this.#go(this.#future, this.#past);
  }

  #go(from, to) {
    if (!from.length) return;
    to.push(this.present);
    this.close();
    this.#applying = true;
    this.model.set(from.pop());
    this.#applying = false;
    this.model.save_changes();
    this.#notify();
  }

  /** Run a function after each step, Undo and Redo, until `signal` aborts. */
  onStep(listener, signal) {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener));
  }

  #notify() {
    for (const listener of this.#listeners) listener();
  }
}

// Views of one model share a history. Their model objects may differ; `_page` is the same.
const histories = new WeakMap();

function historyOf(model, traits) {
  const page = model.get("_page");
  if (!histories.has(page)) histories.set(page, new History(model, traits));
  return histories.get(page);
}

/** Send a card's events to a history. Returns usesBrowserUndo(field). */
function followEvents(root, history) {
  let before = 0;
  let pending = null; // the field with a text that has not changed a trait
  const begin = (event) => {
    before = history.noted;
    history.event = event;
  };
  const end = ({ type, target }) => {
    if (type === "input" && isTyped(target)) pending = history.noted > before ? null : target;
    if (type !== "change" || !isTyped(target)) return;
    pending = null;
    history.close();
  };
  for (const type of ["input", "change", "click", "keydown", "paste"]) {
    root.addEventListener(type, begin, true);
    root.addEventListener(type, end);
  }
  root.addEventListener("pointermove", (event) => {
    if (event.buttons) history.event = event;
  }, true);
  root.addEventListener("pointerdown", (event) => history.close(fieldOf(event)), true);
  root.addEventListener("focusin", ({ target }) => history.close(isTyped(target) ? null : target));
  return (field) => field === pending;
}

/** Build a card's Undo and Redo, as buttons and keys; [] if no trait can be undone. */
export function undoButtons({ model, root, watch, signal }, declared) {
  const traits = Object.keys(declared).filter((trait) => declared[trait].undo);
  if (!traits.length) return [];
  const history = historyOf(model, traits);
  const usesBrowserUndo = followEvents(root, history);
  const back = button("Undo", () => history.undo(), { class: null }); // stays focusable when there is nothing to undo
  const again = button("Redo", () => history.redo(), { class: null });
  const show = () => {
    const [past, future] = history.counts;
    setAttribute(back, "aria-disabled", String(past === 0));
    setAttribute(again, "aria-disabled", String(future === 0));
  };
  root.addEventListener("keydown", (event) => {
    const act = actOf(event, history);
    if (!act || usesBrowserUndo(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  watch(traits, () => history.note());
  history.onStep(show, signal);
  show();
  return [back, again];
}

function actOf({ key, ctrlKey, metaKey, altKey, shiftKey }, history) {
  if (!(ctrlKey || metaKey) || altKey) return null;
  const letter = key.toLowerCase();
  if (letter === "z") return shiftKey ? () => history.redo() : () => history.undo();
  return letter === "y" && !shiftKey ? () => history.redo() : null;
}
