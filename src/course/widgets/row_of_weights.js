// One row of weights, under the sliders of d_k and of the sharpness.

import { card } from "./card/card.js";
import { checkbox, evenStops, ratioStops, slider } from "./card/controls.js";
import { bars } from "./card/drawings.js";
import { html, symbol } from "./card/elements.js";
import { fixed, softmax } from "./card/numbers.js";

const KEYS = 8;
const WIDEST = 1024;
const STEPS_PER_UNIT = 16;

/** q . k of the query with each key over the first d_k components: exact, in steps. */
function scoresOf(draws, dK) {
  return Array.from({ length: KEYS }, (_, key) => {
    let sum = 0;
    for (let i = 0; i < dK; i++) sum += draws[i] * draws[(key + 1) * WIDEST + i];
    return sum / STEPS_PER_UNIT ** 2;
  });
}

/** One line in words. */
function sentence({ beta, divided, root, largest, other }) {
  if (beta === 0) return `At sharpness 0 the scores do not count: each key has ${fixed(largest, 3)}.`;
  return divided
    ? `Divided by √dₖ = ${fixed(root)}, the largest weight is ${fixed(largest)}. Undivided, it would be ${fixed(other)}.`
    : `Undivided, the largest weight is ${fixed(largest)}. Divided by √dₖ = ${fixed(root)}, it would be ${fixed(other)}.`;
}

function render({ model, el }) {
  const view = card({ model, el }, { lines: [1, 2] });
  const bytes = model.get("draws");
  const draws = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  slider(view, { trait: "d_k", label: "Width of a key", mark: symbol("d", "k"), stops: ratioStops(1, WIDEST), whole: true });
  slider(view, { trait: "beta", label: "Sharpness", mark: symbol("β"), stops: evenStops(0, 4, 0.05) });
  const words = html("span", {}, "Divide the scores by √", symbol("d", "k"));
  const division = checkbox(words, (divided) => view.put("divided", divided));
  view.controls.append(division.node);
  const row = bars({ key: "weights", name: "Weights of a query on 8 keys", labels: Array.from({ length: KEYS }, (_, i) => `key ${i + 1}`) });
  view.drawing.append(row.node);

  view.watch(["divided"], () => (division.input.checked = model.get("divided")));
  view.watch(["d_k", "beta", "divided"], () => {
    const [dK, beta, divided] = ["d_k", "beta", "divided"].map((trait) => model.get(trait));
    const root = Math.sqrt(dK);
    const scores = scoresOf(draws, dK);
    const scaled = scores.map((score) => score / root);
    const [weights, others] = (divided ? [scaled, scores] : [scores, scaled]).map((row) => softmax(row, beta));
    row.update(weights);
    view.say(sentence({ beta, divided, root, largest: Math.max(...weights), other: Math.max(...others) }));
  });
  return view.dispose;
}

export default { render };
