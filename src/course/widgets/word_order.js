// Outputs of three words, in the written order and in the reverse order.

import { card } from "./card/card.js";
import { html, setText } from "./card/elements.js";
import { matrix } from "./card/grid.js";

function render(host) {
  const view = card(host, { lines: [2, 3] });
  const { model } = view;
  const [words, orders, outputs] = ["words", "orders", "outputs"].map((name) => model.get(name));
  const columns = outputs[0][0][0].map((_, j) => String(j + 1));
  const drawn = (key, name) => matrix({ key, name, rows: words, columns, scale: "signed", role: "output" });
  const [written, output] = [drawn("written", "Output as written"), drawn("output", "Output in this order")];
  const names = [...output.node.querySelectorAll("tbody th")];
  view.drawing.append(html("div", { class: "abh-across" }, written.node, output.node));
  const limit = Math.max(...outputs.flat(3).map(Math.abs));
  view.watch(["order", "places"], () => {
    const [order, places] = [model.get("order"), model.get("places")];
    const both = outputs[Number(places)];
    written.update(both[0], limit);
    output.update(both[order], limit);
    names.forEach((name, i) => setText(name, words[orders[order][i]]));
    const changes = orders[order].flatMap((word, i) => both[order][i].map((x, j) => Math.abs(x - both[0][word][j])));
    const key = order === 0 ? "written" : places ? "placed" : "blind";
    view.say(key, { change: Math.max(...changes) });
  });
}

export default { render };
