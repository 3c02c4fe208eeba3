// The heads of a sheet: small matrices of their weights, of which one is open.

import { html, setHidden, setText, svg } from "../card/elements.js";
import { setPoints } from "../card/drawings.js";
import { PER_HEAD } from "./model.js";

/** Squares whose areas are the weights, as one polygon: from one to the next and back it has no area. */
function squares(weights) {
  return weights.flatMap((row, i) => row.map((weight, j) => {
    const side = Math.sqrt(weight) / 2;
    const [left, right] = [j + 0.5 - side, j + 0.5 + side].map((x) => x.toFixed(3));
    const [top, bottom] = [i + 0.5 - side, i + 0.5 + side].map((y) => y.toFixed(3));
    return `0,0 ${left},${top} ${right},${top} ${right},${bottom} ${left},${bottom} ${left},${top}`;
  })).join(" ");
}

/** A head's button: its weights in small, and its name. */
function headButton(open) {
  const comb = svg("polygon", {});
  const drawn = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, comb);
  const name = html("span", {}, " ");
  const node = html("button", { type: "button", class: "abh-bare", onclick: open }, drawn, name);
  const press = (isOpen) => node.setAttribute("aria-pressed", String(isOpen));
  const update = (index, weights) => {
    setText(name, `Head ${index + 1}`);
    const box = `0 0 ${weights.length} ${weights.length}`;
    if (drawn.getAttribute("viewBox") !== box) drawn.setAttribute("viewBox", box);
    setPoints(comb, squares(weights));
  };
  return { node, drawn, press, update };
}

/**
 * The heads as buttons; open(i) opens one. `drawn` is called with each small matrix.
 *
 * Returns { node, update(weights, head, kinds) }: the weights of all heads, the one that
 * is open, the kinds of matrices that are shown.
 */
export function headsList(open, drawn) {
  const node = html("div", { class: "abh-ws-heads", role: "group", "aria-label": "Heads: one is open" });
  /** @type {ReturnType<typeof headButton>[]} */
  let buttons = [];
  let frame = 0; // in which the small matrices are drawn: once, however many numbers come in it
  const update = (weights, head, kinds) => {
    const count = weights.length;
    setHidden(node, count < 2 || !kinds.some((kind) => kind !== "head" && PER_HEAD.includes(kind)));
    const isNew = buttons.length !== count;
    if (isNew) {
      buttons = weights.map((_, i) => headButton(() => open(i)));
      node.replaceChildren(...buttons.map((button) => button.node));
      buttons.forEach((button) => drawn(button.drawn));
    }
    buttons.forEach((button, i) => button.press(i === head));
    cancelAnimationFrame(frame);
    if (node.hidden) return;
    const draw = () => buttons.forEach((button, i) => button.update(i, weights[i]));
    if (isNew) draw();
    else frame = requestAnimationFrame(draw);
  };
  return { node, update };
}
