// Suspects: tests to switch on, and the number of these tests that catch each wrong attention.

import { card } from "./card/card.js";
import { checkbox } from "./card/controls.js";
import { number, setValue } from "./card/drawings.js";
import { html } from "./card/elements.js";
import { fixed } from "./card/numbers.js";

function keyOf(count, left, fewest) {
  if (!count) return "none";
  if (left) return count === 1 ? "one" : "several";
  return count > fewest ? "more" : "fewest";
}

/** Build a checkbox for each test; the trait `on` holds their states. */
function switches({ model, watch, put }, tests) {
  const count = number({ "data-name": "caught" });
  const boxes = tests.map((name, i) => checkbox([name], (checked) => put("on", model.get("on").with(i, checked))));
  watch(["on"], () => model.get("on").forEach((isOn, i) => (boxes[i].input.checked = isOn)));
  const node = html("fieldset", { class: "abh-tests", style: "--abh-characters: 2.2" }, html("legend", { class: "abh-caption" }, "Run the tests"),
    html("p", {}, "Caught: ", count), ...boxes.map((box) => box.node));
  return { node, update: (caught) => setValue(count, caught, fixed(caught, 0)) };
}

/** Build the groups of wrong attentions, each with the number of chosen tests that catch it. */
function wrongAttentions(wrong) {
  const lines = wrong.map(([, name]) => {
    const shown = number();
    return { shown, node: html("li", { class: "abh-apart" }, html("span", { class: "abh-suspect" }, name), shown) };
  });
  const groups = [...Map.groupBy(lines, (_, i) => wrong[i][0])];
  const lists = groups.map(([group, ownLines]) => html("div", {}, html("p", { class: "abh-head" }, group),
    html("ul", {}, ...ownLines.map(({ node }) => node))));
  const node = html("div", { class: "abh-line-up", "data-name": "caught_by", style: "--abh-characters: 2.2" },
    html("p", { class: "abh-caption" }, "Found by how many tests"), ...lists);
  const update = (times) => lines.forEach((line, i) => {
    setValue(line.shown, times[i], fixed(times[i], 0));
    line.node.classList.toggle("abh-caught", times[i] > 0);
  });
  return { node, update };
}

function render(host) {
  const view = card(host, { lines: [2, 3] });
  const { model } = view;
  const [tests, wrong, caught] = ["tests", "wrong", "caught"].map((name) => model.get(name));
  const [chosen, suspects] = [switches(view, tests), wrongAttentions(wrong)];
  view.drawing.append(html("div", { class: "abh-across abh-bench" }, chosen.node, suspects.node));
  view.watch(["on"], () => {
    const on = model.get("on");
    const times = caught.map((row) => row.filter((isCaught, i) => isCaught && on[i]).length);
    suspects.update(times);
    const left = wrong.map(([, name]) => name).filter((_, i) => times[i] === 0);
    const [run, all, fewest] = [on.filter(Boolean).length, wrong.length, model.get("fewest")];
    const facts = { tests: run, all, caught: all - left.length, left: left.length, first: left[0] ?? "none", fewest };
    chosen.update(facts.caught);
    view.say(keyOf(run, left.length, fewest), facts);
  });
}

export default { render };
