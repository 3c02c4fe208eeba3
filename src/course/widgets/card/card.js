// The card in which every view is built: a question, controls, a drawing, a reading.
//
// A view uses only the anywidget model (get, set, on, off, save_changes), its element and the
// signal that ends the view. So it runs unchanged on the static page and in JupyterLab.

/** @import { Host, View } from "../contract.d.ts" */

import { declaredControls } from "./controls.js";
import { followSize, html, setText } from "./elements.js";
import { screenButton } from "./fullscreen.js";
import { undoButtons } from "./history.js";
import { followLinks, hideNote } from "./notebook.js";
import { questionOf } from "./question.js";
import { filled } from "./sentences.js";

/**
 * Build a card in `el`, named by its model's `title`, with the controls that its traits
 * declare (contract.py), and return its parts. The host's `signal` ends the card.
 *
 * lines: room kept for the reading, in lines on a wide and on a narrow card, so that
 * nothing below moves when the text of the reading changes
 * asks: where the question stands, "above" the figure or "below" it
 * codecs, refuses: what the view adds to the schemas of its traits (contract.d.ts)
 *
 * controls, drawing: where the view puts its own elements
 * control(trait):    the row of a declared control, to be put elsewhere
 * say(key, facts):   show the sentence of this key as the reading, with facts and traits
 *                    in links filled in; a screen reader says the sentence too
 * read(text):        show a text as the reading, for a view that composes its own text
 * watch(traits, f):  run f now and whenever one of the traits changes, here,
 *                    in another view or in Python
 * put(trait, value), set(values): change one trait, or several, and send them to Python
 *
 * @param {Host} host
 * @param {{ lines?: number[], asks?: string } & View} [options]
 */
export function card({ model, el, signal }, { lines = [2, 3], asks = "above", ...view } = {}) {
  const watch = (traits, update) => {
    for (const trait of traits) {
      model.on(`change:${trait}`, update);
      signal.addEventListener("abort", () => model.off(`change:${trait}`, update));
    }
    update();
  };
  const set = (values) => {
    model.set(values);
    model.save_changes();
  };
  const put = (trait, value) => set({ [trait]: value });
  const { title, figure, traits, controls: declared, sentences } = model.get("_page");
  const controls = html("div", { class: "abh-controls" });
  const drawing = html("div", { class: "abh-drawing" });
  const words = html("span", {});
  const reading = html("p", { class: "abh-reading", "aria-live": "polite" }, words);
  // The box grows if its text needs more lines. A new text that fits moves nothing else.
  followSize(words, signal, ({ borderBoxSize: [{ blockSize }] }) =>
    reading.style.setProperty("--abh-words", `${blockSize}px`));
  const body = html("div", { class: "abh-body" }, controls, drawing, reading);
  const root = html("div", { role: "group", class: "abh-card", "aria-label": title });
  root.style.setProperty("--abh-lines", lines[0]);
  root.style.setProperty("--abh-lines-narrow", lines[1]);
  const parts = { model, root, body, controls, drawing, watch, put, set, signal };
  const rows = declaredControls(parts, declared, traits);
  controls.append(...rows.values());
  const undo = undoButtons(parts, traits); // a quiz has no buttons, only the keys
  const buttons = figure ? [...undo, screenButton(root, signal)] : [];
  const question = questionOf(parts);
  body.append(question.why);
  const ordered = asks === "above" ? [question.node, body] : [body, question.node];
  const foot = html("div", { class: "abh-note abh-foot" }, ...buttons);
  const menu = html("details", { class: "abh-note abh-more" }, html("summary", {}, "More"), foot);
  root.append(...ordered, figure ? menu : foot);
  el.append(root);
  followLinks(parts, view);
  hideNote(root, signal);
  const read = (text) => setText(words, text);
  const inLinks = Object.keys(traits).filter((trait) => traits[trait].link);
  const values = () => Object.fromEntries(inLinks.map((trait) => [trait, model.get(trait)]));
  return {
    ...parts,
    control: (trait) => rows.get(trait),
    say: (key, facts) => read(filled(sentences[key], { ...values(), ...facts })),
    read,
  };
}

export default { render: (host) => void card(host) };
