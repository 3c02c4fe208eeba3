// The first sentence: its last word changes the attention of *it*.

import { arcsBetween } from "../card/arcs.js";
import { card } from "../card/card.js";
import { bars } from "../card/drawings.js";
import { html } from "../card/elements.js";
import { turnButton } from "./turn.js";

function render(host) {
  const view = card(host, { lines: [1, 2] });
  const { model } = view;
  const [nouns, spoken, looks] = ["nouns", "spoken", "looks"].map((name) => model.get(name));
  const turn = turnButton(view, "ending", spoken[0].map((words) => words.at(-1)));
  const arcs = arcsBetween("Words of the sentence", "", view.signal);
  const shares = bars({ key: "looks", name: "What “it” gives to", labels: nouns, digits: 2 });
  view.drawing.append(arcs.node, html("div", { class: "abh-fields abh-who-turns abh-who-small" }, turn.node,
    view.control("ending"), view.control("turned")), shares.node);

  view.watch(["ending", "turned"], () => {
    const [ending, turned] = [model.get("ending"), Number(model.get("turned"))];
    const [words, row] = [spoken[turned][ending], looks[turned][ending]];
    const isMat = ending >= spoken[0].length / 2; // the second half of the endings describes things
    const roles = { [words.indexOf(nouns[Number(isMat)])]: "output", [words.indexOf("it")]: "query", [words.length - 1]: "query" };
    arcs.write("upper", words, roles);
    arcs.draw(row.map((weight, j) => ({ from: ["upper", words.indexOf("it")], to: ["upper", j], weight, role: "output" })));
    turn.update();
    const given = nouns.map((noun) => row[words.indexOf(noun)]);
    shares.update(given);
    view.say(nouns[Number(isMat)], { word: words.at(-1), cat: given[0], mat: given[1] });
  });
}

export default { render };
