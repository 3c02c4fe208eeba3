// A card in a notebook: what links of the text ask of it (../lab).

/** @import { Model, View } from "../contract.d.ts" */

import { TAKE, listenToLinks } from "../lab/attention-by-hand/links.js";
import { resolved } from "./texts.js";

/** What a figure is called in links: its own name, or that of its class. */
const nameOf = (model) =>
  model.get("_page").name || (model.get("_anywidget_id") ?? "").split(".").at(-1).toLowerCase();

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
  listenToLinks({ signal });
}
