// The first sentence: one word changes, and *it* looks elsewhere.

import { arcsBetween } from "../card/arcs.js";
import { card } from "../card/card.js";
import { bars } from "../card/drawings.js";
import { html, setText } from "../card/elements.js";

function render(host) {
  const view = card(host, { lines: [1, 2], fills: false });
  const { model, put } = view;
  const [endings, nouns, spoken, looks] = ["endings", "nouns", "spoken", "looks"].map((name) => model.get(name));
  const turn = html("button", { type: "button", class: "abh-button" }, " ");
  turn.addEventListener("click", () => put("ending", 1 - model.get("ending")));
  const swap = html("button", { type: "button", class: "abh-button abh-quiet" }, "Swap cat and mat");
  swap.addEventListener("click", () => put("order", 1 - model.get("order")));
  const arcs = arcsBetween("Words of the sentence", "", view.signal);
  const shares = bars({ key: "looks", name: "What “it” gives to", labels: nouns, digits: 2 });
  view.drawing.append(arcs.node, html("div", { class: "abh-acts abh-who-turns" }, turn, swap), shares.node);

  view.watch(["ending", "order"], () => {
    const [ending, order] = [model.get("ending"), model.get("order")];
    const [words, row] = [spoken[order][ending], looks[order][ending]];
    const right = words.indexOf(nouns[ending]);
    const roles = { [right]: "output", [words.indexOf("it")]: "query", [words.length - 1]: "query" };
    arcs.fill("upper", words.map((word, i) => html("span", roles[i]
      ? { style: `font-weight: 600; color: var(--abh-${roles[i]})` } : {}, word)));
    arcs.draw(row.map((weight, j) => ({ from: ["upper", words.indexOf("it")], to: ["upper", j], weight, role: "output" })));
    setText(turn, `Make it ${endings[1 - ending]}`);
    const given = nouns.map((noun) => row[words.indexOf(noun)]);
    shares.update(given);
    view.say(nouns[ending], { cat: given[0], mat: given[1] });
  });
}

export default { render };
