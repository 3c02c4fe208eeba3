// One row of weights, under the sliders of d_k and of the sharpness.

import { card } from "./card/card.js";
import { bars } from "./card/drawings.js";
import { softmax } from "./card/numbers.js";
import { drawnScores } from "./drawn.js";

function render(host) {
  const view = card(host, { lines: [1, 2] });
  const { model } = view;
  const { labels, table } = drawnScores(model.get("draws"));
  const row = bars({ key: "weights", name: `Weights of a query on ${labels.length} keys`, labels });
  view.drawing.append(row.node);
  view.watch(["d_k", "beta", "divided"], () => {
    const [dK, beta, divided] = ["d_k", "beta", "divided"].map((trait) => model.get(trait));
    const root = Math.sqrt(dK);
    const [scores] = table(dK);
    const scaled = scores.map((score) => score / root);
    const [weights, others] = (divided ? [scaled, scores] : [scores, scaled]).map((logits) => softmax(logits, beta));
    row.update(weights);
    const key = beta === 0 ? "even" : divided ? "divided" : "undivided";
    view.say(key, { root, largest: Math.max(...weights), other: Math.max(...others) });
  });
}

export default { render };
