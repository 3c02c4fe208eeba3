// Softmax from uniform (beta = 0) to argmax, on one row of logits.

import { card } from "./card/card.js";
import { bars, facts, setPoints } from "./card/drawings.js";
import { html, setText, svg } from "./card/elements.js";
import { entropy, fixed, softmax } from "./card/numbers.js";

function keyOf(beta, largest) {
  if (beta === 0) return "even";
  return fixed(largest, 3) === "1.000" ? "argmax" : "between";
}

/** Build a gauge of the entropy, from 0 (one word has all) to ln n (equal weights). */
function entropyGauge() {
  const fill = svg("polygon", { class: "abh-gauge-fill", fill: "var(--abh-ink)" });
  const top = html("span", {}, " ");
  const node = html("div", { class: "abh-note abh-gauge", "aria-hidden": "true" },
    svg("svg", { class: "abh-gauge-track", viewBox: "0 0 1 1", preserveAspectRatio: "none" }, fill),
    html("div", { class: "abh-apart" }, html("span", {}, "0: one word has all"), top));
  const update = (value, n) => {
    const share = (value / Math.log(n)).toFixed(5);
    setPoints(fill, `0,0 ${share},0 ${share},1 0,1`);
    setText(top, `ln ${n} = ${fixed(Math.log(n), 3)}: all alike`);
  };
  return { node, update };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const rows = model.get("rows");
  const measures = facts([["largest", "Largest weight"], ["entropy", "Entropy H"]]);
  const gauge = entropyGauge();
  const place = html("div", {});
  view.drawing.append(place, measures.node, gauge.node);
  let drawn;
  view.watch(["row"], () => {
    const { keys, logits } = rows[model.get("row")];
    drawn = bars({ key: "weights", name: "Weights (logits in brackets)", labels: keys.map((key, i) => `${key} (${fixed(logits[i])})`) });
    place.replaceChildren(drawn.node);
  });
  view.watch(["row", "beta"], () => {
    const { keys, logits } = rows[model.get("row")];
    const beta = model.get("beta");
    const weights = softmax(logits, beta);
    const [largest, nats] = [Math.max(...weights), entropy(weights)];
    drawn.update(weights);
    measures.update("largest", largest, fixed(largest, 3));
    measures.update("entropy", nats, fixed(nats, 3));
    gauge.update(nats, keys.length);
    const best = keys[weights.indexOf(largest)];
    view.say(keyOf(beta, largest), { words: keys.length, largest, best, entropy: nats, even: Math.exp(nats) });
  });
}

export default { render };
