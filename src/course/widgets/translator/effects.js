// The share of held-out sentences whose translation is right when some parts are off (a cut). It is
// stored for single parts and pairs of heads. For other cuts a worker computes it on fewer sentences.

import { number, setShare, setValue } from "../card/drawings.js";
import { html, setText } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { CODE } from "./forward.js";

const QUIET = 250; // milliseconds without a change before the worker starts

const WORK = `onmessage = ({ data: { model, off, means, sample, words } }) => {
  const part = cut(model, off, means);
  postMessage(sample.map(({ source, french }) => {
    const { target, last } = translate(part, source, words);
    return last === words.end && target.length === french.length + 1 && french.every((word, i) => word === target[i + 1]);
  }));
};`;

/** Return the index of a cut in the stored list, or -1 if the cut is not stored. */
function storedIndex(off, switches, heads) {
  const places = off.map((name) => switches.indexOf(name)).sort((a, b) => a - b);
  if (places.length < 2) return places.length ? 1 + places[0] : 0;
  const [i, j] = places;
  if (places.length > 2 || j >= heads) return -1;
  return 1 + switches.length + (i * (2 * heads - i - 1)) / 2 + (j - i - 1);
}

/**
 * Build a bar for each kind of sentence: the share that is right to the last word.
 *
 * whole: the machine with all parts on; means: the mean contribution of each head
 * Returns { node, update() }. The card calls `update` after it has drawn the sentence.
 */
export function effects({ model, signal }, whole, means, words) {
  const { kinds, counts, right, sample, heads } = model.get("effects");
  const title = html("p", { class: "abh-caption" }, "\u00a0");
  const lines = [...kinds, "all kinds"].map((kind) => {
    const [bar, share] = [html("span", { class: "abh-tr-bar", "aria-hidden": "true" }), number({ style: "--abh-characters: 5" })];
    const node = html("div", { role: "row" }, html("span", { role: "rowheader" }, kind), html("span", { class: "abh-tr-room", role: "cell" }, bar), html("span", { role: "cell" }, share));
    return { node, bar, share };
  });
  const node = html("div", { class: "abh-tr-effects" }, title, html("div", { role: "table", "aria-label": "Right to the last word" }, ...lines.map((line) => line.node)));
  const blank = (share, text) => {
    share.removeAttribute("data-value");
    share.abhValue = undefined;
    setText(share, text);
  };
  const sumOf = (numbers) => numbers.reduce((sum, n) => sum + n, 0);
  const show = (rightByKind, allByKind) => lines.forEach(({ bar, share }, k) => {
    const [some, all] = [rightByKind, allByKind].map((each) => (k < kinds.length ? each[k] : sumOf(each)));
    setShare(bar, all ? some / all : 0);
    if (all) return setValue(share, some / all, fixed(some / all, 3));
    return blank(share, "\u2013");
  });
  const wait = () => lines.forEach(({ bar, share }) => {
    setShare(bar, 0);
    blank(share, "…");
  });
  const byKind = (flags) => kinds.map((_, k) => sample.filter((each, i) => each.kind === k && flags[i]).length);
  let timer = 0;
  /** @type {Worker | null} */
  let worker = null;
  const cancel = () => {
    clearTimeout(timer);
    worker?.terminate();
    worker = null;
  };
  signal.addEventListener("abort", cancel);
  const compute = (off, given) => {
    const address = URL.createObjectURL(new Blob([CODE, WORK], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      const allByKind = byKind(sample.map(() => true));
      show(byKind(data), allByKind);
      const missing = allByKind.includes(0) ? " (\u2013: none of this kind)" : "";
      setText(title, `Share right to the last word, of ${sample.length} held-out sentences${missing}`);
      cancel();
    };
    URL.revokeObjectURL(address);
    const { start, end, longest } = words;
    worker.postMessage({ model: whole, off, means: given, sample, words: { start, end, longest } });
  };
  let last = "";
  const update = () => {
    const [off, instead] = [model.get("off"), model.get("instead")];
    const key = JSON.stringify([off, off.length && instead]);
    if (key === last) return;
    last = key;
    cancel();
    const place = off.length && instead ? -1 : storedIndex(off, words.switches, heads);
    if (place >= 0) {
      setText(title, `Share right to the last word, of ${sumOf(counts).toLocaleString("en-US")} held-out sentences`);
      return void show(right[place], counts);
    }
    setText(title, `Counting on ${sample.length} held-out sentences …`);
    wait();
    timer = setTimeout(() => compute(off, instead ? means : null), QUIET);
  };
  return { node, update };
}
