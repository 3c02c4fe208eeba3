// Who is *it*? The reader builds a sentence with select boxes and sees the attention of *it*.

import { arcsBetween } from "../card/arcs.js";
import { card } from "../card/card.js";
import { checkbox } from "../card/controls.js";
import { barCorners, held, number, setPoints, setValue } from "../card/drawings.js";
import { button, html, setAttribute, setPressed, setText, svg } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { switchesOf } from "../card/switches.js";
import { attentionAt, headsOf, readStack } from "./machine.js";
import { turnButton } from "./turn.js";

/** Build the sentence, with a list at each place that has a choice. */
function composer({ model, watch, control }, { frame, slots, held_out: heldOut }) {
  const traits = Object.keys(slots);
  const traitAt = frame.map((_, i) => traits.find((trait) => slots[trait] === i));
  const words = () => frame.map((options, i) => options[traitAt[i] ? model.get(traitAt[i]) : 0]);
  const list = (trait) => {
    const row = control(trait);
    row.querySelector("label").classList.add("abh-unseen"); // the place in the sentence replaces the label
    return row;
  };
  const parts = frame.map(([word], i) => (traitAt[i] ? list(traitAt[i]) : html("span", {}, word)));
  const reason = frame.findLastIndex((_, i) => traitAt[i - 1] && !traitAt[i]); // the parts from here stay on one line
  const line = html("div", { class: "abh-acts abh-who-line", role: "group", "aria-label": "The sentence" },
    ...parts.slice(0, reason), html("div", { class: "abh-who-reason" }, ...parts.slice(reason)));
  const status = html("p", { class: "abh-note abh-who-status", role: "status" }, "\u00a0");
  watch(traits, () => {
    const unseen = heldOut.filter((noun) => words().includes(noun));
    setText(status, unseen.length ? `No sentence with ${unseen.join(" or ")} was trained.` : "\u00a0");
  });
  const node = html("div", { class: "abh-who-composer" }, line, status);
  return { node, words };
}

/** Build the buttons that move the attention: another last word, and swapped nouns. */
function turns(view, endings) {
  const { model, set } = view;
  const last = turnButton(view, "last", endings);
  const swap = button("Swap the nouns", () => set({ first: model.get("second"), second: model.get("first") }));
  return { node: html("div", { class: "abh-acts abh-who-turns" }, last.node, swap), update: last.update };
}

const SIDES = ["left", "right"];

/**
 * Build a table of the weights of *it* on both nouns, as numbers and as bars to both sides. The
 * table has a line for each head, for the mean and for the answer. Buttons draw a line's arcs, and
 * checkboxes switch heads off.
 */
function weightTable({ put }, config, switches) {
  const sides = SIDES.map(() => svg("polygon", {}));
  const names = headsOf(config);
  const pair = () => [number(), number()];
  const pressed = (label, i) => button(label, () => put("head", i), { class: "abh-underlined abh-who-name" });
  const row = (props, first, numbers) => html("div", { role: "row", ...props },
    html("span", { role: "rowheader" }, ...first), ...numbers.map((shown, side) => held(shown, { role: "cell", class: `abh-who-${SIDES[side]}` })));
  const heads = names.map((name, i) => {
    const label = `layer ${Math.floor(i / config.num_heads) + 1}, head ${(i % config.num_heads) + 1}`;
    const box = checkbox([html("span", { class: "abh-unseen" }, `${label} is on`)], () => switches.toggle([name]));
    const [press, numbers] = [pressed(label, i), pair()];
    return { press, input: box.input, numbers, node: row({}, [box.node, press], numbers) };
  });
  const mean = { press: pressed(`layer ${config.num_layers}, mean`, names.length), numbers: pair() };
  const answer = { numbers: pair() };
  const all = [...heads, mean, answer];
  const nouns = SIDES.map(() => html("span", { class: "abh-boxed" }, " "));
  const on = button("All on", switches.allOn);
  const drawn = svg("svg", { viewBox: `-1 0 2 ${all.length}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...sides,
    svg("line", { x1: 0, x2: 0, y1: 0, y2: all.length }));
  const node = html("div", { class: "abh-who-lines", role: "table", "aria-label": "What “it” gives to each noun" },
    html("div", { role: "row", class: "abh-who-head" }, html("span", { role: "columnheader" }, "“it” gives to ", on),
      ...nouns.map((noun, side) => held(noun, { role: "columnheader", class: `abh-who-${SIDES[side]}` }))),
    html("div", { class: "abh-who-body", role: "rowgroup" },
      html("div", { role: "presentation", "data-name": "heads" }, ...heads.map((head) => head.node)),
      row({ "data-name": "mean" }, [mean.press], mean.numbers),
      row({ "data-name": "answer" }, [html("strong", {}, "the answer")], answer.numbers), drawn));
  const update = (pairs, words, roles, off, chosen) => {
    nouns.forEach((noun, side) => setText(noun, words[side]));
    sides.forEach((polygon, side) => {
      setAttribute(polygon, "fill", `var(--abh-${roles[side]})`);
      setPoints(polygon, barCorners(pairs.map((pair) => (side ? 1 : -1) * pair[side]), 0.22));
    });
    all.forEach(({ numbers }, i) => numbers.forEach((place, side) => setValue(place, pairs[i][side], fixed(pairs[i][side], 2))));
    heads.forEach((head, i) => {
      head.input.checked = !off.includes(names[i]);
      head.node.classList.toggle("abh-who-off", off.includes(names[i]));
    });
    [...heads, mean].forEach(({ press }, i) => setPressed(press, i === chosen));
    setAttribute(on, "aria-disabled", String(!off.length));
  };
  return { node, update };
}

/** Show the sentence that fits the noun, the model's answer and the attention of *it*. */
function showSentence(view, words, nouns, fits, mean, shares, { answer, top }) {
  const right = Number(fits[1] && !fits[0]);
  const [noun, share, weight] = [nouns, shares, mean].map((pair) => pair[right]);
  const [other, rest, against] = [nouns, shares, mean].map((pair) => pair[1 - right]);
  const isRight = weight > against;
  const keys = { [other]: isRight ? "wrong" : "neither", [noun]: isRight ? "both" : "blind" };
  view.say(fits[0] === fits[1] ? "undetermined" : (keys[answer] ?? "astray"), {
    last_word: words.at(-1), one_weight: mean[0], two_weight: mean[1],
    noun, other, weight, against, share, rest, answer, top,
  });
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const vocabulary = model.get("words");
  const { frame, slots, numbers, of_animals: ofAnimals } = vocabulary;
  const places = [slots.first, slots.second];
  const it = frame.findIndex((options) => options.includes("it"));
  const stacks = model.get("models").map((file) => readStack(file));
  const [{ config }] = stacks;
  const heads = headsOf(config);
  const sentence = composer(view, vocabulary);
  const acts = turns(view, frame[slots.last]);
  const arcs = arcsBetween("Words of the sentence", "", view.signal);
  const switches = switchesOf(view, "off", heads);
  const table = weightTable(view, config, switches);
  const trained = html("div", { class: "abh-acts abh-who-trained" }, view.control("loss"), view.control("seed"));
  view.controls.append(sentence.node);
  view.drawing.append(arcs.node, acts.node, trained, table.node);

  view.watch([...Object.keys(slots), "loss", "seed", "head", "off"], () => {
    const words = sentence.words();
    const stack = stacks[(stacks.length / vocabulary.losses.length) * model.get("loss") + model.get("seed")];
    const found = attentionAt(stack, model.get("off"), words.map((word) => numbers[word]), it);
    const nouns = places.map((at) => words[at]);
    const rows = [...found.heads, found.mean];
    const onNouns = rows.map((row) => places.map((at) => row[at]));
    const shares = nouns.map((noun) => found.answer[numbers[noun]]);
    const top = Math.max(...found.answer);
    const answer = Object.keys(numbers).find((word) => found.answer[numbers[word]] === top);
    const fits = nouns.map((noun) => ofAnimals.includes(noun) === ofAnimals.includes(words.at(-1)));
    const roles = fits.map((each) => (each ? "output" : "muted"));
    arcs.write("upper", words, { [it]: "query", [words.length - 1]: "query", [places[0]]: roles[0], [places[1]]: roles[1] });
    arcs.draw(rows[model.get("head")].map((weight, j) => ({ from: ["upper", it], to: ["upper", j], weight, role: "output" })));
    table.update([...onNouns, shares], nouns, roles, model.get("off"), model.get("head"));
    acts.update();
    showSentence(view, words, nouns, fits, onNouns.at(-1), shares, { answer, top });
  });
}

export default { render };
