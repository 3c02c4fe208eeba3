// What the code of a page's cells (book/live) sees and sets of its figures. That is another
// script, which asks by events of the document; what it sets is texts, held to what a link
// is held to. It is one step of the figure's Undo, but for traits that Undo leaves alone,
// such as the step of a walk.

import { figures } from "./figure.js";
import { resolved } from "../../src/course/widgets/card/texts.js";
import { asText, equal } from "../../src/course/widgets/card/values.js";

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
