// Keeps the figures' traits on the reader's device, and tells the reader when it cannot.
//
// A kept trait has an entry in localStorage unless the trait has its first value (storage.js).
// If an entry has changed since this tab read or wrote it, another tab has changed it, and this
// tab does not overwrite it. In three cases the entries of a figure stay unchanged until the
// reader chooses: another tab has changed an entry and the reader has changed the figure in this
// tab; the address sets another state than the device keeps; an entry cannot be read.
//
// An answer is kept as the text of the choice, not as its position, because an edit of the page
// may reorder the choices.

import { copied } from "./elements.js";
import { figures } from "./figures.js";
import { PREFIX, compare, page, store, stored } from "./storage.js";
import { asText, equal, valueOf } from "../../src/course/widgets/card/values.js";

const WRITE_DELAY = 200; // milliseconds

// --- The entries of one figure ----------------------------------------------------------

let isLossSaid = false; // the page says it only once

/** Sets a figure to the values that the device keeps; after `begin`, writes its changes. */
export class FigureStorage {
  #known = {}; // by trait: the text of the entry when this tab last saw it
  #timer;
  #isRestoring = false;
  #isTouched = false; // the reader has changed the figure in this tab
  #isAsking = false; // a message waits for the reader's choice

  constructor(figure) {
    this.figure = figure;
    this.#restore();
  }

  /** Start to write changes. Call it after the figure has taken its state from the address. */
  begin() {
    const { onDevice, model } = this.figure;
    for (const trait of onDevice) model.on(`change:${trait}`, () => this.#changed());
    if (!this.#isAsking && onDevice.some((trait) => this.#differsFromEntry(trait))) this.#sayLinked();
  }

  #differsFromEntry(trait) {
    const text = this.#known[trait];
    return text !== null && !equal(this.#valueOf(trait, text), this.figure.model.get(trait));
  }

  key(trait) {
    return `${PREFIX}${page}/${this.figure.name}.${trait}`;
  }

  // Return the text to store for a trait; null (no entry) while it has its first value.
  #text(trait) {
    const { model, first } = this.figure;
    return equal(model.get(trait), first[trait]) ? null : asText(model.get(trait));
  }

  #valueOf(trait, text) {
    const { first, traits, codecs, model } = this.figure;
    if (text === null) return first[trait];
    const value = valueOf(text, traits[trait].schema);
    if (value === undefined) return undefined;
    const isSound = codecs[trait]?.isSound?.(value, (name) => model.get(name)) ?? true;
    return isSound ? value : undefined;
  }

  // Set the figure to the kept values; return the traits whose entries cannot be read.
  #read() {
    const { onDevice, model } = this.figure;
    for (const trait of onDevice) this.#known[trait] = stored(this.key(trait));
    const values = onDevice.map((trait) => [trait, this.#valueOf(trait, this.#known[trait])]);
    this.#isRestoring = true;
    model.set(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
    this.#isRestoring = false;
    return values.filter(([, value]) => value === undefined).map(([trait]) => trait);
  }

  #changed() {
    if (this.#isRestoring) return;
    this.#isTouched = true;
    if (!this.#isAsking) this.figure.unsay("elsewhere");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), WRITE_DELAY);
  }

  flush() {
    if (this.#timer !== undefined) this.write();
  }

  write() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isAsking || this.followOrAsk()) return;
    for (const trait of this.figure.onDevice) {
      const text = this.#text(trait);
      if (text === this.#known[trait]) continue;
      const why = store(this.key(trait), text);
      if (why) this.#sayLost(why);
      else this.#known[trait] = text;
    }
  }

  // --- Messages above the figure

  #sayLost(why) {
    if (isLossSaid) return;
    isLossSaid = true;
    this.figure.say("lost", `What you enter on this page is not kept when you leave it: ${why}. ` +
      "\u201cCopy link\u201d still gives you a link to a figure.");
  }

  // Show a message with buttons. The figure writes nothing until the reader presses one.
  #askReader(kind, text, actions) {
    this.#isAsking = true;
    this.figure.say(kind, text, actions);
  }

  #endQuestion() {
    this.#isAsking = false;
    for (const kind of ["unread", "unread text", "linked", "elsewhere"]) this.figure.unsay(kind);
  }

  #restore() {
    this.#endQuestion();
    this.#isTouched = false;
    const unread = this.#read();
    if (unread.length) this.#sayUnread(unread);
  }

  #overwrite() {
    this.#endQuestion();
    for (const trait of this.figure.onDevice) this.#known[trait] = stored(this.key(trait));
    this.write();
  }

  /** Set the figure to its first state, and remove its entries from the device. */
  forget() {
    this.figure.isLinked = false;
    this.figure.model.set(this.figure.first);
    this.#overwrite();
  }

  #sayLinked() {
    this.#askReader("linked", "The link changed this figure. The state from your last visit is still saved.",
      { "Show my saved state": () => this.#restore(), "Replace my saved state": () => this.#overwrite() });
  }

  #sayUnread(traits) {
    const texts = traits.map((trait) => this.#known[trait]).join("\n");
    this.#askReader("unread", "This device keeps data of this figure that the course cannot read. An older version of " +
      "the course may have written them. The figure keeps nothing new until you delete them.", {
      "Copy it": async () => (await copied(texts)) || this.figure.say("unread text", texts),
      "Delete it": () => this.#overwrite(),
    });
  }

  /** Show a change that another tab has made, or let the reader choose; return whether this call did either. */
  followOrAsk() {
    if (this.#isAsking && !this.#isTouched) return false;
    const entries = this.figure.onDevice.map((trait) =>
      ({ trait, known: this.#known[trait], there: stored(this.key(trait)), here: this.#text(trait) }));
    const change = compare(entries, this.#isTouched);
    if (change === "ask") {
      this.#askReader("elsewhere", "Another tab has changed this figure. Choose the state to keep. Until then this tab keeps no change of this figure.",
        { "Use the other tab\u2019s": () => this.#restore(), "Keep this one": () => this.#overwrite() });
    } else if (change === "follow") {
      this.#restore();
      this.figure.say("elsewhere", "You changed this figure in another tab. This tab now shows that change.");
    } else {
      for (const { trait, there } of entries) this.#known[trait] = there;
    }
    return change !== "";
  }
}

/** Write all delayed changes now. */
export const flush = () => figures.forEach(({ storage }) => storage.flush());

export function followOtherTabs() {
  const follow = () => figures.forEach(({ storage }) => storage.followOrAsk());
  addEventListener("storage", follow);
  addEventListener("pageshow", ({ persisted }) => persisted && follow());
  addEventListener("pagehide", flush);
}
