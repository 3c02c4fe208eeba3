// Hungry or cold: one word changes, and *il* becomes *elle*.

import { card } from "./card/card.js";
import { arcsBetween } from "./card/arcs.js";
import { bars } from "./card/drawings.js";
import { button, html, setPressed, setText, svg } from "./card/elements.js";
import { fixed } from "./card/numbers.js";
import { largest } from "./translator/forward.js";

const [STEP, HEIGHT, THICKEST] = [8, 22, 7]; // pixels in a small picture: distance of two words, height, width of an arc of weight 1

/**
 * Build a small picture of each head: an arc to each word, as wide as its weight is large, and
 * below the arcs the word with most weight. A dashed border: without this head the pronoun changes.
 *
 * names: [part, name] of each head; count: the number of words; nouns: the places of dog and
 * food, whose arcs are coloured; choose(head): called with the head whose picture is pressed
 * Returns { node, update(attention, words, turns, chosen) }; turns: for each head whether the
 * pronoun changes without this head.
 */
function allHeads(names, count, nouns, choose) {
  const middle = (STEP * count) / 2;
  const heads = names.map(([part, name], head) => {
    const arcs = Array.from({ length: count }, (_, j) =>
      svg("path", { d: `M${middle} ${HEIGHT}Q${middle} 8 ${STEP * (j + 0.5)} 1`, fill: "none", stroke: nouns.includes(j) && "var(--abh-output)" }));
    const most = html("span", { class: "abh-boxed" }, " ");
    const picture = svg("svg", { viewBox: `0 0 ${2 * middle} ${HEIGHT}`, "aria-hidden": "true" }, ...arcs);
    const node = button([picture, most], () => choose(head), { class: "abh-swing-head abh-pressable" });
    return { node, arcs, most, called: `${part}, ${name}` };
  });
  const parts = [...Map.groupBy(heads, (_, i) => names[i][0])];
  const node = html("div", { class: "abh-swing-heads", role: "group", "aria-label": "All heads that read English" },
    ...parts.flatMap(([part, own]) => [html("span", { class: "abh-note" }, part), html("div", {}, ...own.map((head) => head.node))]));
  const update = (attention, words, turns, chosen) => heads.forEach(({ node: picture, arcs, most, called }, head) => {
    const shares = attention[head];
    const texts = nouns.map((j) => `${words[j]} ${fixed(shares[j], 2)}`);
    const top = largest(shares, 1)[0];
    arcs.forEach((arc, j) => arc.setAttribute("stroke-width", (THICKEST * shares[j]).toFixed(2)));
    setText(most, words[top]);
    picture.classList.toggle("abh-swing-turns", turns[head]);
    setPressed(picture, head === chosen);
    picture.ariaLabel = `${words[top]} gets most in ${called}: ${texts.join(", ")}${turns[head] ? "; without this head the pronoun changes" : ""}`;
  });
  return { node, update };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model, put } = view;
  const [english, endings, pronouns, heads, measured] = ["english", "endings", "pronouns", "heads", "measured"].map((name) => model.get(name));
  const { french, attention, whole, without, places } = measured;
  const turn = button(" ", () => put("ending", 1 - model.get("ending")), { class: "abh-button abh-swing" });
  const arcs = arcsBetween("English words", "French words", view.signal);
  const bar = (key, name) => bars({ key, name, labels: pronouns });
  const both = [bar("whole", "With all heads"), bar("without", "Without this head")];
  const headPictures = allHeads(heads, english.length + 1, places, (head) => put("head", head));
  const caption = html("p", { class: "abh-caption" }, "Encoder heads: where “it” attends. Cross-attention heads: where the word before the pronoun attends");
  const dashed = html("span", { class: "abh-boxed abh-swing-dashed" }, " ");
  const note = html("p", { class: "abh-note" }, "One arc for each word, in the order of the sentence. The arcs to dog and food have colours. The word under each picture gets the most weight. Press a head to enlarge it and to switch it off.", dashed);
  view.drawing.append(html("div", {}, turn), arcs.node, view.control("head"),
    caption, note, headPictures.node, html("div", { class: "abh-columns abh-swing-bars", style: "--abh-least: 9.125rem" }, ...both.map(({ node }) => node)));

  const it = english.indexOf("it");
  const marked = Object.fromEntries([english.length, it, ...places].map((i) => [i, "query"]));
  view.watch(["ending", "head"], () => {
    const [ending, head] = [model.get("ending"), model.get("head")];
    const readsIt = heads[head][0].startsWith("encoder");
    setText(turn, `End with “${endings[1 - ending]}”`);
    const words = [...english, endings[ending]];
    const pronounAt = french[ending].findIndex((word) => pronouns.includes(word));
    arcs.write("upper", words, marked);
    arcs.write("lower", french[ending], { [pronounAt]: "output" });
    const from = readsIt ? ["upper", it] : ["lower", pronounAt];
    const row = attention[ending][head];
    arcs.draw(row.map((weight, i) => ({ from, to: ["upper", i], weight, role: "output" })));
    const best = whole[ending].indexOf(Math.max(...whole[ending]));
    const rightOf = (shares) => shares[best] / (shares[0] + shares[1]);
    const turns = without[ending].map((shares) => rightOf(shares) <= 0.5);
    const [pronoun, other] = [pronouns[best], pronouns[1 - best]];
    headPictures.update(attention[ending], words, turns, head);
    setText(dashed, turns.includes(true) ? `Dashed: without this head, ${pronoun} becomes ${other}.` : `None is dashed: if only one head is off, ${pronoun} stays.`);
    both[0].update(whole[ending]);
    both[1].update(without[ending][head]);
    const right = rightOf(without[ending][head]);
    const [dog, food] = places.map((i) => row[i]);
    const [top] = largest(row, 1);
    const where = places.includes(top) ? "" : "_elsewhere";
    view.say(`${right > 0.5 ? "stays" : "turns"}${where}`, { dog, food, most: words[top], share: row[top], pronoun, other, right });
  });
}

export default { render };
