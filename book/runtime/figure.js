// A figure: a model with a name on its page, and what the page keeps of it.
//
// What its traits are stands in the model's `_page` (contract.d.ts), with a schema of what
// each may be. The default export of a view may add what a schema cannot say:
//   codecs[trait].toText(get, first)     its text in an address; null where it is as at first
//   codecs[trait].fromText(text, get)    the value of such a text; throws the reason why not
//   codecs[trait].unnamed(get, now, first)   its value where an address does not name it
//   codecs[trait].isSound(value)         whether a value from the device can be shown
//   refuses(get, named)                  why an address that names these values cannot be shown as a whole, or ""

/** @import { Model, View } from "../../src/course/widgets/contract.d.ts" */

import { paragraph, quietButton } from "./elements.js";
import { resolved, valueOfText } from "../../src/course/widgets/card/texts.js";
import { asText, equal } from "../../src/course/widgets/card/values.js";

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
