// The panel that says the arithmetic of one cell; every source in it can be followed.

/** @import { ExplanationPart, Inputs } from "../contract.d.ts" */

import { followSize, html, setHidden, setText, symbol } from "../card/elements.js";
import { ROLE_OF, cellTitle, leaves, shortNumber } from "./explain.js";
import { splitId } from "./model.js";

/**
 * What a part shows: its words, or its number.
 *
 * @param {ExplanationPart} part
 * @param {number} decimals
 */
function wordsOf({ text, cell, value, number }, decimals) {
  return text ?? shortNumber(cell ? value : number, decimals);
}

/** The node of a part, with the term from which on it is there. */
function partNode(part, follow) {
  const node = bareNode(part, follow);
  if (part.at) node.dataset.at = part.at;
  return node;
}

/** The node of a symbol, a source, or any other part. */
function bareNode(part, follow) {
  if (part.group) {
    return html("span", { class: "abh-ws-term" },
      ...part.group.map((inner) => partNode(inner, follow)));
  }
  if (part.text !== undefined) return html("span", { class: "abh-ws-words" });
  if (part.sym !== undefined) {
    return html("span", { class: "abh-ws-symbol", style: `color: var(--abh-${part.role})` },
      symbol(part.sym, part.sub, part.sup));
  }
  if (!part.cell) return html(part.result ? "strong" : "span", { class: "abh-ws-words" });
  const role = ROLE_OF[splitId(part.cell.id).kind] ?? "ink";
  const { id, row, column } = part.cell;
  return html("button", {
    type: "button", class: "abh-ws-follow abh-ws-words", style: `color: var(--abh-${role})`,
    "data-id": id, "data-row": row, "data-column": column,
    onclick: () => follow(part.cell),
  });
}

/** What two explanations must share for one to be written over the other. */
function structureOf(inputs, lines) {
  const mark = (part) => [part.at, part.group ? part.group.map(mark) : part.cell ?? part.sym ?? "number" in part];
  return JSON.stringify([inputs.tokens, inputs.W_Q.length, lines.map((line) => line.map(mark))]);
}

/** The lines of an explanation: new nodes for a new cell, new words otherwise. */
function arithmeticLines(follow) {
  const node = html("div", { class: "abh-ws-lines" });
  /** @type {[string, ArrayLike<Element>, string[]]} */
  let [built, places, said] = ["", [], []];
  const build = (lines) => {
    node.replaceChildren(...lines.map((line) =>
      html("div", { class: "abh-ws-line" }, ...line.map((part) => partNode(part, follow)))));
    [places, said] = [node.querySelectorAll(".abh-ws-words"), []];
  };
  /** @type {(inputs: Inputs, lines: ExplanationPart[][], decimals: number) => void} */
  const show = (inputs, lines, decimals) => {
    const structure = structureOf(inputs, lines);
    if (structure !== built) build(lines);
    built = structure;
    leaves(lines.flat()).filter((part) => part.sym === undefined).forEach((part, i) => {
      const shown = wordsOf(part, decimals);
      if (said[i] === shown) return;
      said[i] = shown;
      setText(places[i], shown);
      if (part.cell) places[i].setAttribute("aria-label", `${shown}, ${cellTitle(inputs, part.cell)}`);
    });
  };
  const reach = (at) => {
    for (const part of node.querySelectorAll("[data-at]")) {
      part.classList.toggle("abh-ws-later", Number(part.dataset.at) > at);
      part.classList.toggle("abh-ws-now", Number(part.dataset.at) === at);
    }
  };
  return { node, show, reach };
}

export function smallButton(label, props) {
  return html("button", { type: "button", class: "abh-button abh-quiet abh-ws-small", ...props }, label);
}

/** The change by a tenth, up or down, free of rounding noise. */
export function plusTenth(sign) {
  return (x) => Number((x + sign * 0.1).toFixed(12));
}

/** Buttons that change an input by a tenth or flip its sign, for touch. */
function nudges(nudge) {
  const button = (label, name, change) =>
    smallButton(label, { "aria-label": name, onclick: () => nudge(change) });
  return html("span", { class: "abh-ws-nudges" },
    button("\u2212 0.1", "\u2212 0.1: make it smaller", plusTenth(-1)),
    button("+ 0.1", "+ 0.1: make it larger", plusTenth(1)),
    button("\u00b1", "\u00b1: change its sign", (x) => -x));
}

/** Copy text; where the clipboard is refused, show it selected in a text area. */
async function copyText({ text, label, form }, message, area) {
  const copied = text();
  try {
    await navigator.clipboard.writeText(copied);
    setText(message, `${label()} copied ${form}.`);
    area.hidden = true;
  } catch {
    area.hidden = false;
    area.setAttribute("aria-label", `Matrix ${form}`);
    area.value = copied;
    area.focus();
    area.select();
    setText(message, "The browser refused the clipboard: copy the selected text.");
  }
}

/** A button that folds the panel to its title, and back. */
function foldButton(node, parts) {
  const button = smallButton("Fold", { "aria-expanded": "true", title: "Fold the arithmetic to its title" });
  button.addEventListener("click", () => {
    const folds = button.ariaExpanded === "true";
    button.ariaExpanded = String(!folds);
    setText(button, folds ? "Unfold" : "Fold");
    node.classList.toggle("abh-ws-folded", folds);
    for (const part of parts) part.inert = folds;
  });
  return button;
}

/**
 * Keep the panel's box as high as the highest arithmetic that it has held at this width:
 * when the reader selects a cell with fewer lines, nothing below the panel moves. Gives a
 * function that ends this where another step begins: the box then takes the height of the
 * arithmetic that comes next.
 */
function keepHeight(box, content, signal) {
  let [highest, width] = [0, 0];
  followSize(content, signal, ({ borderBoxSize: [{ blockSize, inlineSize }] }) => {
    highest = inlineSize === width ? Math.max(highest, blockSize) : blockSize;
    width = inlineSize;
    box.style.setProperty("--abh-ws-held", `${highest}px`);
  });
  return () => (highest = 0);
}

/**
 * Build the panel.
 *
 * follow(cell), back() and nudge(change) are the worksheet's; copies: the forms in which
 * the matrix can be copied, as { words, form, title, text() }; player: what plays the lines.
 * Returns { node, held, show({ inputs, explanation, decimals, from, editable }), reach(at,
 * all), speak(words), newStep() }; `held` has the arithmetic itself, `reach` leaves out
 * what comes after a term.
 */
export function arithmeticPanel({ follow, back, nudge, copies, player, signal }) {
  const title = html("p", { class: "abh-ws-title" }, " ");
  const lines = arithmeticLines(follow);
  const note = html("p", { class: "abh-ws-note" }, " ");
  const spoken = html("p", { class: "abh-ws-spoken abh-unseen", "aria-live": "polite" });
  const message = html("span", { class: "abh-ws-said", role: "status" });
  const area = html("textarea", {
    class: "abh-ws-copied", readonly: true, rows: 3, "aria-label": "Matrix", hidden: true,
  });
  const copiers = copies.map(({ words, form, title, text }) => {
    const label = () => last;
    const button = smallButton(words, { title, onclick: () => copyText({ text, label, form }, message, area) });
    return { button, words };
  });
  const backTo = smallButton("Back", { onclick: back });
  const steps = nudges(nudge);
  const buttons = copiers.map(({ button }) => button);
  const tools = html("div", { class: "abh-ws-tools" }, backTo, steps, ...buttons);
  const named = { role: "group", "aria-label": "Arithmetic of the selected cell" };
  const content = html("div", {}, lines.node, note, message, area);
  const box = html("div", { class: "abh-ws-held" }, content);
  const node = html("div", { class: "abh-ws-arithmetic", ...named });
  const bar = html("div", { class: "abh-ws-bar" }, player, tools, foldButton(node, [player, tools, box]));
  node.append(html("div", { class: "abh-ws-top" }, title, bar), box, spoken);
  const newStep = keepHeight(box, content, signal);
  let last = "";
  const show = ({ inputs, explanation, decimals, from, editable, name }) => {
    setText(title, explanation.title);
    lines.show(inputs, explanation.lines, decimals);
    setText(note, explanation.note);
    setHidden(backTo, !from);
    if (from) backTo.setAttribute("aria-label", `Back to ${from}`);
    setHidden(steps, !editable);
    if (last === name) return;
    for (const { button, words } of copiers) button.setAttribute("aria-label", `${words}: ${name}`);
    setText(message, "");
    area.hidden = true;
    last = name;
  };
  const reach = (at, all) => {
    lines.reach(at);
    note.classList.toggle("abh-ws-later", at < all);
  };
  return { node, held: box, show, newStep, reach, speak: (said) => node.classList.contains("abh-ws-folded") || setText(spoken, said) };
}
