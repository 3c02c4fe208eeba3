// The share of held-out sentences that stay right under a cut. It is stored for single parts
// and pairs of heads. Other cuts were not measured.

import { number, setShare, setValue } from "../card/drawings.js";
import { html, setHidden, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";

const NOT_MEASURED = "This combination was not measured. Single parts were, and pairs of heads that add nothing.";

/** Return the index of a cut in the stored list, or -1 if the cut is not stored. */
function stored(off, switches, heads) {
  const places = off.map((name) => switches.indexOf(name)).sort((a, b) => a - b);
  if (places.length < 2) return places.length ? 1 + places[0] : 0;
  const [i, j] = places;
  if (places.length > 2 || j >= heads) return -1;
  return 1 + switches.length + (i * (2 * heads - i - 1)) / 2 + (j - i - 1);
}

/**
 * Build a bar for each kind of sentence: the share that is right to the last word.
 *
 * Returns { node, update() }. The card calls `update` after it has drawn the sentence.
 */
export function effects({ model }, words) {
  const { kinds, counts, right, heads } = model.get("effects");
  const sum = (list) => list.reduce((total, n) => total + n, 0);
  const title = html("p", { class: "abh-caption" }, "\u00a0");
  const lines = [...kinds, "all kinds"].map((kind) => {
    const [bar, share] = [html("span", { class: "abh-tr-bar", "aria-hidden": "true" }), number({ style: "--abh-characters: 5" })];
    const node = html("div", { role: "row" }, html("span", { role: "rowheader" }, kind), html("span", { class: "abh-tr-room", role: "cell" }, bar), html("span", { role: "cell" }, share));
    return { node, bar, share };
  });
  const table = html("div", { role: "table", "aria-label": "Right to the last word" }, ...lines.map((line) => line.node));
  const node = html("div", { class: "abh-tr-effects" }, title, table);
  const update = () => {
    const off = model.get("off");
    const place = off.length && model.get("instead") ? -1 : stored(off, words.switches, heads);
    setHidden(table, place < 0);
    if (place < 0) return void setText(title, NOT_MEASURED);
    setText(title, `Share right to the last word, of ${sum(counts).toLocaleString("en-US")} held-out sentences`);
    const [found, asked] = [right[place], counts].map((list) => [...list, sum(list)]);
    lines.forEach(({ bar, share }, k) => {
      setShare(bar, found[k] / asked[k]);
      setValue(share, found[k] / asked[k], fixed(found[k] / asked[k], 3));
    });
  };
  return { node, update };
}
