// Byte-pair merges, one by one, with a box around every piece of the text.

import { card } from "./card/card.js";
import { html } from "./card/elements.js";

function render(host) {
  const view = card(host, { lines: [2, 3] });
  const { model } = view;
  const states = model.get("states");
  const line = html("p", { class: "abh-across abh-pieces" });
  view.drawing.append(line);
  view.watch(["step"], () => {
    const step = model.get("step");
    const [words, newest] = states[step];
    const pieces = words.flat();
    const box = (piece) => html("span", { class: piece === newest ? "abh-piece abh-newest" : "abh-piece" }, piece);
    line.replaceChildren(...words.map((word) => html("span", { class: "abh-pieces-word" }, ...word.map(box))));
    view.say(step ? "merged" : "letters", { newest, pieces: pieces.length, kinds: new Set(pieces).size });
  });
}

export default { render };
