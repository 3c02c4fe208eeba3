// Buttons that go through a translation word by word or part by part, by hand or automatically.

import { html, setText } from "../card/elements.js";
import { SUBLAYERS, partOf } from "./names.js";

const PAUSE = 1200; // milliseconds between two parts when they play automatically

/** Return one matrix name for each part of the encoder or the decoder, in order. */
function partNames(side, { num_layers, num_heads }) {
  const numbers = (n) => Array.from({ length: n }, (_, i) => i);
  const layer = (index) => SUBLAYERS[side].flatMap((sublayer) => {
    const at = `${side}.${index}.${sublayer}`;
    return sublayer === "feed_forward" ? [`${at}.hidden`]
      : [...numbers(num_heads).map((head) => `${at}.head.${head}.weights`), `${at}.output`];
  });
  return [`${side}.input`, ...numbers(num_layers).flatMap(layer), side === "encoder" ? "encoder.stream" : "decoder.logits"];
}

/**
 * Build the buttons that step through a translation.
 *
 * now(): returns [number of words read, number of words written in all, name of the open matrix]
 * Returns { node, update(level) }: the buttons for parts are visible at the level "cell" only.
 */
export function stepper({ model, signal }, config, now) {
  const button = (text, act) => {
    const node = html("button", { type: "button", class: "abh-button abh-quiet" }, text);
    node.addEventListener("click", act);
    return node;
  };
  const set = (values) => {
    model.set(values);
    model.save_changes();
  };
  const stations = ["encoder", "decoder"].flatMap((side) => partNames(side, config));
  const decoding = stations.indexOf("decoder.input");
  /** Return the trait `step`; 0 stands for the whole translation. */
  const to = (step) => ({ step: step >= now()[1] ? 0 : step });
  /** Open the next part. The encoder's parts come only once, before the first word. */
  const go = () => {
    const [seen, all, matrix] = now();
    const at = stations.findIndex((name) => partOf(name) === partOf(matrix));
    if (at + 1 < stations.length) set({ matrix: stations[at + 1] });
    else if (seen < all) set({ ...to(seen + 1), matrix: stations[decoding] });
    else stop();
  };
  const again = button("From the start", () => {
    stop();
    set({ ...to(1), matrix: stations[0], word: 0 });
  });
  const back = button("Back", () => now()[0] > 1 && set(to(now()[0] - 1)));
  const next = button("Next word", () => now()[0] < now()[1] && set(to(now()[0] + 1)));
  const part = button("Next part", go);
  const play = button("Play", () => (timer ? stop() : start()));
  let timer = 0;
  const start = () => {
    const [seen, all, matrix] = now();
    if (seen === all && partOf(matrix) === partOf(stations.at(-1))) again.click();
    timer = setInterval(go, PAUSE);
    setText(play, "Pause");
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    setText(play, "Play");
  };
  signal.addEventListener("abort", stop);
  const update = (level) => {
    const [seen, all] = now();
    if (level !== "cell") stop();
    for (const each of [again, part, play]) each.hidden = level !== "cell";
    back.ariaDisabled = String(seen === 1);
    next.ariaDisabled = String(seen === all);
  };
  return { node: html("div", { class: "abh-tr-steps" }, again, back, next, part, play), update };
}
