// What every view is built in: a card with a question, controls, a drawing, a reading.
//
// A view knows only the anywidget model (get, set, on, off, save_changes) and
// therefore runs unchanged on the static page and in JupyterLab.

import { html, setText } from "./elements.js";
import { screenButton } from "./fullscreen.js";
import { undoButtons } from "./history.js";
import { questionOf } from "./question.js";

/**
 * Build a card in `el`, named by its model's `title`, and return its parts.
 *
 * lines: room kept for the reading, in lines on a wide and on a narrow card, so that
 * nothing below moves when its text changes
 * fills: whether the card can be shown on the whole screen
 *
 * controls, drawing: where the view puts its own elements
 * say(text):         the one-line reading, also read out by a screen reader
 * watch(traits, f):  run f now and whenever one of the traits changes, here,
 *                    in another view or in Python
 * put(trait, value): change a trait and send it to Python
 * veil(node, answers): a part that answers a question which asks for a veil, at times
 *                    only if `answers` is given (see questionOf)
 * lift():            end the veil: a key did what a control does
 * dispose:           what `render` returns, so that the host can clean up
 */
export function card({ model, el }, { lines = [2, 3], fills = true } = {}) {
  const forgets = [];
  const watch = (traits, update) => {
    for (const trait of traits) {
      model.on(`change:${trait}`, update);
      forgets.push(() => model.off(`change:${trait}`, update));
    }
    update();
  };
  const put = (trait, value) => {
    model.set(trait, value);
    model.save_changes();
  };
  const controls = html("div", { class: "abh-controls" });
  const drawing = html("div", { class: "abh-drawing" });
  const words = html("span", {});
  const reading = html("p", { class: "abh-reading", "aria-live": "polite" }, words);
  const growth = growWith(words, reading);
  const body = html("div", { class: "abh-body" }, controls, drawing, reading);
  const root = html("div", { role: "group", class: "abh-card", "aria-label": model.get("title") });
  root.style.setProperty("--abh-lines", lines[0]);
  root.style.setProperty("--abh-lines-narrow", lines[1]);
  const parts = { model, root, body, controls, drawing, watch, put };
  const atLast = (forget) => forgets.push(forget);
  const buttons = [...undoButtons({ model, root, watch, atLast }), ...(fills ? [screenButton(root, atLast)] : [])];
  const question = questionOf(parts);
  question.veil(reading);
  body.append(question.why);
  root.append(question.node, body, html("div", { class: "abh-foot" }, ...buttons));
  el.append(root);
  return {
    ...parts,
    veil: question.veil,
    lift: question.lift,
    say: (text) => setText(words, text),
    dispose: () => {
      growth.disconnect();
      for (const forget of forgets) forget();
      root.remove();
    },
  };
}

/**
 * Let a box whose size does not depend on its words grow with them: new words then lay
 * out nothing else, but for the rare line too many.
 */
function growWith(words, box) {
  const growth = new ResizeObserver(([{ borderBoxSize: [{ blockSize }] }]) =>
    box.style.setProperty("--abh-words", `${blockSize}px`));
  growth.observe(words);
  return growth;
}

export default { render: (host) => card(host).dispose };
