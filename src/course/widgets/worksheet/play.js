// Arithmetic that plays: a cell term by term, a matrix cell by cell.

import { html, setText, uid } from "../card/elements.js";
import { guardedButton } from "./shape.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const NAMES = {
  cell: { moving: "Play cell", still: "Next term", unit: "term", all: 12_000, least: 250, most: 1000 },
  matrix: { moving: "Play all cells", still: "Next cell", unit: "cell", all: 20_000, least: 80, most: 500 },
};

/**
 * Build the player: a button for each way to play, a slider to scrub, and what is reached.
 *
 * count(mode): the positions of a mode, "cell" or "matrix", after the first, 0
 * show(mode, at): show a position, and give it in words
 * announce(words): say to a screen reader what plays, that it paused, what it has reached
 *
 * Returns { node, press(mode), rest(), playing() }. `press` plays, pauses or plays on;
 * where motion is unwanted it goes on by one. `rest` is for when all is shown as it
 * stands: the slider is at the end of the cell's terms.
 */
export function player({ count, show, announce, signal }) {
  let [mode, at, total, timer, cells] = ["cell", 0, 0, 0, -1];
  const slider = html("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "Position in the play" });
  const output = html("span", { class: "abh-ws-reached", id: uid("abh-ws-reached") }, " ");
  /** @type {[string, ReturnType<typeof guardedButton>][]} */
  const buttons = Object.keys(NAMES).map((name) => [name, guardedButton(" ", " ", () => press(name))]);
  const node = html("div", { class: "abh-ws-play", role: "group", "aria-label": "Play the arithmetic" },
    ...buttons.map(([, { button }]) => button), slider, output);
  const label = () => buttons.forEach(([name, { button }]) => {
    const words = timer && mode === name ? "Pause" : NAMES[name][STILL.matches ? "still" : "moving"];
    const key = name === "cell" ? "P" : "Shift+P";
    if (button.textContent === words) return;
    setText(button, words);
    button.setAttribute("aria-label", words);
    button.title = `${words} (${key})`;
  });
  const place = (words) => {
    if (slider.max !== String(total)) slider.max = String(total);
    if (slider.value !== String(at)) slider.value = String(at);
    slider.setAttribute("aria-valuetext", words);
    setText(output, words);
  };
  const go = (next) => {
    at = next;
    const words = show(mode, at);
    place(`${at} of ${total}${words && `: ${words}`}`);
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    label();
  };
  const run = () => {
    const { all, least, most } = NAMES[mode];
    const wait = Math.min(most, Math.max(least, all / total));
    timer = setInterval(() => {
      go(at + 1);
      if (at < total) return;
      pause();
      announce(`Played: ${output.textContent}.`);
    }, wait);
    label();
    announce(`Playing ${total} ${NAMES[mode].unit}s; the same key pauses.`);
  };
  const take = (wanted) => {
    if (mode === wanted && total) return;
    [mode, total] = [wanted, count(wanted)];
    at = total;
  };
  const press = (asked) => {
    const wanted = count(asked) ? asked : "matrix";
    const pauses = timer && mode === wanted;
    pause();
    if (pauses) announce(`Paused at ${output.textContent}.`);
    if (pauses || !count(wanted)) return;
    take(wanted);
    if (STILL.matches) {
      go(at === total ? 1 : at + 1);
      announce(output.textContent);
    } else {
      if (at === total) go(0);
      run();
    }
  };
  slider.addEventListener("input", () => {
    pause();
    go(slider.valueAsNumber);
  });
  const rest = () => {
    const next = { cell: count("cell"), matrix: count("matrix") };
    if (!timer && mode === "cell" && at === total && next.cell === total && next.matrix === cells) return;
    if (timer) pause();
    [mode, total, cells] = ["cell", next.cell, next.matrix];
    at = total;
    node.classList.toggle("abh-ws-given", !total);
    place(total ? counted(total) : "typed in");
    for (const [name, { guard }] of buttons) guard(next[name] ? "" : "typed in", output.id);
    label();
  };
  signal.addEventListener("abort", () => clearInterval(timer));
  return { node, press, rest, playing: () => timer !== 0 };
}

function counted(total) {
  return `${total} term${total === 1 ? "" : "s"}`;
}
