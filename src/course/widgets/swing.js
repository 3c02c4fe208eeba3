// Hungry or cold: one word changes, and *il* becomes *elle*.

import { card } from "./card/card.js";
import { arcsBetween } from "./card/arcs.js";
import { bars } from "./card/drawings.js";
import { html, setPressed, setText, svg } from "./card/elements.js";
import { fixed } from "./card/numbers.js";

const [DOG_X, FOOD_X, HEIGHT, THICKEST] = [8, 56, 22, 7]; // of a small picture, in pixels

/**
 * Every head as a small picture: an arc to *dog* and one to *food*, as thick as what it gives
 * them. Those without which the pronoun would be another one are marked.
 *
 * names: of the heads, by part of the machine; choose(head): called with the one that is pressed
 * Returns { node, update(looks, turns, chosen) }.
 */
function allHeads(names, [dog, food], choose) {
  const middle = (DOG_X + FOOD_X) / 2;
  const heads = names.map(([part, name], head) => {
    const arcs = [DOG_X, FOOD_X].map((x) => svg("path", { d: `M${middle} ${HEIGHT}Q${middle} 8 ${x} 1`, fill: "none" }));
    const node = html("button", { type: "button", class: "abh-swing-head abh-pressable" },
      svg("svg", { viewBox: `0 0 ${middle * 2} ${HEIGHT}`, "aria-hidden": "true" }, ...arcs));
    node.addEventListener("click", () => choose(head));
    return { node, arcs, called: `${part}, ${name}` };
  });
  const parts = [...new Set(names.map(([part]) => part))];
  const node = html("div", { class: "abh-swing-heads", role: "group", "aria-label": "All heads: arcs to dog, left, and to food, right" },
    ...parts.flatMap((part) => [html("span", {}, part), html("div", {}, ...heads.filter((_, i) => names[i][0] === part).map((head) => head.node))]));
  const update = (looks, turns, chosen) => heads.forEach(({ node: button, arcs, called }, head) => {
    const shares = [looks[head][dog], looks[head][food]];
    arcs.forEach((arc, i) => arc.setAttribute("stroke-width", (THICKEST * shares[i]).toFixed(2)));
    button.classList.toggle("abh-swing-turns", turns[head]);
    setPressed(button, head === chosen);
    button.ariaLabel = `${called}: dog ${fixed(shares[0], 2)}, food ${fixed(shares[1], 2)}${turns[head] ? "; without it the pronoun turns" : ""}`;
  });
  return { node, update };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model, put } = view;
  const [english, endings, pronouns, heads, measured] = ["english", "endings", "pronouns", "heads", "measured"].map((name) => model.get(name));
  const { french, looks, whole, without, places } = measured;
  const button = html("button", { type: "button", class: "abh-button abh-swing" }, " ");
  button.addEventListener("click", () => put("ending", 1 - model.get("ending")));
  const arcs = arcsBetween("English words", "French words", view.signal);
  const bar = (key, name) => bars({ key, name, labels: pronouns });
  const both = [bar("whole", "With all heads"), bar("without", "Without this head")];
  const every = allHeads(heads, places, (head) => put("head", head));
  const caption = html("p", { class: "abh-caption" }, "Heads that read English: from “it”, or from its pronoun, to dog (left) and food (right)");
  const note = html("p", { class: "abh-note" }, "Press one to draw it large, and to switch it off. Dashed: without it alone the pronoun turns.");
  view.drawing.append(html("div", { class: "abh-swing-act" }, button), arcs.node, view.control("head"),
    caption, note, every.node, html("div", { class: "abh-swing-bars" }, ...both.map(({ node }) => node)));

  const it = english.indexOf("it");
  const marked = Object.fromEntries([english.length, it, ...places].map((i) => [i, "query"]));
  const pronounAt = (ending) => french[ending].findIndex((word) => pronouns.includes(word));
  const words = (ending) => {
    arcs.write("upper", [...english, endings[ending]], marked);
    arcs.write("lower", french[ending], { [pronounAt(ending)]: "output" });
  };
  view.watch(["ending", "head"], () => {
    const [ending, head] = [model.get("ending"), model.get("head")];
    const readsIt = heads[head][0].startsWith("encoder");
    setText(button, `Make it ${endings[1 - ending]}`);
    words(ending);
    const from = readsIt ? ["upper", it] : ["lower", pronounAt(ending)];
    arcs.draw(looks[ending][head].map((weight, i) => ({ from, to: ["upper", i], weight, role: "output" })));
    const best = whole[ending].indexOf(Math.max(...whole[ending]));
    const rightOf = (shares) => shares[best] / (shares[0] + shares[1]);
    every.update(looks[ending], without[ending].map((shares) => rightOf(shares) <= 0.5), head);
    both.forEach(({ update }, i) => update([whole[ending], without[ending][head]][i]));
    const right = rightOf(without[ending][head]);
    const [dog, food] = places.map((i) => looks[ending][head][i]);
    view.say(right > 0.5 ? "stays" : "turns", { dog, food, pronoun: pronouns[best], other: pronouns[1 - best], right });
  });
}

export default { render };
