// Buttons that go through a translation word by word.

import { button, html } from "../card/elements.js";

/**
 * Build the buttons that step through a translation.
 *
 * now(): returns [number of words read, number of words written in all]
 * Returns { node, update() }.
 */
export function stepper({ put }, now) {
  /** Set the trait `step`; 0 stands for the whole translation. */
  const to = (step) => put("step", step >= now()[1] ? 0 : step);
  const back = button("Back", () => now()[0] > 1 && to(now()[0] - 1));
  const next = button("Next word", () => now()[0] < now()[1] && to(now()[0] + 1));
  const update = () => {
    const [seen, all] = now();
    back.ariaDisabled = String(seen === 1);
    next.ariaDisabled = String(seen === all);
  };
  return { node: html("div", { class: "abh-tr-steps" }, back, next), update };
}
