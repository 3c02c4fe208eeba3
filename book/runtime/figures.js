// The figures of a page: their models, their states in addresses and on the device, their
// views, and the functions by which code in the page's cells (book/live) reads and sets them.

/** @import { View } from "../../src/course/widgets/contract.d.ts" */

import { needed } from "./answers.js";
import { element, paragraph, quietButton } from "./elements.js";
import { resolved } from "../../src/course/widgets/card/texts.js";
import { asText, equal, isObject } from "../../src/course/widgets/card/values.js";

// The models of a page, with the methods of anywidget's front end that the course's views use.

export const models = new Map(); // by id

export class Model {
  #state;
  #listeners = [];

  constructor(state) {
    this.#state = state;
  }

  get(name) {
    return this.#state[name];
  }

  // `set("n", 3)` or `set({n: 3})`: fire `change:n` for each value that differs.
  set(name, value) {
    const wanted = isObject(name) ? name : { [name]: value };
    const changed = Object.keys(wanted).filter((n) => !equal(this.#state[n], wanted[n]));
    for (const n of changed) this.#state[n] = wanted[n];
    for (const n of changed) this.#fire(`change:${n}`, this.#state[n]);
  }

  save_changes() {}

  on(name, callback) {
    this.#listeners.push({ name, callback });
  }

  off(name, callback) {
    this.#listeners = this.#listeners.filter((l) => l.name !== name || l.callback !== callback);
  }

  #fire(name, value) {
    for (const listener of this.#listeners.slice()) {
      if (listener.name === name) listener.callback(this, value);
    }
  }

  widget_manager = { get_model: async (id) => models.get(id.replace("IPY_MODEL_", "")) };
}

// A figure: a model with a name on its page, and with states in addresses and on the device.
//
// The model's `_page` (contract.d.ts) declares the figure's traits, each with a schema of its
// values. The default export of a view may add functions for what a schema cannot say:
//   codecs[trait].toText(get, first)     the text of the trait's value in an address; null for the first value
//   codecs[trait].fromText(text, get)    the value of a text from `toText`; throws the reason if it has none
//   codecs[trait].unnamed(get, now, first)   the value if an address does not name the trait
//   codecs[trait].isSound(value, get)    whether a value from the device can be shown
//   refuses(get, named)                  the reason why values that are each sound cannot be shown
//                                        together, or ""

export const figures = new Map(); // by model

/** Return the figures in the order of the page. */
export function inOrder() {
  const places = [...document.querySelectorAll(".widget[id]")].map(({ id }) => id);
  const place = ({ name }) => places.indexOf(`fig-${name}`);
  return [...figures.values()].sort((a, b) => place(a) - place(b));
}

export class Figure {
  #notes = new Map();
  /** @type {HTMLElement[]} */
  #boxes = [];
  isLinked = false; // whether an address or code has set the figure
  /** @type {any} */
  storage; // a `FigureStorage` (device.js): main.js sets it before the first view is drawn

  /** @param {Model} model @param {View} view */
  constructor(model, { codecs = {}, refuses = () => "" } = {}) {
    const page = model.get("_page");
    const marked = (mark) => Object.keys(page.traits).filter((trait) => page.traits[trait][mark]);
    this.model = model;
    this.page = page;
    this.codecs = codecs;
    this.refuses = refuses;
    this.name = page.name;
    this.traits = page.traits;
    this.inLinks = marked("link");
    this.onDevice = marked("device");
    this.visited = marked("visited");
    this.first = Object.fromEntries(Object.keys(page.traits).map((trait) => [trait, model.get(trait)]));
  }

  /** Whether the figure is in the state of the built page. */
  get isFirst() {
    return Object.entries(this.first).every(([trait, value]) => equal(this.model.get(trait), value));
  }

  /** Return the text of a trait in an address; null for its value in the built page. */
  text(trait) {
    const get = (name) => this.model.get(name);
    const { toText } = this.codecs[trait] ?? {};
    if (toText) return toText(get, this.first[trait]);
    const value = get(trait);
    return equal(value, this.first[trait]) ? null : asText(value);
  }

  /** Return any trait's key and text: a link must name one, even for the state of the built page. */
  anyTrait() {
    const trait = this.inLinks.find((each) => !this.codecs[each]?.toText);
    return trait ? { [`${this.name}.${trait}`]: asText(this.model.get(trait)) } : {};
  }

  /** Return the given values, with the built page's values for the traits that are missing. */
  completed(values) {
    const all = { ...values };
    const get = (trait) => all[trait] ?? this.first[trait] ?? this.model.get(trait);
    for (const trait of this.inLinks) {
      all[trait] ??= this.codecs[trait]?.unnamed?.(get, this.model.get(trait), this.first[trait]) ?? this.first[trait];
    }
    return all;
  }

  /** Take the values of an address, and show the figure without its question. */
  take(values) {
    const { opened } = this.page;
    this.model.set({ ...values, ...(opened ? { [opened]: true } : {}) });
    this.isLinked = true;
  }

  /** Show a note with buttons above each view; it replaces the last note of the same kind. */
  say(kind, text, actions = {}) {
    const buttons = Object.entries(actions).flatMap(([label, act]) => [" ", quietButton(label, act)]);
    this.#notes.set(kind, () => paragraph("refused", text, ...buttons));
    this.#boxes.forEach((box) => this.#fill(box));
  }

  unsay(kind) {
    if (this.#notes.delete(kind)) this.#boxes.forEach((box) => this.#fill(box));
  }

  /** Return a new box for the notes above a view. */
  notes() {
    const box = element("div", { role: "status" });
    this.#boxes.push(box);
    this.#fill(box);
    return box;
  }

  #fill(box) {
    box.replaceChildren(...[...this.#notes.values()].map((note) => note()));
  }
}

// Loads the code of views, and shows views in their places on the page.

function importText(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return import(url).finally(() => URL.revokeObjectURL(url));
}

/** Show a model in its place. `prepare` makes the model's figure, before its first view is drawn. */
export async function show(model, place, prepare) {
  const code = model.get("_esm");
  const { default: view } = isObject(code) ? needed(code.module) : await importText(code);
  if (!figures.has(model)) prepare(model, view);
  const el = document.createElement("div");
  const notes = figures.has(model) ? [figures.get(model).notes()] : [];
  place.replaceChildren(...notes, el);
  const { signal } = new AbortController(); // no view ends before its page
  await view.render({ model, el, signal });
}

// Lets code of a page's cells (book/live) read and set figures. That code is another script,
// which calls the functions of `abhFigures`. It sets texts, and the page checks them like the
// texts of a link. All changes of a run are one step of the figure's Undo, except traits that
// Undo leaves alone, such as the step of a walk.

const setByCode = new WeakMap(); // by figure: values that code has set, without traits that the reader had changed

const shown = ({ inLinks, model }) => Object.fromEntries(inLinks.map((trait) => [trait, asText(model.get(trait))]));

/** Return the traits that the reader has changed since the page was built or code set them. */
function changedByReader(figure) {
  const { inLinks, model, first } = figure;
  const before = { ...first, ...setByCode.get(figure) };
  return inLinks.filter((trait) => !equal(model.get(trait), before[trait]));
}

/**
 * Return the values of code's texts, or in `refused` the reason why they cannot be shown. An address may have a short
 * form of a value, which `fromText` reads. Code gives the full value, so `isSound` checks it.
 */
function valuesOf(figure, texts) {
  const { name, traits, first, model, codecs, refuses } = figure;
  const checked = Object.entries(codecs).filter(([, { isSound }]) => isSound);
  const unchecked = Object.fromEntries(Object.entries(codecs).filter(([, { isSound }]) => !isSound));
  const pairs = Object.entries(texts).map(([trait, text]) => [`${name}.${trait}`, text]);
  const { values = {}, refused } = resolved({ name, traits, first, model, codecs: unchecked, refuses: () => "" }, pairs);
  if (refused) return { refused };
  const get = (trait) => values[trait] ?? model.get(trait);
  const wrong = checked.find(([trait, { isSound }]) => trait in values && !isSound(values[trait], get));
  const why = wrong ? `${wrong[0]}, which cannot be shown` : refuses(get);
  return why ? { refused: why } : { values };
}

/**
 * Record the values that code sets. A trait that the reader has changed stays the reader's,
 * unless the cell has just created the figure.
 */
function recordSetByCode(figure, changes, isMade) {
  const ofReader = isMade ? [] : changedByReader(figure);
  const ofCode = changes.filter(([trait]) => !ofReader.includes(trait));
  setByCode.set(figure, { ...setByCode.get(figure), ...Object.fromEntries(ofCode) });
}

function set(figure, texts, isMade) {
  const { values = {}, refused } = valuesOf(figure, texts);
  if (refused) return { refused };
  const changes = Object.entries(values).filter(([trait, value]) => !equal(figure.model.get(trait), value));
  recordSetByCode(figure, changes, isMade);
  if (changes.length) figure.take(values);
  return { refused: "", isChanged: changes.length > 0, canUndo: changes.every(([trait]) => figure.traits[trait].undo) };
}

export function followCode() {
  globalThis.abhFigures = {
    /** Return, for each figure's name, `shown` (the texts of its traits) and `changed` (the traits that the reader has changed). */
    shown: () => Object.fromEntries([...figures.values()].map((figure) =>
      [figure.name, { shown: shown(figure), changed: changedByReader(figure) }])),
    /**
     * Set a figure to texts by trait; `isMade`: whether the cell that the reader ran also makes it.
     * Return `refused` (why it was not set, or ""), `isChanged`, and `canUndo` (whether Undo can
     * take every change back); undefined if the page has no such figure.
     */
    set(name, texts, isMade) {
      const figure = [...figures.values()].find((each) => each.name === name);
      return figure && set(figure, texts, isMade);
    },
  };
}
