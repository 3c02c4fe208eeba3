// Words of a notebook's text that set a figure: [set d_k to 16](#sqrtdk.d_k=16).
//
// On the site the page's runtime follows such a link. In JupyterLab and Notebook 7 every
// card listens for clicks on them; the first that hears one tells the card that is meant,
// or says at the link that the figure is not there yet.

/** @import { Model, View } from "../contract.d.ts" */

import { html } from "./elements.js";
import { resolved } from "./texts.js";

const SETS = /^#(?<state>(?<figure>[\w-]+)\.\w+=.*)$/s;
const TAKE = "abh-take"; // the event by which a card is told what a link asks of it
const NOT_YET = "abh-not-yet";

/** What a figure is called in links: its own name, or that of its class. */
const nameOf = (model) =>
  model.get("_page").name || (model.get("_anywidget_id") ?? "").split(".").at(-1).toLowerCase();

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that begins no letter
  }
}

function follow(event) {
  const link = event.target.closest?.("a[href^='#']");
  const notebook = link?.closest(".jp-Notebook");
  const asked = decoded(link?.getAttribute("href") ?? "").match(SETS)?.groups;
  if (!notebook || !asked || event.defaultPrevented) return;
  event.preventDefault();
  event.stopPropagation();
  const card = notebook.querySelector(`.abh-card[data-figure="${asked.figure}"]`);
  const said = link.nextElementSibling?.matches(`.${NOT_YET}`) ? link.nextElementSibling : null;
  if (card) {
    said?.remove();
    card.dispatchEvent(new CustomEvent(TAKE, { detail: asked.state }));
  } else if (!said) {
    link.after(html("span", { class: NOT_YET, role: "status" }, " (its figure is not there yet: run the cells up to it)"));
  }
}

/**
 * Let the links of a card's notebook set it, where the card stands in one.
 *
 * @param {{ model: Model, root: HTMLElement, signal: AbortSignal }} parts
 * @param {View} view
 */
export function followLinks({ model, root, signal }, { codecs = {}, refuses = () => "" }) {
  const name = nameOf(model);
  const { traits, opened } = model.get("_page");
  root.dataset.figure = name;
  root.addEventListener(TAKE, (event) => {
    const { detail } = /** @type {CustomEvent<string>} */ (event);
    const first = Object.fromEntries(Object.keys(traits).map((trait) => [trait, model.get(trait)]));
    const figure = { name, traits, codecs, refuses, first, model };
    const { values = {} } = resolved(figure, [...new URLSearchParams(detail)]);
    model.set({ ...values, ...(opened ? { [opened]: true } : {}) });
    model.save_changes();
    root.scrollIntoView({ block: root.offsetHeight < innerHeight ? "nearest" : "start" });
  });
  document.addEventListener("click", follow, { capture: true, signal });
}
