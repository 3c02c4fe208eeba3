// The figures of a page: their models, what the page keeps of each, their views, and what
// the code in the page's cells (book/live) reads and sets of them.

/** @import { View } from "../../src/course/widgets/contract.d.ts" */

import { needed } from "./answers.js";
import { paragraph, quietButton } from "./elements.js";
import { resolved, valueOfText } from "../../src/course/widgets/card/texts.js";
import { asText, equal, isFunction, isObject } from "../../src/course/widgets/card/values.js";

// The models of a page, as anywidget's front end gives them to a view.

export const models = new Map();

export class Model {
  #state;
  #listeners = [];
  #changing = false;
  #pending = false;

  constructor(id, state) {
    this.id = id;
    this.#state = state;
  }

  get(name) {
    return this.#state[name];
  }

  // `set("n", 3)` or `set({n: 3})`: one `change:n` for each value that differs,
  // then one `change`, also where a listener sets more.
  set(name, value) {
    const wanted = isObject(name) ? name : { [name]: value };
    const changed = Object.keys(wanted).filter((n) => !equal(this.#state[n], wanted[n]));
    for (const n of changed) this.#state[n] = wanted[n];
    if (changed.length) this.#pending = true;
    const outermost = !this.#changing;
    this.#changing = true;
    try {
      for (const n of changed) this.#fire(`change:${n}`, this.#state[n]);
      while (outermost && this.#pending) {
        this.#pending = false;
        this.#fire("change");
      }
    } finally {
      if (outermost) this.#changing = false;
    }
    return this;
  }

  save_changes() {}

  send() {}

  on(names, callback, owner) {
    for (const name of names.split(/\s+/)) this.#listeners.push({ name, callback, owner });
  }

  off(names, callback, owner) {
    const off = names?.split(/\s+/);
    this.#listeners = this.#listeners.filter(
      (l) =>
        (off && !off.includes(l.name)) ||
        (callback && callback !== l.callback) ||
        owner !== l.owner,
    );
  }

  #fire(name, ...values) {
    for (const listener of this.#listeners.slice()) {
      if (listener.name === name) listener.callback.call(listener.owner, this, ...values, {});
    }
  }
}

// The model as one view, or `initialize`, sees it: `off()` ends what it began.
export function proxy(model, owner) {
  return {
    get: (name) => model.get(name),
    set: (name, value) => void model.set(name, value),
    save_changes() {},
    send() {},
    on: (names, callback) => model.on(names, callback, owner),
    off: (names, callback) => model.off(names, callback, owner),
    widget_manager: { get_model: async (id) => proxy(models.get(id.replace("IPY_MODEL_", "")), owner) },
  };
}

// A figure: a model with a name on its page, and what the page keeps of it.
//
// What its traits are stands in the model's `_page` (contract.d.ts), with a schema of what
// each may be. The default export of a view may add what a schema cannot say:
//   codecs[trait].toText(get, first)     its text in an address; null where it is as at first
//   codecs[trait].fromText(text, get)    the value of such a text; throws the reason why not
//   codecs[trait].unnamed(get, now, first)   its value where an address does not name it
//   codecs[trait].isSound(value)         whether a value from the device can be shown
//   refuses(get, named)                  why an address that names these values cannot be shown as a whole, or ""

export const figures = new Map(); // by model

/** The figures in the order of the page. */
export function inOrder() {
  const places = [...document.querySelectorAll(".widget[id]")].map(({ id }) => id);
  const place = ({ name }) => places.indexOf(`fig-${name}`);
  return [...figures.values()].sort((a, b) => place(a) - place(b));
}

export class Figure {
  #notes = new Map();
  /** @type {HTMLElement[]} */
  #boxes = [];
  isLinked = false; // whether it shows what an address asked for

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

  /** Whether it is in the state that the page was built with. */
  get isFirst() {
    return Object.entries(this.first).every(([trait, value]) => equal(this.model.get(trait), value));
  }

  /** The text of a trait in an address; null where it is what the page was built with. */
  text(trait) {
    const get = (name) => this.model.get(name);
    const { toText } = this.codecs[trait] ?? {};
    if (toText) return toText(get, this.first[trait]);
    const value = get(trait);
    return equal(value, this.first[trait]) ? null : asText(value);
  }

  /** One trait and its text, for a link to a figure that is as the page was built with it. */
  anyTrait() {
    const trait = this.inLinks.find((each) => !this.codecs[each]?.toText);
    return trait ? { [`${this.name}.${trait}`]: asText(this.model.get(trait)) } : {};
  }

  /** The value of a text in an address; throws the words in which it is refused. */
  read(trait, text, get) {
    return valueOfText(this, trait, text, get);
  }

  /** What the texts of an address ask of the figure, as { values }, or why it cannot be, as { refused }. */
  resolveAddress(texts) {
    return resolved(this, texts);
  }

  /** The values that an address names, and for all that it does not name those of the built page. */
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

  /** Say something above each view, with what can be done; one text of a kind. */
  say(kind, text, actions = {}) {
    const buttons = Object.entries(actions).flatMap(([label, act]) => [" ", quietButton(label, act)]);
    this.#notes.set(kind, () => paragraph("refused", text, ...buttons));
    this.#boxes.forEach((box) => this.#fill(box));
  }

  unsay(kind) {
    if (this.#notes.delete(kind)) this.#boxes.forEach((box) => this.#fill(box));
  }

  /** The box above a view in which notes stand. */
  notes() {
    const box = document.createElement("div");
    box.setAttribute("role", "status");
    this.#boxes.push(box);
    this.#fill(box);
    return box;
  }

  #fill(box) {
    box.replaceChildren(...[...this.#notes.values()].map((note) => note()));
  }
}

// The code and the style of views, and their places on the page.

const experimental = {
  invoke: () => Promise.reject(new Error("this page has no kernel to call")),
};

function importText(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return import(url).finally(() => URL.revokeObjectURL(url));
}

async function widgetOf(code) {
  const found = isObject(code) ? needed(code.module) : await importText(code);
  const widget = found.default ?? found;
  return isFunction(widget) ? widget() : widget;
}

const modules = new Map();

function load(code) {
  const key = asText(code);
  if (!modules.has(key)) modules.set(key, widgetOf(code));
  return modules.get(key);
}

const styled = new Set();

function style(text) {
  if (!text || styled.has(text)) return;
  styled.add(text);
  const element = document.createElement("style");
  element.textContent = text;
  document.head.append(element);
}

const ready = new Map();

// Load a model's module and run its `initialize`, once for all of its views.
function start(model, prepare) {
  if (!ready.has(model)) {
    const begin = async () => {
      style(model.get("_css"));
      const widget = await load(model.get("_esm"));
      prepare(model, widget);
      const ended = new AbortController();
      const context = { model: proxy(model, {}), signal: ended.signal, experimental };
      const cleanup = await widget.initialize?.(context);
      addEventListener("pagehide", ({ persisted }) => {
        if (persisted) return;
        ended.abort();
        if (isFunction(cleanup)) cleanup();
      });
      return widget;
    };
    ready.set(model, begin());
  }
  return ready.get(model);
}

const views = new Map();

/** Show a model in its place; `prepare` is called once, before anything runs. */
export async function show(model, place, prepare) {
  const widget = await start(model, prepare);
  const el = document.createElement("div");
  const notes = figures.has(model) ? [figures.get(model).notes()] : [];
  place.replaceChildren(...notes, el);
  const owner = {};
  const ended = new AbortController();
  const context = { model: proxy(model, owner), el, signal: ended.signal, experimental };
  const cleanup = await widget.render?.(context);
  views.set(place, () => {
    ended.abort();
    model.off(null, null, owner);
    if (isFunction(cleanup)) cleanup();
  });
}

export function endViewsThatLeft() {
  for (const [place, end] of views) {
    if (place.isConnected) continue;
    views.delete(place);
    end();
  }
}

// What the code of a page's cells (book/live) sees and sets of its figures. That is another
// script, which asks by events of the document; what it sets is texts, held to what a link
// is held to. It is one step of the figure's Undo, but for traits that Undo leaves alone,
// such as the step of a walk.

const left = new WeakMap(); // by figure: values that are none of the reader's, as code set them

const shown = ({ inLinks, model }) => Object.fromEntries(inLinks.map((trait) => [trait, asText(model.get(trait))]));

/** The traits that the reader has changed since the page was built, or since code made the figure. */
function changedByReader(figure) {
  const { inLinks, model, first } = figure;
  const before = { ...first, ...left.get(figure) };
  return inLinks.filter((trait) => !equal(model.get(trait), before[trait]));
}

/** Where an address has a short form of a value, code gives the value, and the view says if it is sound. */
function valuesOf(figure, texts) {
  const { name, traits, first, model, codecs, refuses } = figure;
  const checked = Object.entries(codecs).filter(([, { isSound }]) => isSound);
  const others = Object.fromEntries(Object.entries(codecs).filter(([, { isSound }]) => !isSound));
  const pairs = Object.entries(texts).map(([trait, text]) => [`${name}.${trait}`, text]);
  const { values = {}, refused } = resolved({ name, traits, first, model, codecs: others, refuses: () => "" }, pairs);
  if (refused) return { refused };
  const get = (trait) => values[trait] ?? model.get(trait);
  const wrong = checked.find(([trait, { isSound }]) => trait in values && !isSound(values[trait], get));
  const why = wrong ? `${wrong[0]}, which cannot be shown` : refuses(get);
  return why ? { refused: why } : { values };
}

/** Code that made the figure begins anew; what other code sets on top of the reader's stays the reader's. */
function setLeft(figure, changes, isMade) {
  const own = isMade ? [] : changedByReader(figure);
  const others = changes.filter(([trait]) => !own.includes(trait));
  left.set(figure, { ...left.get(figure), ...Object.fromEntries(others) });
}

function set(figure, { texts, isMade }) {
  const { values = {}, refused } = valuesOf(figure, texts);
  if (refused) return { refused };
  const changes = Object.entries(values).filter(([trait, value]) => !equal(figure.model.get(trait), value));
  setLeft(figure, changes, isMade);
  if (changes.length) figure.take(values);
  return { refused: "", isChanged: changes.length > 0, isUndone: changes.every(([trait]) => figure.traits[trait].undo) };
}

export function followCode() {
  document.addEventListener("code-looks", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    for (const figure of figures.values()) detail[figure.name] = { shown: shown(figure), own: changedByReader(figure) };
  });
  document.addEventListener("code-sets", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    const figure = [...figures.values()].find(({ name }) => name === detail.name);
    if (figure) Object.assign(detail, set(figure, detail));
  });
}
