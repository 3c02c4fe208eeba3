// What a recurrent state keeps of a word after more words.

import { card } from "./card/card.js";
import { bars } from "./card/drawings.js";

/** Return the state after each word: h = tanh(strength h W + x). */
function statesOf(words, W, strength) {
  const states = [];
  let h = W.map(() => 0);
  for (const x of words) {
    const before = h;
    h = x.map((x_j, j) => Math.tanh(strength * before.reduce((sum, entry, i) => sum + entry * W[i][j], 0) + x_j));
    states.push(h);
  }
  return states;
}

/** Return the distance between the two states after each word. */
const distances = (states, others) => states.map((h, i) => Math.hypot(...h.map((entry, j) => entry - others[i][j])));

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const [words, changes, drawn] = ["words", "changes", "drawn"].map((name) => model.get(name));
  const row = bars({ key: "left", name: "What is left, after each word", labels: words });
  view.drawing.append(row.node);
  view.watch(["strength", "changed"], () => {
    const [strength, changed] = [model.get("strength"), model.get("changed")];
    const { place, ...facts } = changes[changed];
    const read = (inputs) => statesOf(inputs, drawn.W, strength / 100);
    const moved = distances(read(drawn.words), read(drawn.words.with(place, drawn.others[changed])));
    const left = moved.map((distance) => distance / moved[place]);
    row.update(left);
    const key = strength === 0 ? "nothing" : strength === 100 ? "full" : "weaker";
    view.say(key, { ...facts, left: left.at(-1), last: words.at(-1) });
  });
}

export default { render };
