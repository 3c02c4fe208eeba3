// Softmax from uniform (beta = 0) to argmax, on one row of logits.

import { card } from "./card/card.js";
import { evenStops, select, slider } from "./card/controls.js";
import { bars, facts, setPoints } from "./card/drawings.js";
import { html, setText, svg, symbol } from "./card/elements.js";
import { entropy, fixed, softmax } from "./card/numbers.js";

/** Sharpness from 0 to 100: fine steps near the paper's 1, ratios above. */
function sharpnessStops() {
  const ratios = Array.from({ length: 40 }, (_, i) => Number((2 * 50 ** ((i + 1) / 40)).toPrecision(2)));
  return [...evenStops(0, 2, 0.05), ...new Set(ratios)];
}

/** One line in words. */
function sentence(keys, beta, weights) {
  const top = Math.max(...weights);
  const best = keys[weights.indexOf(top)];
  const nats = entropy(weights);
  if (beta === 0) return `At sharpness 0 the logits do not count: each of the ${keys.length} words has ${fixed(top, 3)}.`;
  if (top > 0.9995) return `At sharpness ${beta} the row is an argmax: ${best} has all the weight and the entropy is ${fixed(nats, 3)}.`;
  return `At sharpness ${beta} the largest weight, on ${best}, is ${fixed(top, 3)}; the row is ` +
    `as even as equal shares among ${fixed(Math.exp(nats))} words would be.`;
}

/** Entropy on a scale from 0 (one word) to ln n (all alike). */
function entropyGauge() {
  const fill = svg("polygon", { class: "abh-gauge-fill" });
  const top = html("span", {}, " ");
  const node = html("div", { class: "abh-gauge", "aria-hidden": "true" },
    svg("svg", { class: "abh-gauge-track", viewBox: "0 0 1 1", preserveAspectRatio: "none" }, fill),
    html("div", { class: "abh-gauge-ends" }, html("span", {}, "0: one word has all"), top));
  const update = (value, n) => {
    const share = (value / Math.log(n)).toFixed(5);
    setPoints(fill, `0,0 ${share},0 ${share},1 0,1`);
    setText(top, `ln ${n} = ${fixed(Math.log(n), 3)}: all alike`);
  };
  return { node, update };
}

function render({ model, el }) {
  const view = card({ model, el }, { lines: [2, 4] });
  const rows = model.get("rows");
  select(view, { trait: "row", label: "Row of scores", options: rows.map(({ name }) => name) });
  slider(view, { trait: "beta", label: "Sharpness", mark: symbol("β"), stops: sharpnessStops() });
  const read = facts([["largest", "Largest weight"], ["entropy", "Entropy, in nats"]]);
  const gauge = entropyGauge();
  const place = html("div", {});
  view.drawing.append(place, read.node, gauge.node);

  for (const node of [place, read.node, gauge.node]) view.veil(node);

  let drawn;
  view.watch(["row"], () => {
    const { keys, logits } = rows[model.get("row")];
    drawn = bars({ key: "weights", name: "Weights (logits in brackets)", labels: keys.map((key, i) => `${key} (${fixed(logits[i])})`) });
    place.replaceChildren(drawn.node);
  });
  view.watch(["row", "beta"], () => {
    const { keys, logits } = rows[model.get("row")];
    const weights = softmax(logits, model.get("beta"));
    drawn.update(weights);
    read.update("largest", Math.max(...weights), fixed(Math.max(...weights), 3));
    read.update("entropy", entropy(weights), fixed(entropy(weights), 3));
    gauge.update(entropy(weights), keys.length);
    view.say(sentence(keys, model.get("beta"), weights));
  });
  return view.dispose;
}

export default { render };
