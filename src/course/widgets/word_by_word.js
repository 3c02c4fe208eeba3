// Word by word: what the decoder has written, and what it finds likely next.

import { card } from "./card/card.js";
import { bars } from "./card/drawings.js";
import { html, setText } from "./card/elements.js";

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model, put } = view;
  const [english, measured] = [model.get("english"), model.get("measured")];
  const button = html("button", { type: "button", class: "abh-button" }, " ");
  const last = measured[0].likely.length - 1;
  button.addEventListener("click", () => put("written", (model.get("written") + 1) % (last + 1)));
  const { words: first, likely } = measured[0];
  const slots = first.slice(0, -1).map((word) => html("span", { class: "abh-slot" }, word));
  const next = bars({ key: "next", name: "The next word: its probability", labels: likely.flat().slice(0, likely[0].length) });
  const names = [...next.node.querySelectorAll("[role=rowheader]")];
  const row = html("p", { class: "abh-slots", "aria-label": "Written so far" }, ...slots);
  view.drawing.append(view.control("sentence"), row, next.node, html("div", { class: "abh-word-act" }, button));
  view.watch(["sentence", "written"], () => {
    const [sentence, written] = [model.get("sentence"), model.get("written")];
    const { words, likely: found, shares } = measured[sentence];
    slots.forEach((slot, i) => setText(slot, i <= written ? words[i] : "\u2009"));
    names.forEach((name, i) => setText(name, found[written][i]));
    next.update(shares[written]);
    setText(button, written < last ? "Write the next word" : "Begin again");
    const [word, share] = [found[written][0], shares[written][0]];
    const told = { english: english[sentence], so_far: words.slice(0, written + 1).join(" "), next: word, share };
    view.say(word === words[words.length - 1] ? "end" : "word", told);
  });
}

export default { render };
