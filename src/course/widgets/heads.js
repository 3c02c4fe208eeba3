// Heads on and off: concatenation, W_O and the output, whole and head by head.

import { card } from "./card/card.js";
import { checkbox } from "./card/controls.js";
import { html, setText, symbol } from "./card/elements.js";
import { matrix } from "./card/grid.js";

/** Names of the columns of head after head: h1.1, h1.2, h2.1, ... */
function headColumns(outputs) {
  return outputs.flatMap((head, i) => head[0].map((_, j) => `h${i + 1}.${j + 1}`));
}

/** Entries of one word's output, added over the heads that are on. */
function addUp(shares, on, word) {
  return shares[0][word].map((_, j) =>
    shares.reduce((sum, share, head) => sum + (on[head] ? share[word][j] : 0), 0));
}

/** A checkbox for each head, kept in the trait `on`. */
function switches({ model, controls, watch, put }, count) {
  const boxes = Array.from({ length: count }, (_, head) =>
    checkbox([`Head ${head + 1}`], (checked) => put("on", model.get("on").with(head, checked))));
  controls.prepend(html("fieldset", { class: "abh-switches" },
    html("legend", {}, "Switched on"), ...boxes.map(({ node }) => node)));
  watch(["on"], () => model.get("on").forEach((isOn, head) => (boxes[head].input.checked = isOn)));
}

/** Show the number of a head that is off without its colour. */
function switchOff(td, isOff) {
  td.firstChild.classList.toggle("abh-off", isOff);
}

function render(host) {
  const view = card(host, { lines: [1, 3] });
  const { model } = view;
  const [tokens, outputs, shares, projection] = ["tokens", "outputs", "shares", "projection"].map((name) => model.get(name));
  const width = projection[0].map((_, j) => String(j + 1));
  const perHead = outputs[0][0].length;
  switches(view, outputs.length);

  const concat = matrix({ key: "concat", name: "Concatenation", rows: tokens, columns: headColumns(outputs), scale: "signed" });
  const weights = matrix({ key: "projection", name: "W_O", rows: headColumns(outputs), columns: width, scale: "signed", digits: 1 });
  weights.node.caption.replaceChildren(symbol("W", "", "O"));
  const output = matrix({ key: "output", name: "Output", rows: tokens, columns: width, scale: "signed", role: "output" });
  const terms = [...shares.map((_, head) => `from head ${head + 1}`), "sum"];
  const sum = matrix({ key: "written_out", name: "Written out", rows: terms, columns: width, scale: "signed" });
  sum.node.classList.add("abh-sum");
  const sign = (text) => html("span", { class: "abh-sign", "aria-hidden": "true" }, text);
  view.drawing.append(
    html("div", { class: "abh-product" }, concat.node, sign("×"), weights.node, sign("="), output.node), sum.node);
  for (const node of [output.node, sum.node]) view.veil(node);

  const limit = Math.max(...shares.flat(2).map(Math.abs)) * shares.length;
  const largest = Math.max(...outputs.flat(2).map(Math.abs), ...projection.flat().map(Math.abs));
  weights.update(projection, largest);
  view.watch(["on", "word"], () => {
    const [on, word] = [model.get("on"), model.get("word")];
    const rows = tokens.map((_, i) => addUp(shares, on, i));
    concat.update(tokens.map((_, i) => outputs.flatMap((head, k) => head[i].map((x) => (on[k] ? x : 0)))), largest);
    weights.cells.forEach((line, i) => line.forEach((td) => switchOff(td, !on[Math.floor(i / perHead)])));
    concat.cells.forEach((line) => line.forEach((td, j) => switchOff(td, !on[Math.floor(j / perHead)])));
    output.update(rows, limit);
    output.node.tBodies[0].childNodes.forEach((line, i) => line.classList.toggle("abh-chosen", i === word));
    sum.update([...shares.map((share, head) => share[word].map((x) => (on[head] ? x : 0))), rows[word]], limit);
    setText(sum.node.caption, `Output of “${tokens[word]}”, head by head`);
    const heads = on.flatMap((isOn, i) => (isOn ? [`head ${i + 1}`] : []));
    const key = ["none", "one", "several"][Math.min(heads.length, 2)];
    view.say(key, { of: tokens[word], heads, output: rows[word] });
  });
}

export default { render };
