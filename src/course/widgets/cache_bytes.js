// Bytes of a key-value cache: keys for each head, shared keys, or a code for all heads.

import { card } from "./card/card.js";
import { bars, facts } from "./card/drawings.js";
import { html } from "./card/elements.js";
import { fixed, grouped } from "./card/numbers.js";

const WIDTH = 19; // characters; the largest number takes 18

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const { width, shared, sizes, rows, memory } = model.get("given");
  const kinds = [["own", "own keys"], ["grouped", `groups of ${shared} query heads`], ["single", "all heads share"]];
  const isCode = !model.get("without_code");
  if (isCode) kinds.push(["code", "a code"]);
  const row = bars({ key: "shares", name: "Share of the largest cache", labels: rows.slice(0, kinds.length), role: "key" });
  const counts = facts(kinds.map(([kind, name]) => [`bytes-${kind}`, `Bytes, ${name}`]));
  counts.node.style.setProperty("--abh-characters", String(WIDTH));
  view.drawing.append(counts.node, row.node,
    html("p", { class: "abh-note" }, `Keys and values have width ${width}.`));
  view.watch(["layers", "heads", "n", "precision", "code"], () => {
    const [layers, heads, n, code] = ["layers", "heads", "n", "code"].map((trait) => model.get(trait));
    const numbersOfWord = [heads, Math.ceil(heads / shared), 1].map((count) => 2 * width * count);
    const all = [...numbersOfWord, ...isCode ? [code] : []].map((count) => layers * n * sizes[model.get("precision")] * count);
    all.forEach((bytes, i) => counts.update(`bytes-${kinds[i][0]}`, bytes, grouped(bytes)));
    row.update(all.map((bytes) => bytes / Math.max(...all)));
    const [own, , , coded] = all;
    if (isCode) view.say("code", { code, coded: grouped(coded), share: fixed(coded / own, 3) });
    else view.say(heads === 1 ? "one" : own > memory ? "larger" : "fits", { own: grouped(own), texts: grouped(Math.floor(memory / own)) });
  });
}

export default { render };
