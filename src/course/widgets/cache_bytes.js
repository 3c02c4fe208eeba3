// Bytes of a key-value cache, for three ways to share heads of keys.

import { card } from "./card/card.js";
import { bars, facts } from "./card/drawings.js";
import { html } from "./card/elements.js";
import { grouped } from "./card/numbers.js";

const ROOM = 19; // characters of the largest number

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const { width, shared, sizes, rows, memory } = model.get("given");
  const row = bars({ key: "shares", name: "Share of the largest cache", labels: rows, role: "key" });
  const kinds = [["own", "own keys"], ["grouped", `${shared} heads share`], ["single", "all heads share"]];
  const counts = facts(kinds.map(([kind, name]) => [`bytes-${kind}`, `Bytes, ${name}`]));
  counts.node.style.setProperty("--abh-characters", String(ROOM));
  view.drawing.append(counts.node, row.node,
    html("p", { class: "abh-note" }, `Keys and values have width ${width}.`));
  view.watch(["layers", "heads", "n", "precision"], () => {
    const [layers, heads, n] = ["layers", "heads", "n"].map((trait) => model.get(trait));
    const ofHead = 2 * layers * width * n * sizes[model.get("precision")];
    const all = [heads, Math.ceil(heads / shared), 1].map((count) => count * ofHead);
    all.forEach((bytes, i) => counts.update(`bytes-${kinds[i][0]}`, bytes, grouped(bytes)));
    row.update(all.map((bytes) => bytes / all[0]));
    const [own] = all;
    view.say(heads === 1 ? "one" : own > memory ? "larger" : "fits", { own: grouped(own), texts: grouped(Math.floor(memory / own)) });
  });
}

export default { render };
