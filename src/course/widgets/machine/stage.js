// Draws one stage: operands at the left and above, the result where they cross.

import { decimalsOf, toTenth, written, path } from "./pen.js";
import {
  STAGES, colourAt, colourOf, formulaOf, hasWordColumns, hasWordRows, headColour,
  isInput, matrixOf, symbolOf,
} from "./stages.js";
import { placeOf } from "./frame.js";
import { drawDial } from "./dial.js";
import { drawCell } from "./cell.js";
import { clamp, transposed } from "../card/numbers.js";

/** Return the places of a stage's matrices in pixels; they may need more than `width`. */
function placesOfStage(frame, width, height) {
  const { state, results, chosen } = frame;
  const { stage, head, cell } = chosen;
  const { left, above, result } = STAGES[stage];
  const phone = frame.plan.isPhone;
  const [C, A] = [matrixOf(state, results, result, head),
    left && matrixOf(state, results, left, head)];
  const B = above && operandAbove(frame, above);
  const longest = Math.max(...state.tokens.map(({ length }) => length));
  const labels = Math.min(phone ? 76 : 130, longest * (phone ? 7.4 : 9.2) + 16);
  const gap = A ? (phone ? 12 : 30) : 0;
  const columns = C[0].length + (A ? A[0].length : 0);
  const letters = Math.max(
    ...[C, A, B].map((m) => (m ? lettersOf(m, phone ? 2 : frame.decimals) : 0)));
  const hasNames = hasWordColumns(left ?? "") || hasWordColumns(result); // words above columns
  const [least, most] = phone ? [Math.max(hasNames ? 43 : 32, letters * 6.6 + 4), 52]
    : [Math.max(54, letters * 7.4 + 10), cell ? 84 : 92];
  const cw = clamp((width - labels - gap - 20) / columns, least, most);
  const foot = cell ? (phone ? 0 : 160) : 36;
  const rows = C.length + (B ? B.length : 0);
  const upper = B ? 0 : A ? (phone ? 92 : 116) : 40;
  const map = phone ? 64 : 84; // height kept free for the small map of the machine
  const room = height - foot - upper - gap - 36;
  const ch = clamp(room / rows, phone ? 30 : 27, phone ? 36 : cell ? 46 : 56);
  const topRoom = Math.max(B ? B.length * ch : upper, map);
  const used = labels + columns * cw + gap;
  const x0 = Math.max(0, (width - used) / 2);
  const Ax = x0 + labels;
  const Cx = Ax + (A ? A[0].length * cw + gap : 0);
  const tall = topRoom + gap + C.length * ch + 60;
  const y0 = 28 + (phone || cell ? 0 : clamp((height - tall) / 2 - 20, 0, 70));
  const names = hasWordColumns(left ?? "") || !B ? 14 : 6;
  const Cy = y0 + topRoom + gap + names;
  const By = Cy - gap - (B ? B.length * ch : topRoom) - names;
  return {
    A, B, C, Ax, By, Cx, Cy, cw, ch, letters, topRoom, gap, labels, phone,
    bottom: Cy + C.length * ch, width: Math.max(width, used + 8), view: width,
  };
}

/** Return how many characters to reserve for each number of a matrix. */
function lettersOf(rows, most) {
  const all = rows.flat().filter(Number.isFinite);
  const whole = String(Math.trunc(Math.max(0, ...all.map(Math.abs)))).length;
  return whole + 1 + decimalsOf(rows, most) + Number(all.some((x) => x < 0));
}

function operandAbove({ state, results, chosen }, above) {
  const B = matrixOf(state, results, above, chosen.head);
  return above === "key" ? transposed(B) : B;
}

function matrixAt(frame, matrix, role, x0, y0, p) {
  const { pen, state, results, chosen, plan, scales } = frame;
  const { head, cell } = chosen;
  const rows = matrixOf(state, results, matrix, head);
  const flipped = role === "above" && matrix === "key";
  const most = p.phone ? 2 : frame.decimals;
  const decimals = decimalsOf(rows, most);
  const place = (word) => results.places[word];
  const size = p.phone ? Math.min(12.5, (p.cw - 5) / (p.letters * 0.62))
    : Math.max(12,
        Math.min(cell ? 17 : 19, p.ch * 0.42, (p.cw - 10) / (p.letters * 0.6)));
  rows.forEach((row, r) =>
    row.forEach((value, c) => {
      const down = hasWordRows(matrix) ? place(r) : r;
      const across = hasWordColumns(matrix) ? place(c) : c;
      const [x, y] = flipped ? [x0 + down * p.cw, y0 + c * p.ch]
        : [x0 + across * p.cw, y0 + down * p.ch];
      const isUnder =
        role !== "above" && frame.scrolled && x < frame.scrolled + p.labels;
      const isSeen = isNear(frame, x, y) && !isUnder; // row labels hide the number
      if (!isSeen && !isStop(frame, matrix, r, c, role)) return;
      const to = { x: x + 2, y: y + 2, w: p.cw - 4, h: p.ch - 4,
        a: isInFront(frame, role, flipped, r, c) ? 1 : cell ? 0.4 : 0.62, f: size };
      const from = boxInWholeMachine(frame, matrix, r, c);
      const key = `stage ${matrix}${role}.${r}.${c}`;
      const box = pen.ease(key, to, from);
      const colour = colourAt(state, matrix, head, [r, c], plan.oneHead);
      drawNumber(frame, { key, box, value, matrix, role, r, c, colour, decimals,
        isChosen: role === "result" && r === cell?.[0] && c === cell[1], isUnder,
        most: scales[matrix] });
    }),
  );
}

/** Whether the chosen cell, or else the chosen row, is computed from a number or is the number. */
function isInFront({ chosen: { stage, cell }, row }, role, flipped, r, c) {
  const [i, j] = cell ?? [row, -1];
  if (role === "left") return r === i && (stage !== "logits" || !cell || c === j);
  if (role === "result") return r === i && (!cell || c === j);
  return !cell || (flipped ? r : c) === j;
}

/** Whether a place of a stage is in or near the visible part. */
const isNear = ({ visible }, x, y) => !visible ||
  (Math.abs(x - visible.x) < visible.w && Math.abs(y - visible.y) < visible.h);

function boxInWholeMachine(frame, matrix, r, c) {
  const { chosen, plan } = frame;
  if (matrix === "sum" || plan.lanes[chosen.head].weights.oneRow) return undefined;
  if (!plan.lanes[chosen.head].isOpen && !plan[matrix]) return undefined;
  const box = placeOf(frame, matrix, chosen.head, r, c);
  const s = plan.scale;
  return { x: box.x * s, y: box.y * s, w: box.w * s, h: box.h * s, a: 0.4, f: 4 };
}

function drawNumber(frame, number) {
  const { key, box, value, matrix, role, r, c, colour, decimals, isUnder } = number;
  const { isChosen, most } = number;
  const { pen, state, layers, chosen } = frame;
  const editable = isInput(matrix);
  const layer = layers.numbers;
  const text = Number.isFinite(value) ? written(value, decimals) : "−∞";
  const isFocusable = role === "result" || editable;
  const row = hasWordRows(matrix) ? state.tokens[r] : `row ${r + 1}`;
  const column = hasWordColumns(matrix) ? state.tokens[c] : `column ${c + 1}`;
  const ink = { value: Number.isFinite(value) ? value : 0, most, colour,
    top: matrix === "X" ? 26 : 44 };
  pen.cell(layer, key, box, ink, { opacity: toTenth(box.a * 10) / 10,
    "data-act": editable ? "edit" : "cell", "data-matrix": matrix,
    "data-head": chosen.head, "data-r": r, "data-c": c,
    class: editable ? "abh-ma-edit" : "abh-ma-tap",
    tabindex: isFocusable ? (isStop(frame, matrix, r, c, role) ? 0 : -1) : null,
    role: isFocusable ? "button" : null,
    "aria-label": isFocusable ? `${symbolOf(matrix)}, ${row}, ${column}: ${text}` : null,
    "data-key": isFocusable ? `${matrix}.${r}.${c}` : null });
  pen.text(layer, `${key} text`, box.x + box.w / 2, box.y + box.h / 2 + box.f * 0.35,
    text, { size: box.f, at: "middle", a: isUnder ? 0 : Math.min(1, box.a * 1.5),
      bold: isChosen, "data-plain": 1, "data-name": `${matrix}.${r}.${c}`,
      "data-value": value });
  if (editable) {
    const y = box.y + box.h - 3.5;
    const d = path`M${box.x + 8} ${y}H${box.x + box.w - 8}`;
    pen.line(layer, `${key} rule`, d, colour, 1, box.a * 0.8, {
      "stroke-dasharray": "2 2" });
  }
  if (!isChosen) return;
  pen.rect(layers.marks, "chosen",
    { x: box.x - 1, y: box.y - 1, w: box.w + 2, h: box.h + 2 }, { rx: 6, fill: "none",
      style: "stroke:var(--abh-ink)", "stroke-width": 2, "pointer-events": "none" });
}

/** Whether Tab reaches this number; arrow keys reach the other numbers of its matrix. */
function isStop({ chosen, row }, matrix, r, c, role) {
  const { tabStop } = chosen;
  const at = tabStop?.matrix === matrix ? [tabStop.r, tabStop.c] : null;
  const [i, j] = at ?? (role === "result" ? (chosen.cell ?? [row, 0]) : [0, 0]);
  return r === i && c === j;
}

function namesAt(frame, p, shown) {
  const { pen, state, results, chosen, layers, plan } = frame;
  const { left, above, result } = STAGES[chosen.stage];
  const several = plan.lanes.length > 1;
  const layer = layers.names;
  const [ci, cj] = chosen.cell ?? [frame.row, -1];
  const x0 = left ? p.Ax : p.Cx;
  const x = Math.max(x0, frame.scrolled + p.labels); // labels stay visible
  pen.rect(layer, "behind",
    { x: x - p.labels, y: p.Cy - 2, w: p.labels - 4, h: p.bottom - p.Cy + 4 },
    { style: "fill:var(--abh-surface)", opacity: x > x0 ? 1 : 0 });
  state.tokens.forEach((token, i) => {
    const place = results.places[i];
    const y = p.Cy + place * p.ch + p.ch / 2;
    pen.text(layer, `row${i}`, x - 10, y + 5, token, { size: p.phone ? 13.5 : 18,
      at: "end", bold: i === ci, a: shown, class: "abh-ma-word", "data-plain": 1,
      colour: `var(--abh-${i === ci ? "ink" : "muted"})`, "data-act": "pick",
      "data-row": i });
    const ofColumn = (key, start, top) => {
      const longest = Math.floor(p.cw / (p.phone ? 7.6 : 8.2));
      const text =
        token.length > longest ? `${token.slice(0, longest - 1)}…` : token;
      pen.text(layer, `${key}${i}`, start + place * p.cw + p.cw / 2, top, text, {
        size: p.phone ? 11 : 13.5, at: "middle", a: shown, "data-plain": 1,
        colour: `var(--abh-${chosen.cell && i === cj ? "ink" : "muted"})` });
    };
    if (chosen.stage === "scores") ofColumn("above", p.Cx, p.By - 6);
    if (left && hasWordColumns(left)) ofColumn("left", p.Ax, p.Cy - 6);
    if (["logits", "weights"].includes(chosen.stage)) ofColumn("result", p.Cx, p.Cy - 6);
    if (chosen.stage !== "head") return;
    pen.text(layer, `value${i}`, p.Cx - 8, p.By + place * p.ch + p.ch / 2 + 5, token, {
      size: p.phone ? 12 : 14, at: "end", a: shown, "data-plain": 1,
      colour: "var(--abh-muted)" });
  });
  const size = p.phone ? 14 : 17;
  const under = p.bottom + (p.phone ? 18 : 23);
  const nameStyle = { size, bold: true, a: shown };
  const symbol = (matrix) => symbolOf(matrix, chosen.head, several) +
    (matrix === "key" && chosen.stage === "scores" ? "^T" : "");
  if (left) {
    pen.text(layer, "name left", p.Ax + (p.A[0].length * p.cw) / 2, under, symbol(left),
      { ...nameStyle, at: "middle", colour: colourOf(left, chosen.head, plan.oneHead) });
  }
  pen.text(layer, "name result", p.Cx + (p.C[0].length * p.cw) / 2, under,
    formulaOf(chosen.stage, state), {
    ...nameStyle, at: "middle", colour: colourOf(result, chosen.head, plan.oneHead) });
  if (!above) return;
  const [nx, ny] = above === "value" // word labels stand beside V
    ? [p.Cx + (p.B[0].length * p.cw) / 2, p.By - 7]
    : [p.Cx - (p.phone ? 7 : 14), p.By + (p.B.length * p.ch) / 2 + 6];
  pen.text(layer, "name above", nx, ny, symbol(above), { ...nameStyle,
    at: above === "value" ? "middle" : "end", colour: colourOf(above, chosen.head) });
}

/** Draw the curve e^x with a point for each logit of the chosen row. */
function powers(frame, p, shown) {
  const { pen, results, chosen, layers } = frame;
  const row = results.heads[chosen.head].logits[chosen.cell?.[0] ?? frame.row].filter(
    Number.isFinite);
  if (!row.length) return;
  const [wide, tall] = [p.phone ? 90 : 170, p.topRoom - 26];
  const left = p.Cx + (p.C[0].length * p.cw) / 2 - wide / 2;
  const [base, low, high] = [p.By + tall + 2, Math.min(...row) - 0.35,
    Math.max(...row) + 0.15];
  const x = (v) => toTenth(left + ((v - low) / (high - low)) * wide);
  const y = (v) => toTenth(base - Math.exp(v - high) * tall);
  const points = Array.from({ length: 25 }, (_, k) => low + ((high - low) * k) / 24);
  const colour = headColour(chosen.head);
  const layer = layers.names;
  pen.line(layer, "curve", `M${points.map((v) => `${x(v)} ${y(v)}`).join("L")}`, colour,
    2, shown);
  pen.line(layer, "axis", path`M${left} ${base}H${left + wide}`,
    "var(--abh-line)", 1, shown);
  row.forEach((v, k) => {
    pen.line(layer, `power${k}`, path`M${x(v)} ${base}V${y(v)}`, colour, 1.5,
      shown * 0.7);
    pen.put(layer, `point${k}`, "circle", { cx: x(v), cy: y(v), r: 4,
      style: `fill:${colour}`, opacity: shown.toFixed(2) });
  });
  pen.text(layer, "e", left - 8, base - tall / 2, "e^x", { size: 15, at: "end", colour,
    a: shown });
}

/** Draw the open stage and the chosen cell; return their size, and `free`: the size of the free corner. */
export function drawStage(frame, root, width, height) {
  const { pen, chosen } = frame;
  const { stage, cell } = chosen;
  const layers = {};
  for (const layer of ["beams", "numbers", "marks", "names", "sum"])
    layers[layer] = pen.group(root, `stage ${layer}`,
      { transform: layer === "sum" ? path`translate(${frame.scrolled} 0)` : null });
  frame.layers = layers;
  const p = placesOfStage(frame, width, height);
  const { left, above, result } = STAGES[stage];
  const shown =
    pen.ease(`stage shown ${stage}${chosen.head}`, { v: 1 }, { v: 0 }, 150).v ** 4;
  if (left) matrixAt(frame, left, "left", p.Ax, p.Cy, p);
  if (above) matrixAt(frame, above, "above", p.Cx, p.By, p);
  matrixAt(frame, result, "result", p.Cx, p.Cy, p);
  namesAt(frame, p, shown);
  if (stage === "logits") {
    const r = p.phone ? 24 : 32;
    drawDial(frame, layers.names, "big dial",
      { x: p.Cx + (p.C[0].length * p.cw) / 2, y: p.By + p.topRoom / 2 - 6, r }, shown);
  }
  if (stage === "weights") powers(frame, p, shown);
  const bottom = cell ? drawCell(frame, p) : p.bottom + 34;
  return { width: p.width, height: bottom,
    free: { width: p.Cx - 24 - (above === "value" ? p.labels : 0),
      height: p.Cy - 36 } };
}
