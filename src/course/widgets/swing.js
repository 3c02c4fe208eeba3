// Hungry or cold: one word changes, and *il* becomes *elle*.

import { card } from "./card/card.js";
import { arcsBetween } from "./card/arcs.js";
import { bars } from "./card/drawings.js";
import { html, setText } from "./card/elements.js";

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model, put } = view;
  const [english, endings, pronouns, starts, measured] = ["english", "endings", "pronouns", "starts", "measured"].map((name) => model.get(name));
  const { french, looks, whole, without, places } = measured;
  const button = html("button", { type: "button", class: "abh-button abh-swing" }, " ");
  button.addEventListener("click", () => put("ending", 1 - model.get("ending")));
  const arcs = arcsBetween("English words", "French words", view.signal);
  const bar = (key, name) => bars({ key, name, labels: pronouns });
  const both = [bar("whole", "With all heads"), bar("without", "Without this head")];
  view.drawing.append(html("div", { class: "abh-swing-act" }, button), arcs.node,
    view.control("head"), html("div", { class: "abh-swing-bars" }, ...both.map(({ node }) => node)));

  const wordOf = (text, role = "") => html("span", role ? { style: `color: var(--abh-${role}); font-weight: 600` } : {}, text);
  let drawn = -1;
  const words = (ending) => {
    if (ending === drawn) return;
    drawn = ending;
    const marked = new Set([english.length, english.indexOf("it"), ...places]);
    arcs.fill("upper", [...english, endings[ending]].map((word, i) => wordOf(word, marked.has(i) ? "query" : "")));
    arcs.fill("lower", french[ending].map((word) => wordOf(word, pronouns.includes(word) ? "output" : "")));
  };
  view.watch(["ending", "head"], () => {
    const [ending, head] = [model.get("ending"), model.get("head")];
    setText(button, `Make it ${endings[1 - ending]}`);
    words(ending);
    const from = starts[head] ? ["upper", english.indexOf(starts[head])] : ["lower", french[ending].findIndex((word) => pronouns.includes(word))];
    arcs.draw(looks[ending][head].map((weight, i) => ({ from, to: ["upper", i], weight, role: "output" })));
    const shares = [whole[ending], without[ending][head]];
    both.forEach(({ update }, i) => update(shares[i]));
    const best = shares[0].indexOf(Math.max(...shares[0]));
    const right = shares[1][best] / (shares[1][0] + shares[1][1]);
    const [dog, food] = places.map((i) => looks[ending][head][i]);
    view.say(right > 0.5 ? "stays" : "turns", { dog, food, pronoun: pronouns[best], other: pronouns[1 - best], right });
  });
}

export default { render };
