// What the reader's device keeps of the figures, and what is said when it cannot.
//
// One entry for each trait. Nothing is overwritten that this tab has not seen: where an
// entry has changed since it was last read or written here, another tab has done it.
// Then, and where an address shows something else than the device keeps, or an entry
// cannot be read, the figure's entries are held until the reader has chosen.

import { copied } from "./elements.js";
import { PREFIX, page, store, stored } from "./storage.js";
import { asText, equal, valueOf } from "./values.js";

const LATER = 200; // milliseconds

// --- The entries of one figure ----------------------------------------------------------

let told = false; // once a page

class Keeping {
  #known = {}; // by trait: the text of the entry when this tab last saw it
  #timer;
  #taking = false;
  #touched = false;
  #held = false;

  constructor(figure) {
    this.figure = figure;
    this.#takeKept();
  }

  /** Begin to keep, once the figure has taken what its address asks for. */
  begin() {
    const { device, model } = this.figure;
    for (const trait of device) model.on(`change:${trait}`, () => this.#changed());
    if (!this.#held && device.some((trait) => this.#isOtherwise(trait))) this.#sayLinked();
  }

  #isOtherwise(trait) {
    const text = this.#known[trait];
    return text !== null && !equal(this.#valueOf(trait, text), this.figure.model.get(trait));
  }

  key(trait) {
    return `${PREFIX}${page}/${this.figure.name}.${trait}`;
  }

  #text(trait) {
    const { model, first } = this.figure;
    return equal(model.get(trait), first[trait]) ? null : asText(model.get(trait));
  }

  #valueOf(trait, text) {
    const { first, limits, own } = this.figure;
    if (text === null) return first[trait];
    const value = valueOf(text, first[trait], limits[trait]);
    return value !== undefined && (own[trait]?.sound?.(value) ?? true) ? value : undefined;
  }

  // Take what the device keeps; gives the traits of which it cannot be shown.
  #read() {
    const { device, model } = this.figure;
    for (const trait of device) this.#known[trait] = stored(this.key(trait));
    const values = device.map((trait) => [trait, this.#valueOf(trait, this.#known[trait])]);
    this.#taking = true;
    model.set(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
    this.#taking = false;
    return values.filter(([, value]) => value === undefined).map(([trait]) => trait);
  }

  #changed() {
    if (this.#taking) return;
    this.#touched = true;
    if (!this.#held) this.figure.unsay("elsewhere");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), LATER);
  }

  get waits() {
    return this.#timer !== undefined;
  }

  write() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#held || this.changedElsewhere()) return;
    for (const trait of this.figure.device) {
      const text = this.#text(trait);
      if (text === this.#known[trait]) continue;
      const why = store(this.key(trait), text);
      if (why) this.#sayLost(why);
      else this.#known[trait] = text;
    }
  }

  // --- What is said

  #sayLost(why) {
    if (told) return;
    told = true;
    this.figure.say("lost", `What you enter on this page is not kept when you leave it: ${why}. ` +
      "\u201cCopy link\u201d still keeps a figure as it is.");
  }

  #hold(kind, text, actions) {
    this.#held = true;
    this.figure.say(kind, text, actions);
  }

  #release() {
    this.#held = false;
    for (const kind of ["unread", "unread text", "linked", "elsewhere"]) this.figure.unsay(kind);
  }

  #takeKept() {
    this.#release();
    this.#touched = false;
    const unread = this.#read();
    if (unread.length) this.#sayUnread(unread);
  }

  #keepOwn() {
    this.#release();
    for (const trait of this.figure.device) this.#known[trait] = stored(this.key(trait));
    this.write();
  }

  /** Go back to the first state, whatever the device keeps. */
  forget() {
    this.figure.model.set(this.figure.first);
    this.#keepOwn();
  }

  #sayLinked() {
    this.#hold("linked", "The address shows this figure otherwise than you left it. What you left stays on this " +
      "device until you choose.", { "Show what I left": () => this.#takeKept(), "Keep this": () => this.#keepOwn() });
  }

  #sayUnread(traits) {
    const texts = traits.map((trait) => this.#known[trait]).join("\n");
    this.#hold("unread", "This device keeps something of this figure that cannot be shown, as an older version of " +
      "the course may have written it. It stays, and nothing new is kept in its place, until you let it go.", {
      "Copy it": async () => (await copied(texts)) || this.figure.say("unread text", texts),
      "Let it go": () => this.#keepOwn(),
    });
  }

  /** Whether another tab has changed an entry; then it is taken, or the reader chooses. */
  changedElsewhere() {
    const { device } = this.figure;
    const differs = device.filter((trait) => stored(this.key(trait)) !== this.#known[trait]);
    if (!differs.length || (this.#held && !this.#touched)) return false;
    if (differs.every((trait) => stored(this.key(trait)) === this.#text(trait))) {
      for (const trait of differs) this.#known[trait] = this.#text(trait);
      return false;
    }
    if (this.#touched) {
      this.#hold("elsewhere", "Another tab has changed this figure. Until you choose, nothing more of it is kept from here.",
        { "Take what is there": () => this.#takeKept(), "Keep what is here": () => this.#keepOwn() });
    } else {
      this.#takeKept();
      this.figure.say("elsewhere", "Another tab has changed this figure; this is what it shows there.");
    }
    return true;
  }
}

const keepings = new Map(); // by figure

/** Keep a figure's traits on the device, and take what is there. */
export function keepOnDevice(figure) {
  keepings.set(figure, new Keeping(figure));
}

/** Begin to keep a figure, once it has taken what its address asks for. */
export const beginToKeep = (figure) => keepings.get(figure).begin();

/** Bring a figure back to its first state, here and on the device. */
export const forget = (figure) => keepings.get(figure).forget();

/** Write now what would be written in a moment. */
export function writeWhatWaits() {
  for (const keeping of keepings.values()) if (keeping.waits) keeping.write();
}

export function followOtherTabs() {
  const look = () => keepings.forEach((keeping) => keeping.changedElsewhere());
  addEventListener("storage", look);
  addEventListener("pageshow", ({ persisted }) => persisted && look());
  addEventListener("pagehide", writeWhatWaits);
}
