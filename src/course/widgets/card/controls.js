// Native controls bound to traits: sliders with a field, lists, checkboxes. Python declares
// the label and the allowed values of each control (contract.py).

/** @import { Checkbox, Choice, Control, Schema, Slider, Trait } from "../contract.d.ts" */

import { html, selectOf, uid } from "./elements.js";
import { readNumber } from "./numbers.js";
import { prose, symbolOf } from "./prose.js";

/** @type {Record<string, (view: any, control: any, schema: Schema) => HTMLElement>} */
const BUILD = { slider, choice, checkbox: checkboxOf };

/**
 * Build the controls that a card's traits declare. Returns a row for each control, by trait.
 *
 * @type {(view: any, controls: Control[], traits: Record<string, Trait>) => Map<string, HTMLElement>}
 */
export function declaredControls(view, controls, traits) {
  const { model, watch } = view;
  const rows = new Map();
  for (const control of controls) {
    const { trait, kind, unless } = control;
    const isNeverShown = unless && !(unless in traits) && model.get(unless); // the reader cannot change `unless`
    if (isNeverShown) continue;
    const row = BUILD[kind](view, control, traits[trait].schema);
    if (unless) watch([unless], () => (row.hidden = model.get(unless)));
    rows.set(trait, row);
  }
  return rows;
}

/** Return the index of the stop that is nearest to a value. */
export const nearestStop = (stops, value) =>
  stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best), 0);

/** Return the stop that a key reaches from a value between stops; undefined for other keys. */
function stopBeside(stops, value, key) {
  if (["ArrowRight", "ArrowUp", "PageUp"].includes(key)) return stops.find((stop) => stop > value);
  if (["ArrowLeft", "ArrowDown", "PageDown"].includes(key)) return stops.findLast((stop) => stop < value);
  return { Home: stops[0], End: stops.at(-1) }[key];
}

/**
 * Build the place beside a field that shows why the field refuses a text.
 *
 * Returns { node, refuse(text) }; an empty text removes the reason.
 *
 * @param {HTMLInputElement} field
 */
export function refusalBeside(field) {
  const node = html("span", { id: uid("refusal"), class: "abh-refusal", role: "status" });
  const refuse = (text) => {
    field.ariaInvalid = text ? "true" : null;
    if (text) field.setAttribute("aria-describedby", node.id);
    else field.removeAttribute("aria-describedby");
    node.textContent = text;
  };
  return { node, refuse };
}

/**
 * Build a slider over the stops of a number, and a field for any value in its range. The field
 * has type "text", because a field of type "number" silently drops a comma: 0,5 becomes 05.
 *
 * @type {(view: any, control: Slider, schema: Schema) => HTMLElement}
 */
function slider({ root, model, watch, put, signal }, { trait, label, symbol, stops }, schema) {
  const { minimum: min = -Infinity, maximum: max = Infinity, type } = schema;
  const whole = type === "integer";
  const id = uid(trait);
  const range = html("input", { type: "range", id, min: 0, max: stops.length - 1, step: 1 });
  const field = html("input", {
    type: "text", class: "abh-field", autocomplete: "off", inputmode: whole ? "numeric" : "decimal",
    "aria-label": `${label}, typed: ${min} to ${max}`,
  });
  const typed = () => {
    const { value } = readNumber(field.value, { whole });
    return value >= min && value <= max && (!whole || Number.isInteger(value)) ? value : null;
  };
  const refusalOf = () => {
    const { why, message } = readNumber(field.value, { whole });
    return why === "ambiguous" ? message : `${whole ? "a whole number" : "a number"} from ${min} to ${max}`;
  };
  range.addEventListener("input", () => {
    refuse("");
    put(trait, stops[range.valueAsNumber]);
  });
  range.addEventListener("keydown", (event) => {
    const value = model.get(trait);
    const stop = stops.includes(value) ? undefined : stopBeside(stops, value, event.key);
    if (stop === undefined) return;
    event.preventDefault();
    refuse("");
    put(trait, stop);
  });
  const { node: refusal, refuse } = refusalBeside(field);
  let before = model.get(trait);
  const showValue = () => {
    field.value = String(model.get(trait));
    before = model.get(trait);
  };
  field.addEventListener("focus", () => (before = model.get(trait)));
  field.addEventListener("input", () => {
    const value = typed();
    refuse(value === null ? refusalOf() : "");
    if (value !== null) put(trait, value);
  });
  field.addEventListener("change", () => {
    if (typed() === null) put(trait, before);
    field.ariaInvalid = null; // the reason stays until the reader does something else
    showValue();
  });
  root.addEventListener("pointerdown", ({ target }) => target !== field && refuse(""), { signal });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    put(trait, before);
    refuse("");
    showValue();
  });
  const row = html("div", { class: "abh-control", "data-trait": trait },
    html("label", { for: id }, label, ...(symbol ? [" ", symbolOf(symbol)] : [])),
    html("div", { class: "abh-track" }, range), html("div", { class: "abh-typed" }, field, refusal));
  watch([trait], () => {
    const value = model.get(trait);
    const stop = nearestStop(stops, value);
    if (range.valueAsNumber !== stop) range.value = String(stop);
    range.setAttribute("aria-valuetext", value);
    if (typed() !== value) field.value = String(value);
  });
  return row;
}

/**
 * Build a list of names; the trait holds the index of the chosen name.
 *
 * @type {(view: any, control: Omit<Choice, "kind">) => HTMLElement}
 */
export function choice({ model, watch, put }, { trait, label, options }) {
  const id = uid(trait);
  const list = selectOf(options.map((text, i) => [i, text]), (i) => put(trait, Number(i)), { id });
  const row = html("div", { class: "abh-control", "data-trait": trait },
    html("label", { for: id }, label), list);
  watch([trait], () => (list.value = String(model.get(trait))));
  return row;
}

/** @type {(view: any, control: Checkbox) => HTMLElement} */
function checkboxOf({ model, watch, put }, { trait, label }) {
  const { node, input } = checkbox(prose(label), (checked) => put(trait, checked));
  watch([trait], () => (input.checked = model.get(trait)));
  return node;
}

/** Build a checkbox. label: nodes; `set` is called with the new state. */
export function checkbox(label, set) {
  const input = html("input", { type: "checkbox" });
  input.addEventListener("change", () => set(input.checked));
  return { node: html("label", { class: "abh-check" }, input, html("span", {}, ...label)), input };
}
