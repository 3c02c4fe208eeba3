// An induction head grows: the attention of every head at each step of a run.

import { arcsBetween } from "../card/arcs.js";
import { card } from "../card/card.js";
import { nearestStop } from "../card/controls.js";
import { held, number, setPoints, setValue } from "../card/drawings.js";
import { button, html, setPressed, setText, svg } from "../card/elements.js";
import { fixed } from "../card/numbers.js";
import { pictureOf } from "../card/picture.js";

/**
 * Return weightsAt(step, sequence, head), which returns a head's weights in rows up to the diagonal.
 *
 * changes: for each weight, the changes of its byte from step to step, modulo 256
 */
function readWeights(changes, [steps, sequences, heads, n]) {
  const triangle = (n * (n + 1)) / 2;
  const perStep = sequences * heads * triangle;
  const stored = new Uint8Array(steps * perStep); // the array type reduces each byte modulo 256
  for (let i = 0; i < perStep; i++) {
    for (let step = 0, byte = 0; step < steps; step++) {
      byte += changes.getUint8(i * steps + step);
      stored[step * perStep + i] = byte;
    }
  }
  return (step, sequence, head) => {
    const begin = step * perStep + (sequence * heads + head) * triangle;
    return Array.from({ length: n }, (_, i) => Array.from({ length: i + 1 }, (__, j) =>
      stored[begin + (i * (i + 1)) / 2 + j] / 255));
  };
}

/** Return for each letter the places that follow an earlier copy of it. */
const afterTheSame = (letters) => letters.map((letter, i) =>
  letters.flatMap((other, j) => (j < i && other === letter ? [j + 1] : [])));

/** Return the mean weight of a head on `places`, over the letters that have such places. */
function weightOn(weights, places) {
  const sums = places.flatMap((list, i) => (list.length ? [list.reduce((sum, j) => sum + weights[i][j], 0)] : []));
  return sums.reduce((sum, weight) => sum + weight, 0) / sums.length;
}

/** Draw the loss and the share of right letters over the slider; `mark` marks the current step. */
function curves(loss, right) {
  const last = loss.length - 1;
  const highest = Math.max(...loss);
  const points = (values) => values.map((value, i) => `${((100 * i) / last).toFixed(3)},${(100 * (1 - value)).toFixed(2)}`).join(" ");
  const stepLine = svg("polyline", { class: "abh-grow-cut" });
  const node = html("div", { class: "abh-grow-curves", role: "img", "aria-label": "The loss falls and the share of right letters rises over the steps" },
    svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("polyline", { class: "abh-grow-loss", points: points(loss.map((value) => value / highest)) }),
      svg("polyline", { class: "abh-grow-right", points: points(right) }), stepLine));
  const mark = (at) => setPoints(stepLine, `${(100 * at) / last},0 ${(100 * at) / last},100`);
  return { node, mark };
}

/**
 * Build the button of a head, with a picture of its weights and a frame around the row of the
 * chosen letter. The head's two numbers (`before`, `after`) are not in the button.
 *
 * press: called when the reader presses the button
 */
function headOf(name, n, press) {
  const picture = pictureOf();
  picture.view(n, n);
  const frame = svg("polygon", { class: "abh-grow-frame" });
  picture.node.append(frame);
  const node = button([html("span", {}, name), html("span", { class: "abh-grow-picture" }, picture.node)], press, { class: "abh-underlined abh-grow-head" });
  const frameRow = (i) => setPoints(frame, `0,${i} ${i + 1},${i} ${i + 1},${i + 1} 0,${i + 1}`);
  return { node, draw: picture.draw, frameRow, before: number(), after: number() };
}

/** Build the letters as buttons, with the arcs of the chosen letter. */
function lettersOf({ put, signal }, n) {
  const arcs = arcsBetween("Letters: which one attends", "", signal);
  const buttons = Array.from({ length: n }, (_, i) =>
    button(" ", () => put("place", i), { class: "abh-grow-letter" }));
  const update = (letters, place, weights) => {
    buttons.forEach((each, i) => setText(each, letters[i]));
    arcs.fill("upper", buttons);
    buttons.forEach((each, i) => {
      setPressed(each, i === place);
      each.classList.toggle("abh-grow-same", letters[i] === letters[place]);
    });
    arcs.draw(weights.map((weight, j) => ({ from: ["upper", place], to: ["upper", j], weight, role: "output" })));
  };
  return { node: arcs.node, update };
}

function render(host) {
  const view = card(host, { lines: [3, 5] });
  const { model, put } = view;
  const { steps, loss, right, sequences, heads: names, named: headIndex, learnt: learntShare } = model.get("training");
  const n = sequences[0].length;
  const weightsAt = readWeights(model.get("weight_changes"), [steps.length, sequences.length, names.length, n]);
  const plot = curves(loss, right);
  view.control("step")?.querySelector(".abh-track")?.prepend(plot.node);
  const shown = { loss: number({ "data-name": "loss" }), right: number({ "data-name": "right" }) };
  const heads = names.map((name, i) => headOf(name, n, () => put("head", i)));
  const meanWeights = (key, text) => html("div", { class: `abh-grow-scores abh-grow-${key}` }, html("p", {}, text),
    html("div", { "data-name": key }, ...heads.map((head) => held(head[key]))));
  const letters = lettersOf(view, n);
  view.drawing.append(
    html("p", { class: "abh-acts abh-grow-numbers" }, html("span", { class: "abh-grow-loss" }, "loss"), held(shown.loss),
      html("span", { class: "abh-grow-right" }, "share right"), held(shown.right)),
    html("div", { class: "abh-grow-heads" }, ...heads.map(({ node }) => node)),
    meanWeights("before", "weight on the letter before"), meanWeights("after", "weight on letters that followed an earlier copy of the attending letter"),
    letters.node);

  view.watch(["step", "sequence", "head", "place"], () => {
    const step = model.get("step");
    const at = nearestStop(steps, step);
    const [sequence, head, place] = ["sequence", "head", "place"].map((trait) => model.get(trait));
    const row = [...sequences[sequence]];
    const weights = heads.map((_, i) => weightsAt(at, sequence, i));
    const places = { before: row.map((_, i) => (i ? [i - 1] : [])), after: afterTheSame(row) };
    const means = Object.fromEntries(Object.entries(places).map(([key, list]) => [key, weights.map((each) => weightOn(each, list))]));
    plot.mark(at);
    setValue(shown.loss, loss[at], fixed(loss[at], 2));
    setValue(shown.right, right[at], fixed(right[at], 2));
    heads.forEach((each, i) => {
      each.draw(weights[i]);
      each.frameRow(place);
      setPressed(each.node, i === head);
      for (const key of ["before", "after"]) setValue(each[key], means[key][i], fixed(means[key][i], 2));
    });
    letters.update(row, place, weights[head][place]);
    const [previous, induction] = [means.before[headIndex.previous], means.after[headIndex.induction]];
    const near = steps[at] === step ? "" : ` (the stored step nearest to ${step})`;
    view.say(right[at] < learntShare ? "grows" : "grown", { at: steps[at], near, right: right[at], previous, induction, looks_back: names[headIndex.previous], goes_on: names[headIndex.induction] });
  });
}

export default { render };
