// An overview of the machine. Each head is a small picture of its weights, each other part
// a button with text. The open part is marked, and parts that are off are crossed out.

import { button, html, setPressed, setText, symbol } from "../card/elements.js";
import { pictureOf } from "../card/picture.js";
import { SUBLAYERS, partOf, placeText, splitName, sublayerText } from "./names.js";

/** Return the parts that the switch of a matrix turns off or on: for an attention sublayer, all its heads. */
function switchesFor(name, { num_heads }) {
  const [part, last] = splitName(name);
  if (part.includes(".head.") || part.endsWith("feed_forward")) return [part];
  if (part.endsWith("attention")) return Array.from({ length: num_heads }, (_, head) => `${part}.head.${head}`);
  if (last === "stream") return [`${part}.residuals`];
  return last === "logits" ? [] : [`${part}.positions`];
}

/**
 * Build both stacks, from the input at the bottom to the output at the top.
 *
 * config: sizes of the model; press(name): called with the matrix of the part that was pressed
 * Returns { node, draw(run, seen), mark(open, off) }: the decoder has read `seen` words;
 * `open` is the open matrix, `off` has the names of the parts that are off.
 */
export function overview(config, press) {
  const { num_layers, num_heads } = config;
  const heads = [];
  const parts = [];
  const part = (name, text, content) => {
    const node = button(content ?? text, () => press(name), { class: "abh-tr-part abh-pressable", "data-part": partOf(name), "aria-label": content && text });
    parts.push({ node, name, label: content ? text : "" });
    return node;
  };
  const attention = (side, at, sublayer) => {
    const row = Array.from({ length: num_heads }, (_, head) => {
      const name = `${at}.head.${head}.weights`;
      const picture = pictureOf();
      heads.push([splitName(name)[0], picture]);
      return part(name, placeText(name), html("span", {}, picture.node));
    });
    return html("div", { class: "abh-tr-sublayer" }, html("span", { class: "abh-one-line" }, sublayerText(side, sublayer)),
      html("div", { class: "abh-tr-heads" }, ...row, part(`${at}.output`, `${placeText(`${at}.output`)}: WO, sum and norm`, html("span", { class: "abh-tr-mix" }, symbol("W", "", "O")))));
  };
  const layer = (side, index) => html("div", { class: "abh-tr-layer" },
    ...SUBLAYERS[side].toReversed().map((sublayer) => {
      const at = `${side}.${index}.${sublayer}`;
      if (sublayer.endsWith("attention")) return attention(side, at, sublayer);
      return html("div", { class: "abh-tr-pair" }, html("span", { class: "abh-note abh-tr-title" }, `layer ${index + 1}`), part(`${at}.hidden`, "feed-forward"));
    }));
  const stack = (side, last, language) => html("div", { class: "abh-tr-stack" },
    html("p", { class: "abh-note abh-tr-title" }, side),
    html("div", { class: "abh-tr-pair" }, part(`${side}.stream`, "residual stream"), ...last),
    ...Array.from({ length: num_layers }, (_, index) => layer(side, num_layers - 1 - index)),
    part(`${side}.input`, `${language} words + places`));
  const node = html("div", { class: "abh-tr-map" },
    stack("encoder", [], "English"), stack("decoder", [part("decoder.logits", "next word")], "French"));
  let pictured = null; // the run that was drawn
  const draw = (run, seen) => {
    for (const [head, picture] of heads) {
      const { values, rows, columns } = run.matrices[`${head}.weights`];
      if (run !== pictured) picture.draw(values);
      const size = (kind, all) => (kind === "french" ? seen : all);
      picture.view(size(columns, values[0].length), size(rows, values.length));
    }
    pictured = run;
  };
  const mark = (open, off) => {
    for (const { node: one, name, label } of parts) {
      setPressed(one, one.dataset.part === partOf(open));
      const own = switchesFor(name, config);
      const isOff = own.length > 0 && own.every((each) => off.includes(each));
      if (one.classList.contains("abh-tr-off") === isOff) continue;
      one.classList.toggle("abh-tr-off", isOff);
      if (label) one.ariaLabel = isOff ? `${label}, off` : label;
      else one.ariaDescription = isOff ? "off" : null;
    }
  };
  return { node, draw, mark };
}

/** Name the parts that are off, as a text. Heads of one sublayer stand together. */
function offText(off, config) {
  const heads = Map.groupBy(off.filter((name) => name.includes(".head.")), (name) => name.split(".head.")[0]);
  const texts = [...heads].map(([at, list]) => (list.length === config.num_heads
    ? `${placeText(`${at}.output`)}, all heads` : `${placeText(`${at}.output`)}, head ${list.map((name) => Number(name.at(-1)) + 1).join(", ")}`));
  const others = off.filter((name) => !name.includes(".head.")).map((name) => {
    const [side, last] = splitName(name);
    return last === "feed_forward" ? placeText(`${name}.hidden`) : `${side === "encoder" ? "Encoder" : "Decoder"}, ${last}`;
  });
  return [...texts, ...others].join("; ");
}

/**
 * Build the line that names the parts that are off, and the button that switches all on.
 *
 * switches: functions of `switchesOf` in card/switches.js
 * Returns { node, update(off) }.
 */
export function switchBar(switches, config) {
  const on = button("All on", switches.allOn);
  const status = html("p", { class: "abh-note abh-tr-status", role: "status" }, "\u00a0");
  const update = (off) => {
    on.ariaDisabled = String(!off.length);
    setText(status, off.length ? `Off: ${offText(off, config)}.` : "Everything is on.");
  };
  return { node: html("div", { class: "abh-apart abh-tr-now" }, status, on), update };
}

/** Build the buttons of the chosen part: switch it, switch the other heads, open its numbers. */
export function partSwitches(switches, config, names, openNumbers) {
  let chosen = "";
  const own = () => switchesFor(chosen, config);
  const heads = names.filter((name) => name.includes(".head."));
  const title = html("p", { class: "abh-note abh-tr-title" }, "\u00a0");
  const one = button("Switch it off", () => switches.toggle(own()));
  const others = button("Only this head", () => switches.allBut(own()[0], heads));
  const node = html("div", { class: "abh-tr-acts" }, title, one, others, button("Its numbers", openNumbers));
  const update = (name) => {
    chosen = name;
    setText(title, placeText(name));
    const parts = own();
    one.hidden = !parts.length;
    others.hidden = parts.length !== 1 || !parts[0].includes(".head.");
    if (!parts.length) return;
    const what = parts[0].includes(".head.") ? (parts.length > 1 ? "all its heads" : "this head") : parts[0].endsWith("feed_forward") ? "it" : parts[0].split(".").at(-1);
    setText(one, `Switch ${what} ${parts.every((each) => switches.off().includes(each)) ? "on" : "off"}`);
  };
  return { node, update };
}
