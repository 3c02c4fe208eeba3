// Who looks at whom: words on both sides, lines as thick as the weights.

import { card } from "./card/card.js";
import { number, setShare, setValue } from "./card/drawings.js";
import { html, setText, svg, uid } from "./card/elements.js";
import { fixed } from "./card/numbers.js";

const LINE = 2; // height of a word's line, in rem
const THICKEST = 14; // width of a line of weight 1, in pixels

/** What the sentence says of a row: the two largest weights, and the rest. */
function factsOf(query, tokens, weights) {
  const order = weights.map((_, i) => i).sort((a, b) => weights[b] - weights[a]);
  const [first, second = first] = order;
  const rest = order.slice(2).reduce((sum, i) => sum + weights[i], 0);
  return { query, first: tokens[first], largest: weights[first], second: tokens[second], next: weights[second], rest };
}

/** The queries: a radio group, so that arrow keys, touch and mouse all choose. */
function queryList({ model, watch, put }, queries, preview) {
  const name = uid("focus");
  const inputs = queries.map((_, i) => html("input", { type: "radio", name, value: i, class: "abh-hidden" }));
  const labels = queries.map((text, i) => html("label", { class: "abh-word" }, inputs[i], html("span", { title: text }, text)));
  inputs.forEach((input, i) => input.addEventListener("change", () => put("focus", i)));
  labels.forEach((label, i) => {
    label.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && preview(i));
    label.addEventListener("pointerleave", () => preview(null));
  });
  watch(["focus"], () => (inputs[model.get("focus")].checked = true));
  const node = html("fieldset", { class: "abh-words" }, html("legend", {}, "Query: who looks"), ...labels);
  return { node, labels };
}

/** The keys with the weight each gets, as a bar and a number. */
function keyList(tokens) {
  const lines = tokens.map((text) => {
    const bar = html("span", { class: "abh-barfill" });
    const shown = number();
    const node = html("li", { class: "abh-word" }, html("span", { class: "abh-token", title: text }, text),
      html("span", { class: "abh-bar", "aria-hidden": "true" }, bar), shown);
    return { node, bar, shown };
  });
  const node = html("div", { class: "abh-words abh-keys", "data-name": "weights", style: "--abh-characters: 4.6" }, html("p", { class: "abh-head" }, "Key: at whom"),
    html("ul", {}, ...lines.map((line) => line.node)));
  const update = (weights) => lines.forEach(({ bar, shown }, i) => {
    setValue(shown, weights[i], fixed(weights[i], 3));
    setShare(bar, weights[i]);
  });
  return { node, update };
}

/** Lines from every query to every key; those of one query stand out. */
function web(n, m) {
  const height = Math.max(n, m);
  const at = (i) => `${(100 * (i + 0.5)) / height}%`;
  const faint = svg("g", { class: "abh-faint" });
  const strong = Array.from({ length: m }, (_, j) =>
    svg("line", { x1: 0, x2: "100%", y2: at(j), class: "abh-strong" }));
  const node = svg("svg", { class: "abh-web", "aria-hidden": "true", style: `height: ${height * LINE}rem` }, faint, ...strong);
  const weave = (weights) => faint.replaceChildren(...weights.flatMap((row, i) => row.map((weight, j) =>
    svg("line", { x1: 0, x2: "100%", y1: at(i), y2: at(j), "stroke-width": THICKEST * weight }))));
  const choose = (i, row) => strong.forEach((line, j) => {
    line.setAttribute("y1", at(i));
    line.setAttribute("stroke-width", THICKEST * row[j]);
    line.dataset.value = String(row[j]);
  });
  return { node, weave, choose };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const [tokens, queries, weights] = ["tokens", "queries", "weights"].map((name) => model.get(name));
  const lines = web(queries.length, tokens.length);
  const keys = keyList(tokens);
  const key = ["one", "two", "many"][Math.min(tokens.length, 3) - 1];
  const show = (i) => {
    list.labels.forEach((label, j) => label.classList.toggle("abh-shown", i === j));
    lines.choose(i, weights[i]);
    keys.update(weights[i]);
    view.say(key, factsOf(queries[i], tokens, weights[i]));
  };
  const list = queryList(view, queries, (hovered) => show(hovered ?? model.get("focus")));
  lines.weave(weights);
  const note = html("p", { class: "abh-note" });
  view.drawing.append(
    html("div", { class: "abh-looks" }, list.node, lines.node, keys.node), note);
  for (const node of [keys.node, lines.node]) view.veil(node);
  view.watch(["focus"], () => show(model.get("focus")));
  view.watch(["provenance"], () => setText(note, model.get("provenance")));
}

export default { render };
