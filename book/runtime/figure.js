// A figure: a model with a name on its page, and what the page keeps of it.
//
// The model's `_page` trait says so: `name`; the traits that go into the address
// (`url`) and those that the reader's device keeps (`device`); their `limits`
// (smallest, largest, whether whole; or the texts that there are); the traits of which
// each value is a place that Back returns to (`visited`).
//
// The default export of a view may add what a page cannot know, as `kept`:
//   kept[trait].write(get, first)  its text in an address; null where it is as at first
//   kept[trait].read(text, get)    the value of such a text; throws the reason why not
//   kept[trait].unsaid(get, now, first)   its value where an address says nothing of it
//   kept[trait].sound(value)       whether a value from the device can be shown
//   kept.refuses(get)              why an address cannot be shown as a whole, or ""

import { paragraph, quietButton } from "./elements.js";
import { asText, equal, valueOf, wanted } from "./values.js";

export const figures = new Map(); // by model

/** The figures in the order of the page. */
export function inOrder() {
  const places = [...document.querySelectorAll(".widget[id]")].map(({ id }) => id);
  const place = ({ name }) => places.indexOf(`fig-${name}`);
  return [...figures.values()].sort((a, b) => place(a) - place(b));
}

export class Figure {
  #notes = new Map();
  #boxes = [];

  constructor(model, own = {}) {
    const { name, url = [], device = [], visited = [], limits = {} } = model.get("_page");
    Object.assign(this, { model, name, url, device, visited, limits, own });
    this.first = Object.fromEntries([...url, ...device].map((trait) => [trait, model.get(trait)]));
  }

  /** Whether it is in the state that the page was built with. */
  get isFirst() {
    return Object.entries(this.first).every(([trait, value]) => equal(this.model.get(trait), value));
  }

  /** The text of a trait in an address; null where it is what the page was built with. */
  text(trait) {
    const get = (name) => this.model.get(name);
    if (this.own[trait]?.write) return this.own[trait].write(get, this.first[trait]);
    const value = get(trait);
    return equal(value, this.first[trait]) ? null : asText(value);
  }

  /** A trait and its text, though it be what the page was built with. */
  named() {
    const trait = this.url.find((each) => !this.own[each]?.write);
    return trait ? { [`${this.name}.${trait}`]: asText(this.model.get(trait)) } : {};
  }

  /** The value of a text in an address; throws the words in which it is refused. */
  read(trait, text, get) {
    if (!this.url.includes(trait)) throw new Error(`\u201c${trait}\u201d, which this figure does not have`);
    if (text === null) throw new Error(`no ${trait}`);
    const shown = text.length > 60 ? `${text.slice(0, 60)}\u2026` : text;
    const refuse = (why) => {
      throw new Error(`${trait} = \u201c${shown}\u201d; ${why}`);
    };
    if (this.own[trait]?.read) {
      try {
        return this.own[trait].read(text, get);
      } catch ({ message }) {
        return refuse(message);
      }
    }
    const [initial, limits] = [this.first[trait], this.limits[trait]];
    const value = valueOf(text, initial, limits);
    return value === undefined ? refuse(`it should be ${wanted(initial, limits)}`) : value;
  }

  /** What the texts of an address ask of the figure, or why it cannot have it. */
  asked(texts) {
    const asked = {};
    const get = (trait) => asked[trait] ?? this.model.get(trait);
    try {
      for (const [trait, text] of this.#own(texts)) asked[trait] = this.read(trait, text, get);
      const refused = Object.keys(asked).length ? this.own.refuses?.(get) : "";
      return refused ? { refused } : { asked };
    } catch ({ message }) {
      return { refused: message };
    }
  }

  /** The figure's own traits and texts; what is read with the help of others is last. */
  #own(all) {
    const own = all.filter(([key]) => key.startsWith(`${this.name}.`));
    const texts = own.map(([key, text]) => [key.slice(this.name.length + 1), text]);
    const late = ([trait]) => Boolean(this.own[trait]?.read);
    return [...texts.filter((each) => !late(each)), ...texts.filter(late)];
  }

  /** What an address asks for, and all that it leaves unsaid as the page was built. */
  whole(asked) {
    const all = { ...asked };
    const get = (trait) => all[trait] ?? this.first[trait] ?? this.model.get(trait);
    for (const trait of this.url) {
      all[trait] ??= this.own[trait]?.unsaid?.(get, this.model.get(trait), this.first[trait]) ?? this.first[trait];
    }
    return all;
  }

  /** Take what an address asks for, and show it. */
  take(asked) {
    this.model.set({ ...asked, ...(this.model.get("opened") === false ? { opened: true } : {}) });
    this.linked = true;
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
