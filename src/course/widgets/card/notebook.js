// A card in a notebook: follows links in the text (../lab), and hides the note above the card.

/** @import { Model, View } from "../contract.d.ts" */

import { TAKE, listenToLinks } from "../lab/attention-by-hand/links.js";
import { resolved } from "./texts.js";

/** Return the name of a figure in links: its own name, or the name of its class. */
const nameOf = (model) =>
  model.get("_page").name || (model.get("_anywidget_id") ?? "").split(".").at(-1).toLowerCase();

/**
 * Let links in the text of a notebook set the values of a card.
 *
 * @type {(parts: { model: Model, set: Model["set"], root: HTMLElement, signal: AbortSignal }, view: View) => void}
 */
export function followLinks({ model, set, root, signal }, { codecs = {}, refuses = () => "" }) {
  const name = nameOf(model);
  const { traits, opened } = model.get("_page");
  root.dataset.figure = name;
  root.addEventListener(TAKE, (event) => {
    const { detail } = /** @type {CustomEvent<string>} */ (event);
    const first = Object.fromEntries(Object.keys(traits).map((trait) => [trait, model.get(trait)]));
    const figure = { name, traits, codecs, refuses, first, model };
    const { values = {} } = resolved(figure, [...new URLSearchParams(detail)]);
    set({ ...values, ...(opened ? { [opened]: true } : {}) });
    root.scrollIntoView({ block: root.offsetHeight < innerHeight ? "nearest" : "start" });
  });
  listenToLinks({ signal });
}

/**
 * Once a card is on the page, hide the note above it, which says that the figure is missing
 * (kit/live.py).
 * Notebook hosts nest card and note differently, so the whole document is searched.
 *
 * @type {(root: HTMLElement, signal: AbortSignal) => void}
 */
export function hideNote(root, signal) {
  const isBefore = (note) => note.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING;
  const hideLastNote = () => {
    if (signal.aborted) return;
    if (!root.isConnected) requestAnimationFrame(hideLastNote);
    else [...document.querySelectorAll(".abh-rerun")].filter(isBefore).at(-1)?.toggleAttribute("hidden", true);
  };
  hideLastNote();
}
