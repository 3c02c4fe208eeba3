// Keeps the figures' traits on the reader's device, and says so when it cannot.
//
// Each trait has one entry. If an entry has changed since this tab read or wrote it, another
// tab has changed it, and this tab does not overwrite it. In three cases the reader has to
// choose, and the entries of the figure stay as they are until then: another tab has changed
// an entry; the address sets another state than the device keeps; an entry cannot be read.
//
// Every key begins with `attention-by-hand/`:
//   <page>/<figure>.<trait>  the value of a trait that course.widgets.contract declares to
//                            be kept: a text as it is, another value as JSON
//   place                    page, section and heading that the reader read last
//   open                     `1` while "Skip predictions" is on
//   version                  `1`: with another version, no page marks progress or keeps `place`
// An export holds these entries: `{"format": "attention-by-hand", "version": 1, "saved": <when>,
// "entries": {<key without its beginning>: <text>}}`. If you change this format, raise both
// versions (progress.js, review.js). An answer is kept as the text of the choice, not as its
// position, because an edit of the page may reorder the choices.

import { copied } from "./elements.js";
import { figures } from "./figures.js";
import { PREFIX, compare, page, store, stored } from "./storage.js";
import { asText, equal, valueOf } from "../../src/course/widgets/card/values.js";

const LATER = 200; // milliseconds

// --- The entries of one figure ----------------------------------------------------------

let isLossSaid = false; // the page says it only once

/** Sets a figure to the values that the device keeps; after `begin`, keeps its changes. */
export class Keeping {
  #known = {}; // by trait: the text of the entry when this tab last saw it
  #timer;
  #isTaking = false;
  #isTouched = false;
  #isHeld = false;

  constructor(figure) {
    this.figure = figure;
    this.#takeKept();
  }

  /** Begin to write changes; call it when the figure has the state in the address. */
  begin() {
    const { onDevice, model } = this.figure;
    for (const trait of onDevice) model.on(`change:${trait}`, () => this.#changed());
    if (!this.#isHeld && onDevice.some((trait) => this.#isOtherwise(trait))) this.#sayLinked();
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
    this.#isTaking = true;
    model.set(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
    this.#isTaking = false;
    return values.filter(([, value]) => value === undefined).map(([trait]) => trait);
  }

  #changed() {
    if (this.#isTaking) return;
    this.#isTouched = true;
    if (!this.#isHeld) this.figure.unsay("elsewhere");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), LATER);
  }

  get waits() {
    return this.#timer !== undefined;
  }

  write() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isHeld || this.changedElsewhere()) return;
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

  #hold(kind, text, actions) {
    this.#isHeld = true;
    this.figure.say(kind, text, actions);
  }

  #release() {
    this.#isHeld = false;
    for (const kind of ["unread", "unread text", "linked", "elsewhere"]) this.figure.unsay(kind);
  }

  #takeKept() {
    this.#release();
    this.#isTouched = false;
    const unread = this.#read();
    if (unread.length) this.#sayUnread(unread);
  }

  #keepThis() {
    this.#release();
    for (const trait of this.figure.onDevice) this.#known[trait] = stored(this.key(trait));
    this.write();
  }

  /** Set the figure to its first state, and remove its entries from the device. */
  forget() {
    this.figure.isLinked = false;
    this.figure.model.set(this.figure.first);
    this.#keepThis();
  }

  #sayLinked() {
    this.#hold("linked", "The link shows another state of this figure than the one that you left. Your state stays " +
      "on this device until you choose.", { "Show what I left": () => this.#takeKept(), "Keep this": () => this.#keepThis() });
  }

  #sayUnread(traits) {
    const texts = traits.map((trait) => this.#known[trait]).join("\n");
    this.#hold("unread", "This device keeps data of this figure that the course cannot read. An older version of " +
      "the course may have written them. The figure keeps nothing new until you delete them.", {
      "Copy it": async () => (await copied(texts)) || this.figure.say("unread text", texts),
      "Delete it": () => this.#keepThis(),
    });
  }

  /** Return whether another tab has changed an entry; if so, take it or let the reader choose. */
  changedElsewhere() {
    if (this.#isHeld && !this.#isTouched) return false;
    const entries = this.figure.onDevice.map((trait) =>
      ({ trait, known: this.#known[trait], there: stored(this.key(trait)), here: this.#text(trait) }));
    const change = compare(entries, this.#isTouched);
    if (change === "ask") {
      this.#hold("elsewhere", "Another tab has changed this figure. Choose the state to keep. Until then this tab keeps nothing more.",
        { "Use the other tab\u2019s": () => this.#takeKept(), "Keep this one": () => this.#keepThis() });
    } else if (change === "follow") {
      this.#takeKept();
      this.figure.say("elsewhere", "Another tab has changed this figure. It now shows the same here.");
    } else {
      for (const { trait, there } of entries) this.#known[trait] = there;
    }
    return change !== "";
  }
}

/** Write all delayed changes now. */
export function writeWhatWaits() {
  for (const { keeping } of figures.values()) if (keeping.waits) keeping.write();
}

export function followOtherTabs() {
  const look = () => figures.forEach(({ keeping }) => keeping.changedElsewhere());
  addEventListener("storage", look);
  addEventListener("pageshow", ({ persisted }) => persisted && look());
  addEventListener("pagehide", writeWhatWaits);
}
