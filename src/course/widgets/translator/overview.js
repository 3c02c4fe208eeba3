// The whole machine at a glance: every head as a small picture of its weights, every other
// part as a button; the one that is open is marked.

import { html, svg, symbol } from "../card/elements.js";
import { SUBLAYERS, cut, partOf, placeText, sublayerText } from "./names.js";

const FAINT = 0.02; // weights below it are left out of the small pictures

/** The weights of a head as a small picture. */
function picture(values) {
  const cells = values.flatMap((row, i) => row.flatMap((weight, j) =>
    weight < FAINT ? [] : [svg("rect", { x: j, y: i, width: 1, height: 1, "fill-opacity": weight.toFixed(2) })]));
  const viewBox = `0 0 ${values[0].length} ${values.length}`;
  return svg("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" }, ...cells);
}

function button(open, name, text, content) {
  const node = html("button", { type: "button", class: "abh-tr-part", "data-part": partOf(name), ...(content ? { "aria-label": text } : {}) },
    content ?? text);
  node.addEventListener("click", () => open(name));
  return node;
}

/**
 * Both stacks, from the words at the top to the words at the bottom.
 *
 * config: sizes of the model; open(name): called with the matrix to be opened
 * Returns { node, draw(weightsOf), mark(name) }: weightsOf(part) gives a head's weights,
 * name is the matrix that is open.
 */
export function overview({ num_layers, num_heads }, open) {
  const heads = [];
  const parts = [];
  const part = (...from) => {
    parts.push(button(open, ...from));
    return parts.at(-1);
  };
  const attention = (side, at, sublayer) => {
    const row = Array.from({ length: num_heads }, (_, head) => {
      const name = `${at}.head.${head}.weights`;
      const frame = html("span", {});
      heads.push([cut(name)[0], frame]);
      return part(name, placeText(name), frame);
    });
    return html("div", { class: "abh-tr-sublayer" }, html("span", {}, sublayerText(side, sublayer)),
      html("div", { class: "abh-tr-heads" }, ...row, part(`${at}.output`, `${placeText(`${at}.output`)}: Wᴼ, sum and norm`, html("span", { class: "abh-tr-mix" }, symbol("W", "", "O")))));
  };
  const layer = (side, index) => html("div", { class: "abh-tr-layer" },
    html("span", { class: "abh-tr-title" }, `layer ${index + 1}`),
    ...SUBLAYERS[side].map((sublayer) => {
      const at = `${side}.${index}.${sublayer}`;
      return sublayer.endsWith("attention") ? attention(side, at, sublayer) : part(`${at}.hidden`, "feed-forward");
    }));
  const stack = (side, last) => html("div", { class: "abh-tr-stack" },
    html("p", { class: "abh-tr-title" }, side),
    part(`${side}.input`, "words + places"),
    ...Array.from({ length: num_layers }, (_, index) => layer(side, index)),
    part(`${side}.stream`, "residual stream"), last);
  const asks = html("p", { class: "abh-tr-note" }, "The last layer’s rows are the keys and values of every cross-attention →");
  const node = html("div", { class: "abh-tr-map" },
    stack("encoder", asks), stack("decoder", part("decoder.logits", "next word")));
  const draw = (weightsOf) => {
    for (const [head, frame] of heads) frame.replaceChildren(picture(weightsOf(head)));
  };
  const mark = (name) => {
    for (const one of parts) one.ariaPressed = String(one.dataset.part === partOf(name));
  };
  return { node, draw, mark };
}
