// Draws how one number of a stage is computed: as a sum, a division or a softmax.

import { decimalsOf, toTenth, written } from "./pen.js";
import {
  colourAt, colourOf, hasWordColumns, headColour, matrixOf, STAGES,
} from "./stages.js";
import { divisorOf, shiftOf, sizesOf } from "./arithmetic.js";

/** Return the value of the chosen cell and the products that add up to it. */
export function termsOf({ state, results, chosen }) {
  const { stage, head, cell } = chosen;
  const { left, above, result } = STAGES[stage];
  const [i, j] = cell;
  const value = matrixOf(state, results, result, head)[i][j];
  if (!above) return { value, terms: [] };
  const [A, B] = [left, above].map((matrix) => matrixOf(state, results, matrix, head));
  const order = left === "weights" ? state.order : [...A[i].keys()];
  const terms = order.map((k) => {
    const b = above === "key" ? B[j][k] : B[k][j];
    return { k, a: A[i][k], b, product: A[i][k] * b,
      word: left === "weights" ? state.tokens[k] : "" };
  });
  return { value, terms };
}

/** Highlight the row and the column from which the cell is computed. */
function highlightOperands(frame, p) {
  const { pen, chosen, layers, results } = frame;
  const { left, above, result } = STAGES[chosen.stage];
  const [i, j] = chosen.cell;
  const grown = pen.ease(`beam ${chosen.stage}.${i}.${j}`, { v: 1 }, { v: 0 }).v;
  const across = hasWordColumns(result) ? results.places[j] : j;
  const [x, y] = [p.Cx + across * p.cw, p.Cy + results.places[i] * p.ch];
  const beam = (key, box, colour) =>
    pen.rect(layers.beams, key, box, { rx: 7, opacity: grown.toFixed(2),
      style: `fill:color-mix(in oklab,${colour} 13%,var(--abh-paper))`,
      "pointer-events": "none" });
  const from = chosen.stage === "logits" ? p.Ax + results.places[j] * p.cw : p.Ax;
  beam("beam left",
    { x: from - 2, y: y - 2, w: (x + p.cw - from) * grown + 4, h: p.ch + 4 },
    left === "concat" ? "var(--abh-muted)" : colourOf(left, chosen.head));
  if (above)
    beam("beam above",
      { x: x - 2, y: p.By - 2, w: p.cw + 4, h: (y + p.ch - p.By) * grown + 4 },
      colourOf(above, chosen.head));
}

/** Draw a number of the sum in a coloured box. */
function chip(frame, key, box, text, colour, isResult) {
  const { pen, layers } = frame;
  const at = pen.ease(`sum ${key}`, box, { ...box, y: box.y - 70 });
  const mix = `color-mix(in oklab,${colour} 17%,var(--abh-paper))`;
  pen.rect(layers.sum, `chip ${key}`, at, { rx: 6, "stroke-width": isResult ? 2 : 1.25,
    style: `fill:${mix};stroke:${isResult ? "var(--abh-ink)" : colour}` });
  const size = Math.min(19, (at.w - 6) / (text.length * 0.63));
  pen.text(layers.sum, `chip text ${key}`, at.x + at.w / 2,
    at.y + at.h / 2 + size * 0.35, text,
    { size, at: "middle", bold: isResult, "data-plain": 1 });
}

/** Write a muted text between or below the numbers of the sum. */
const note = (frame, key, x, y, text, more = {}) =>
  frame.pen.text(frame.layers.sum, key, x, y, text, { size: 14, at: "middle",
    colour: "var(--abh-muted)", "data-plain": 1, ...more });

const sign = (frame, key, x, y, text) =>
  note(frame, `sign ${key}`, x, y, text, { size: 18 });

function bar(frame, key, x, y, value, scale, colour) {
  const length = Math.abs(value) * scale;
  if (length < 0.5) return;
  const style =
    value < 0 ? `fill:none;stroke:${colour};stroke-dasharray:3 2` : `fill:${colour}`;
  frame.pen.rect(frame.layers.sum, `bar ${key}`, { x, y, w: length, h: 6 },
    { rx: 2, style, opacity: 0.75 });
}

function sumOfProducts(frame, p, y) {
  const { chosen, plan, state, decimals, pen } = frame;
  const { left, above, result } = STAGES[chosen.stage];
  const { value, terms } = termsOf(frame);
  const [i, j] = chosen.cell;
  const colours = (k) => [colourAt(state, left, chosen.head, [i, k]),
    colourAt(state, above, chosen.head, [k, j])];
  const digits = (list) => decimalsOf([list], decimals);
  const [leftDigits, aboveDigits, productDigits, resultDigits] = [terms.map(({ a }) => a),
    terms.map(({ b }) => b), terms.map((t) => t.product), [value]].map(digits);
  const room = (p.view - 96) / terms.length;
  const [wide, tall] = p.phone ? [58, 30]
    : [room < 156 ? 64 : Math.min(70, (room - 62) / 2), 38];
  const pitch = wide * 2 + 62;
  const perLine = p.phone ? 1 : Math.max(1, Math.floor((p.view - 88) / pitch + 0.001));
  const rowTall = p.phone ? 36 : tall + 42;
  const lines = Math.ceil(terms.length / perLine);
  const lastCount = terms.length - (lines - 1) * perLine;
  const shownWidth = Math.min(terms.length, perLine) * pitch + (lines === 1 ? 90 : 0);
  const x0 = p.phone ? 70 : Math.max(8, (p.view - shownWidth) / 2);
  const scale =
    80 / Math.max(0.01, Math.abs(value), ...terms.map((t) => Math.abs(t.product)));
  const colour = colourOf(result, chosen.head, plan.oneHead);
  terms.forEach(({ k, a, b, product, word }, q) => {
    const [x, top] = [x0 + (q % perLine) * pitch,
      y + Math.floor(q / perLine) * rowTall];
    const [leftColour, aboveColour] = colours(k);
    chip(frame, `a${q}`, { x, y: top, w: wide, h: tall }, written(a, leftDigits), leftColour);
    sign(frame, `x${q}`, x + wide + 12, top + tall / 2 + 6, "×");
    chip(frame, `b${q}`, { x: x + wide + 24, y: top, w: wide, h: tall },
      written(b, aboveDigits), aboveColour);
    if (p.phone) {
      sign(frame, `e${q}`, x + 2 * wide + 38, top + tall / 2 + 6, q ? "+" : "");
      const base = top + tall / 2 + 5;
      const end = { at: "end" };
      note(frame, `p${q}`, x + 2 * wide + 112, base, written(product, productDigits), end);
      if (word) note(frame, `w${q}`, x - 10, base, word, end);
      return;
    }
    sign(frame, `e${q}`, x + pitch - 19, top + tall / 2 + 6,
      q < terms.length - 1 ? "+" : "=");
    const middle = x + wide + 12;
    bar(frame, q, middle - (Math.abs(product) * scale) / 2, top + tall + 9, product,
      scale, colour);
    const label = (word ? `${word}: ` : "") + written(product, productDigits);
    note(frame, `p${q}`, middle, top + tall + 33, label);
  });
  const end = p.phone ? { x: x0 + 2 * wide + 40, y: y + terms.length * rowTall + 8 }
    : { x: x0 + lastCount * pitch, y: y + (lines - 1) * rowTall - 2 };
  if (p.phone) {
    const top = toTenth(end.y - 5);
    pen.line(frame.layers.sum, "rule", `M${x0} ${top}H${x0 + 2 * wide + 118}`,
      "var(--abh-muted)", 1, 1);
  }
  chip(frame, "result", { ...end, w: p.phone ? 74 : 82, h: tall + 4 },
    written(value, resultDigits), colour, true);
  if (!p.phone) joinedBars(frame, end, terms, value, scale, tall, colour);
  const foot = p.phone ? 26 : 48;
  if (result === "head" && state.off.includes(chosen.head))
    note(frame, "off", end.x + 41, end.y + tall + foot - 8, "head off: 0");
  return end.y + tall + foot;
}

/** Draw the bars of the products end to end, below the result. */
function joinedBars(frame, end, terms, value, scale, tall, colour) {
  let x = end.x + 41 - (Math.abs(value) * scale) / 2;
  terms.forEach(({ product }, q) => {
    const length = product * scale;
    bar(frame, `joined ${q}`, Math.min(x, x + length),
      end.y + tall + 11 + (product < 0 ? 9 : 0), product, scale, colour);
    x += length;
  });
}

function division(frame, p, y) {
  const { state, results, chosen, decimals } = frame;
  const [i, j] = chosen.cell;
  const { scores, logits } = results.heads[chosen.head];
  const [wide, tall, middle] = [p.phone ? 66 : 84, 38, p.view / 2];
  const hidden = logits[i][j] === -Infinity;
  chip(frame, "score", { x: middle - wide * 1.5 - 34, y, w: wide, h: tall },
    written(scores[i][j], decimals), "var(--abh-muted)");
  sign(frame, "by", middle - wide / 2 - 17, y + 25, "÷");
  chip(frame, "divisor", { x: middle - wide / 2, y, w: wide, h: tall },
    written(divisorOf(state), 3), "var(--abh-muted)");
  sign(frame, "is", middle + wide / 2 + 17, y + 25, hidden ? "→" : "=");
  const text = hidden ? "−∞" : written(logits[i][j], decimals);
  chip(frame, "result", { x: middle + wide / 2 + 34, y, w: wide, h: tall }, text,
    "var(--abh-muted)", true);
  const root = `√d_k = √${sizesOf(state).d_k}`;
  const why = hidden ? "hidden by a mask" : state.beta === 1 ? root
      : `${root}, divided by ${written(state.beta, 2)}`;
  note(frame, "root", middle, y + tall + 24, why, { "data-plain": null });
  return y + tall + 36;
}

function softmaxOf(frame, p, y) {
  const { results, chosen, state, decimals, pen } = frame;
  const [i, j] = chosen.cell;
  const { logits, weights } = results.heads[chosen.head];
  const { order } = state;
  const shift = shiftOf(logits[i]);
  const power = (k) => Math.exp(logits[i][k] - shift);
  const total = order.reduce((sum, k) => sum + power(k), 0);
  const wide = p.phone ? 76 : 88;
  const pitch = wide + (p.phone ? 26 : 34);
  const perLine = Math.max(1, Math.floor((p.view - 20) / pitch));
  const used = Math.min(perLine, order.length) * pitch - (pitch - wide);
  const x0 = (p.view - used) / 2;
  order.forEach((k, q) => {
    const [x, top] = [x0 + (q % perLine) * pitch, y + Math.floor(q / perLine) * 80];
    const exponent = Number.isFinite(logits[i][k])
      ? written(logits[i][k] - shift, Math.min(2, decimals)) : "−∞";
    chip(frame, `e${q}`, { x, y: top, w: wide, h: 36 }, `exp ${exponent}`,
      "var(--abh-muted)", k === j);
    if (q < order.length - 1)
      sign(frame, `p${q}`, x + wide + (pitch - wide) / 2, top + 24, "+");
    note(frame, `v${q}`, x + wide / 2, top + 54, written(power(k), 3),
      { bold: k === j, colour: `var(--abh-${k === j ? "ink" : "muted"})` });
    note(frame, `t${q}`, x + wide / 2, top - 6, state.tokens[k], { size: 12 });
  });
  const top = y + Math.ceil(order.length / perLine) * 80 - 2;
  const middle = p.view / 2;
  const text = `${written(power(j), 3)} / ${written(total, 3)} =`;
  pen.text(frame.layers.sum, "share", middle + 24, top + 25, text, { size: 17,
    at: "end", "data-plain": 1 });
  chip(frame, "result", { x: middle + 36, y: top, w: 84, h: 38 },
    written(weights[i][j], decimals), headColour(chosen.head), true);
  return top + 48;
}

/** Draw the computation of the cell below the stage; return its lower edge. */
export function drawCell(frame, p) {
  const { stage } = frame.chosen;
  const spare = p.phone ? 0 : Math.max(0, Math.min(46, (540 - p.bottom - 150) / 2));
  const y = p.bottom + (p.phone ? 34 : 46 + spare);
  if (!STAGES[stage].left) return p.bottom + 34;
  highlightOperands(frame, p);
  if (stage === "logits") return division(frame, p, y);
  if (stage === "weights") return softmaxOf(frame, p, y + 12);
  return sumOfProducts(frame, p, y);
}
