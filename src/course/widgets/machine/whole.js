// Draws the whole machine: matrices as strips of cells, with lines between them.

import { curve, curveOn, hook, middle, toTenth, path } from "./pen.js";
import {
  LIT, STAGE_OF, STAGES, colourAt, colourOf, headColour, isJoined, matrixOf, stagesOf,
  symbolOf,
} from "./stages.js";
import { gateOf, placeOf } from "./frame.js";
import { drawDial } from "./dial.js";
import { shareText } from "./story.js";
import { fixed } from "../card/numbers.js";

const LINES = ["query", "key", "value", "scores", "logits", "weights", "head", "concat",
  "output"];
const CELLS = ["X", ...LINES];
const MOST_DRAWN = 16; // rows or columns of a matrix that are drawn; more would be too fine to see
const GATES = { query: "W_Q", key: "W_K", value: "W_V" };

const mix = (colour, percent) =>
  `color-mix(in srgb,${colour} ${Math.round(percent)}%,var(--abh-paper))`;

/** Return the opacity of a stage: 0 until the story reaches it, low if a chapter dims it. */
function opacityOf(frame, stage, isLine = false) {
  const { chosen, state, pen } = frame;
  const isShown = chosen.step < 0 || stagesOf(state).indexOf(stage) <= chosen.step;
  const lit = LIT[chosen.chapter];
  const isLit = chosen.step >= 0 || !lit ||
    (lit.includes(stage) && !(isLine && stage === "head" && chosen.chapter === 4));
  return pen.eased(`opacity ${stage}${isLine}`, isShown ? (isLit ? 1 : 0.45) : 0, 160);
}

function layersOf(frame, root) {
  const { pen } = frame;
  const far = pen.group(root, "far");
  const near = pen.group(root, "near");
  const layers = { lanes: pen.group(far, "lanes"), hits: pen.group(far, "hits") };
  for (const stage of LINES) {
    const opacity = opacityOf(frame, stage, true).toFixed(3);
    layers[`line ${stage}`] = pen.group(far, `line ${stage}`, { opacity });
    layers[`strong ${stage}`] = pen.group(far, `strong ${stage}`, { opacity });
  }
  for (const stage of CELLS) {
    const opacity = opacityOf(frame, stage);
    const isOff = opacity < 0.05 || frame.zoom > 0.5;
    layers[stage] = pen.group(near, `cell ${stage}`, { opacity: opacity.toFixed(3),
      "pointer-events": isOff ? "none" : null });
  }
  layers.pills = pen.group(near, "pills");
  return layers;
}

const rowsIn = (frame, block) =>
  block.oneRow ? [frame.row] : frame.state.tokens.map((_, i) => i);

/** Draw the cells of a matrix other than a weight matrix. */
function strip(frame, layer, matrix, h, /** @type {Record<string, any>} */ style = {}) {
  const { most, top, dim = 1 } = style;
  const { pen, scales, state, results, plan } = frame;
  const place = matrix === "sum" ? "output" : matrix;
  const block = plan[place] ?? plan.lanes[h][place];
  const rows = matrixOf(state, results, matrix, h);
  const act = matrix === "X" ? "edit" : "open";
  for (const r of rowsIn(frame, block)) {
    rows[r].forEach((value, c) => {
      const box = placeOf(frame, place, h, r, c);
      const ink = { value, most: most ?? scales[matrix],
        colour: colourAt(state, matrix, h, [r, c], plan.oneHead), top,
        dim: (0.42 + 0.58 * frame.emphasis[r]) * dim };
      pen.cell(layer, `${matrix}${h}.${r}.${c}`, box, ink, () => ({ "data-act": act,
        "data-matrix": place, "data-head": h, "data-r": r, "data-c": c, "data-row": r,
        class: act === "edit" ? "abh-ma-edit" : "abh-ma-tap" }));
    });
  }
}

/** Draw the cells and the name of a weight matrix. */
function gate(frame, layer, matrix, h) {
  const { pen, scales, state, results, plan, zoom } = frame;
  const rows = matrixOf(state, results, matrix, h);
  const width = state.W_V[0][0].length;
  const step = Math.ceil(Math.max(rows.length, rows[0].length) / MOST_DRAWN);
  rows.forEach((row, r) => row.forEach((value, c) => {
    if (r % step || c % step) return; // skip most numbers of a large matrix
    const head = matrix === "W_O" ? Math.floor(r / width) : h;
    const { x, y, w } = placeOf(frame, matrix, h, r, c);
    const box = { x, y, w: w * step, h: w * step };
    const ink = { value, most: scales[matrix], dim: frame.alive[head],
      colour: colourAt(state, matrix, h, [r, c]) };
    pen.cell(layer, `${matrix}${h}.${r}.${c}`, box, ink, () => ({ "data-act": "edit",
      "data-matrix": matrix, "data-head": h, "data-r": r, "data-c": c,
      class: "abh-ma-edit" }));
  }));
  const at = gateOf(plan, matrix, h);
  const [wide, tall] = [rows[0].length * at.c, rows.length * at.c];
  if (plan.isPhone) {
    // a finger needs a larger target than the matrix
    const [w, t] = [Math.max(26, wide + 6), Math.max(26, tall + 6)];
    pen.rect(layer, `tap${matrix}${h}`, { x: at.x - w / 2, y: at.y - t / 2, w, h: t },
      { fill: "transparent", "data-act": "open", "data-matrix": STAGE_OF[matrix],
        "data-head": h, class: "abh-ma-tap" });
  }
  const beside = plan.isPhone && matrix === "W_V";
  const below = plan.isPhone && matrix === "W_K";
  const x = beside ? at.x + wide / 2 + 7 : at.x;
  const y = beside ? at.y + 5 : below ? at.y + tall / 2 + 14 : at.y - tall / 2 - 6;
  pen.text(layer, `name${matrix}${h}`, x, y, symbolOf(matrix), {
    size: plan.isPhone ? 13 : 14, at: beside ? "start" : "middle",
    colour: colourOf(matrix, h), a: 1 - zoom, class: "abh-ma-over",
    "pointer-events": "none" });
}

/** Draw the name of a stage; a press on the name opens the stage. */
// A name takes the focus as soon as its stage is left, while the zoom still runs.
function name(frame, layer, stage, h, x, y, text, colour) {
  const { pen, plan, zoom } = frame;
  const open = STAGES[stage].name +
    (plan.lanes.length > 1 && h !== null ? ` of head ${h + 1}` : "");
  pen.text(layer, `name ${stage}${h}${text}`, x, y, text, { size: plan.labelSize,
    bold: true, colour, a: 1 - zoom, class: "abh-ma-name", "data-act": "open",
    "data-matrix": stage, "data-head": h ?? 0, "data-named": 1,
    tabindex: frame.chosen.stage ? null : 0, role: "button",
    "aria-label": `${text.replaceAll("_", "")}: open ${open}` });
}

function word(frame, layer, key, i, x, y, at, colour) {
  const { pen, plan, state, emphasis, zoom } = frame;
  const strong = emphasis[i] > 0.5;
  const isFirst = key === "in";
  pen.text(layer, `${key}${i}`, x, y + plan.wordSize * 0.33, state.tokens[i], {
    size: plan.wordSize, at, bold: strong, a: 1 - zoom, class: "abh-ma-word",
    "data-plain": 1, colour: strong ? colour : "var(--abh-muted)", "data-act": "word",
    "data-row": i, tabindex: isFirst && zoom < 0.5 ? 0 : null,
    role: isFirst ? "button" : null,
    "aria-label": isFirst ? `Follow ${state.tokens[i]}` : null,
    "aria-pressed": isFirst ? String(i === frame.chosen.row) : null });
}

/** Animate light along a line of the chosen row. */
function glow(frame, layer, key, d, width, opacity) {
  if (frame.pen.still) return;
  frame.pen.line(layer, `glow${key}.${frame.row}.${frame.chosen.step}`, d,
    "var(--abh-paper)", width, opacity,
    { class: "abh-ma-flow", "stroke-dasharray": "9 39", "stroke-linecap": "round" });
}

/** Draw the lines from the words through a matrix to queries, keys or values. */
function project(frame, layers, stage, lane) {
  const { pen, plan, state, results, emphasis } = frame;
  const { h } = lane;
  const at = lane.gates[stage];
  const rows = matrixOf(state, results, GATES[stage], h);
  const [wide, tall] = [rows[0].length * at.c, rows.length * at.c];
  const n = state.tokens.length;
  const layer = layers[`line ${stage}`];
  const colour = colourOf(stage, h);
  for (const i of rowsIn(frame, lane[stage])) {
    const from = placeOf(frame, "X", 0, i, state.X[0].length - 1);
    const to = placeOf(frame, stage, h, i, 0);
    const place = frame.places[i];
    const gy = at.y - tall / 2 + ((place + 0.5) / n) * tall;
    const y1 = middle(from) + from.h * { query: -0.22, key: 0, value: 0.22 }[stage];
    const strong = emphasis[i];
    const right = at.x + wide / 2;
    const d = plan.isPhone && stage === "value" ? downPath(frame, at, place, tall, to)
        : curve(from.x + from.w + 3, y1, at.x - wide / 2, gy) +
          path`L${right} ${gy}${curveOn(right, gy, to.x - 3, middle(to))}`;
    const width = plan.oneHead ? 2.5 + 3.5 * strong : 1.5 + 2.6 * strong;
    pen.line(layer, `${stage}${h}.${i}`, d, colour, width,
      (0.2 + 0.6 * strong) * frame.alive[h]);
    if (strong > 0.6) glow(frame, layer, `${stage}${h}`, d, 1.6, 0.5 * frame.alive[h]);
  }
  gate(frame, layers[stage], GATES[stage], h);
  strip(frame, layers[stage], stage, h, { dim: frame.alive[h] });
  const block = lane[stage];
  const gap = stage === "query" ? 12 : 8;
  const isLong = plan.oneHead && !plan.isPhone;
  const text = isLong ? STAGES[stage].name : symbolOf(stage);
  const x = isLong ? Math.min(block.x, lane.scores.x - 82) : block.x; // keys of width 1
  name(frame, layers[stage], stage, h, x, block.y - gap, text, colour);
}

/** Return the path of a value's line on a phone: it runs down the left edge. */
function downPath({ plan, state }, at, place, tall, to) {
  const x = toTenth(plan.X.x + 6 + place * 5);
  const xg = toTenth(at.x + (place - (state.tokens.length - 1) / 2) * 4);
  const y0 = toTenth(plan.X.y + state.tokens.length * plan.X.rp - 8);
  return (
    path`M${x} ${y0}C${x} ${y0 + 24} ${xg} ${at.y - tall / 2 - 24} ` +
    path`${xg} ${at.y - tall / 2}` +
    path`V${middle(to) - 24}Q${xg} ${middle(to)} ${to.x - 3} ${middle(to)}`
  );
}

/** Draw query lines to the right and key lines upwards; they cross at the scores. */
function cross(frame, layers, lane) {
  const { pen, plan, state, results, emphasis, row } = frame;
  const { h, scores } = lane;
  const n = state.tokens.length;
  const last = scores.x + scores.cp * n;
  const layer = layers["line scores"];
  const width = plan.oneHead ? 4 : 2.4;
  const d_k = state.W_Q[0][0].length;
  for (const i of rowsIn(frame, lane.query)) {
    const from = placeOf(frame, "query", h, i, d_k - 1);
    const strong = emphasis[i];
    const d = path`M${from.x + from.w + 3} ${middle(from)}H${last - 6}`;
    const thick = plan.oneHead ? 2.5 + 3.5 * strong : 1.5 + 2.6 * strong;
    pen.line(layer, `across${h}.${i}`, d, colourOf("query"), thick,
      (0.18 + 0.6 * strong) * frame.alive[h]);
  }
  const topWord = results.places.indexOf(0);
  state.tokens.forEach((_, i) => {
    const from = placeOf(frame, "key", h, i, d_k - 1);
    const top = placeOf(frame, "scores", h, scores.oneRow ? row : topWord, i);
    const own = placeOf(frame, "scores", h, row, i);
    const x = top.x + top.w / 2;
    const ends = [[top.y + 4, 0.2, ""], [middle(own), 0.5, " own"]];
    for (const [y, opacity, key] of ends) {
      const d = hook(from.x + from.w + 3, middle(from), x, y, 18);
      pen.line(layer, `up${h}.${i}${key}`, d, colourOf("key"), width,
        opacity * frame.alive[h]);
    }
  });
  strip(frame, layers.scores, "scores", h, { dim: frame.alive[h] });
  crossOut(frame, layers.scores, h);
  name(frame, layers.scores, "scores", h, scores.x + scores.gx, scores.y - 12, "Scores",
    "var(--abh-muted)");
}

/** Draw a cross on each score that a mask hides. */
function crossOut(frame, layer, h) {
  const { pen, results, plan } = frame;
  for (const r of rowsIn(frame, plan.lanes[h].scores)) {
    results.heads[h].logits[r].forEach((x, c) => {
      if (x !== -Infinity) return;
      const { x: left, y, w, h: tall } = placeOf(frame, "scores", h, r, c);
      const [a, b] = [left + w * 0.3, left + w * 0.7];
      const [u, v] = [y + tall * 0.3, y + tall * 0.7];
      pen.line(layer, `hidden${h}.${r}.${c}`,
        path`M${a} ${u}L${b} ${v}M${b} ${u}L${a} ${v}`, "var(--abh-ink)", 1.5, 0.75);
    });
  }
}

/** Draw the lines from the scores into the dial, and from the dial to the weights. */
function throughDial(frame, layers, lane) {
  const { pen, plan, state, emphasis } = frame;
  const { h, dial: at, scores, weights } = lane;
  const last = scores.x + scores.cp * state.tokens.length;
  const colour = headColour(h);
  const n = state.tokens.length;
  for (const i of rowsIn(frame, scores)) {
    const strong = emphasis[i];
    const thick = plan.oneHead ? 2 + 2.5 * strong : 1.4 + 1.8 * strong;
    const place = scores.oneRow ? 0 : frame.places[i];
    const [ys, yw] = [middle(placeOf(frame, "scores", h, i, 0)),
      middle(placeOf(frame, "weights", h, i, 0))];
    if (plan.isPhone) {
      const kind = strong > 0.5 ? "strong" : "line";
      const paths = phoneDialPaths(at, ys, yw, last, weights);
      pen.line(layers[`${kind} logits`], `to${h}.${i}`, paths[0],
        mix("var(--abh-muted)", 24 + 50 * strong), thick, 1);
      pen.line(layers[`${kind} weights`], `from${h}.${i}`, paths[1],
        mix(colour, 24 + 50 * strong), thick, 1);
      continue;
    }
    const gy = at.y +
      (scores.oneRow ? 0 : ((place - (n - 1) / 2) * at.r * 0.84) / Math.max(1, n - 1));
    const opacity = (0.22 + 0.5 * strong) * frame.alive[h];
    const right = weights.x + weights.gx - 2;
    pen.line(layers["line logits"], `to${h}.${i}`,
      curve(last - 4, ys, at.x - at.r - 1, gy), "var(--abh-muted)", thick, opacity);
    pen.line(layers["line weights"], `from${h}.${i}`,
      curve(at.x + at.r + 1, gy, right, yw), colour, thick, opacity);
  }
  drawDial(frame, layers.logits, `dial${h}`, at, 1 - frame.zoom);
}

function phoneDialPaths(at, ys, yw, last, weights) {
  const [x1, x2, y] = [Math.min(last + 6, 361), weights.x - 17, at.y];
  return [
    path`M${last - 6} ${ys}H${x1 - 8}Q${x1} ${ys} ${x1} ${ys + 10}V${y - 14}` +
      path`Q${x1} ${y} ${x1 - 14} ${y}H${at.x + at.r + 2}`,
    path`M${at.x - at.r - 2} ${y}H${x2 + 14}Q${x2} ${y} ${x2} ${y + 14}` +
      path`V${yw - 10}Q${x2} ${yw} ${x2 + 10} ${yw}H${weights.x + weights.gx - 2}`,
  ];
}

/** Draw a line from each value to each result, as thick as the weight. */
function blend(frame, layers, lane) {
  const { pen, state, results, emphasis } = frame;
  const { h, weights: block } = lane;
  const { weights } = results.heads[h];
  const T = frame.ribbon;
  const words = state.order;
  const rows = block.oneRow ? [frame.row] : words;
  const end = lane.head.x - 4;
  const right = block.x + block.cp * words.length - 2;
  const d_v = state.W_V[0][0].length;
  const below = words.map(() => 0); // by row: thickness of the lines drawn so far
  for (const j of words) {
    const from = placeOf(frame, "value", h, j, d_v - 1);
    const column = placeOf(frame, "weights", h, rows[0], j);
    const total = rows.reduce((sum, i) => sum + weights[i][j], 0);
    let offset = (-total * T) / 2;
    for (const i of rows) {
      const thick = weights[i][j] * T;
      const x = column.x + column.w / 2 + offset + thick / 2;
      const y = middle(from) + offset + thick / 2;
      offset += thick;
      const before = below[i];
      below[i] += thick;
      const bead = placeOf(frame, "weights", h, i, j);
      const under = bead.y + bead.h + 3 + before + thick / 2;
      const target =
        middle(placeOf(frame, "head", h, i, 0)) - T / 2 + before + thick / 2;
      const r = Math.min(12, bead.h / 3);
      const strong = emphasis[i] > 0.5;
      const xr = Math.max(right, x + r);
      const d = hook(from.x + from.w + 3, y, x, under + r, 18) +
        path`Q${x} ${under} ${x + r} ${under}H${xr}${curveOn(xr, under, end, target)}`;
      const layer = layers[`${strong ? "strong" : "line"} head`];
      const tint = (18 + 60 * emphasis[i]) * frame.alive[h];
      if (thick < 0.02) continue;
      pen.line(layer, `mix${h}.${j}.${i}`, d, mix("var(--abh-value)", tint),
        Math.max(0.4, thick + (strong ? 0 : 0.3)), 1);
      if (emphasis[i] > 0.6 && thick > 2)
        glow(frame, layer, `mix${h}.${j}`, d, Math.min(1.6, thick * 0.4),
          0.5 * frame.alive[h]);
    }
  }
}

/** Draw the weights of a lane, and write the weights of the followed row in percent. */
function shares(frame, layers, lane) {
  const { pen, plan, results, row, emphasis, zoom } = frame;
  const { h, weights: block } = lane;
  strip(frame, layers.weights, "weights", h, { most: 1, top: 74,
    dim: frame.alive[h] });
  const weights = results.heads[h].weights[row];
  const isWide = block.cp > 40 && !plan.isPhone;
  const size = Math.max(isWide ? 13 : 11, pen.smallest);
  const exact = shareText(weights);
  const longest = Math.max(...exact.map(({ length }) => length));
  const texts = longest * size * 0.68 <= block.cp - 2 ? exact
    : weights.map((weight) => fixed(100 * weight, 0));
  texts.forEach((text, j) => {
    const box = placeOf(frame, "weights", h, row, j);
    const sign = isWide && text.length < 3 ? "%" : "";
    pen.text(layers.weights, `share${h}.${j}`, box.x + box.w / 2, middle(box) + 4.2,
      text + sign, { size, at: "middle", bold: true, "data-plain": 1,
        a: (1 - zoom) * Math.min(1, emphasis[row]) * frame.alive[h],
        "data-name": "weight", "data-value": weights[j] });
  });
}

/** Draw the heads' results side by side, and the output projection. */
function join(frame, layers) {
  const { pen, plan, state, emphasis, results } = frame;
  const n = state.tokens.length;
  const d_v = state.W_V[0][0].length;
  const width = d_v * state.W_Q.length;
  state.tokens.forEach((_, i) => {
    const to = placeOf(frame, "concat", 0, i, 0);
    const y = middle(to);
    const strong = emphasis[i];
    for (const lane of plan.lanes) {
      const { h } = lane;
      if (lane.hidden || (lane.head.oneRow && i !== frame.row)) continue;
      const from = placeOf(frame, "head", h, i, d_v - 1);
      const colour = headColour(h);
      const kind = strong > 0.5 ? "strong" : "line";
      const tint = mix(colour, (20 + 50 * strong) * frame.alive[h]);
      if (plan.isPhone) {
        const d = phoneJoinPath(plan, from, to.x + (h + 0.5) * d_v * plan.concat.cp);
        pen.line(layers[`${kind} concat`], `join${h}.${i}`, d, tint, 2 + 3 * strong, 1);
        continue;
      }
      const spread =
        ((h + 0.5) / state.W_Q.length - 0.5) * Math.min(14, plan.concat.h * 0.6);
      const d = curve(from.x + from.w + 3, middle(from), plan.concat.x - 3, y + spread);
      pen.line(layers[`${kind} concat`], `join${h}.${i}`, d, tint,
        1.6 + 5 * strong * Math.min(1, 3 / plan.lanes.length), 1);
    }
    if (!plan.output) return;
    const place = frame.places[i];
    const [wide, tall] = [state.X[0].length * plan.gate.c, width * plan.gate.c];
    const gy = plan.gate.y - tall / 2 + ((place + 0.5) / n) * tall;
    const end = placeOf(frame, "output", 0, i, 0);
    const left = plan.gate.x - wide / 2;
    const d = curve(to.x + plan.concat.cp * width + 2, y, left, gy) +
      path`L${left + wide} ${gy}${curveOn(left + wide, gy, end.x - 3, middle(end))}`;
    pen.line(layers["line output"], `last${i}`, d, "var(--abh-output)", 2 + 4 * strong,
      0.2 + 0.5 * strong);
  });
  strip(frame, layers.concat, "concat", 0);
  const symbols = state.W_Q.length === 1 ? "Z" : state.W_Q.length === 2 ? "Z_1 Z_2"
        : `Z_1 … Z_${state.W_Q.length}`;
  if (plan.output) {
    gate(frame, layers.output, "W_O", 0);
    strip(frame, layers.output, results.sum ? "sum" : "output", 0);
    const text = results.sum ? "X + Y" : "Output";
    name(frame, layers.output, "output", null, plan.output.x, plan.output.y - 11, text,
      "var(--abh-output)");
  }
  const open = plan.output ? "output" : "concat";
  const x = plan.isPhone ? 4 : plan.concat.x; // on a phone, lines come from above
  name(frame, layers.concat, open, null, x, plan.concat.y - 11, symbols,
    "var(--abh-ink)");
}

function phoneJoinPath(plan, from, x) {
  const [y, right, above] = [middle(from), 358, plan.concat.y - 32];
  return (
    path`M${from.x + from.w + 3} ${y}H${right - 10}Q${right} ${y} ${right} ${y + 10}` +
    path`V${above - 10}Q${right} ${above} ${right - 10} ${above}H${x + 10}` +
    path`Q${x} ${above} ${x} ${above + 10}V${plan.concat.y - 3}`
  );
}

/** Draw a head's name as a switch; while the head's lane is closed, it opens the lane. */
function pill(frame, layer, lane) {
  const { pen, state, chosen, zoom } = frame;
  const { h, pill: at } = lane;
  const on = !state.off.includes(h);
  const colour = headColour(h);
  const dim = LIT[chosen.chapter] && chosen.step < 0 && chosen.chapter !== 3 ? 0.35 : 1;
  const group = pen.group(layer, `pill${h}`, { class: "abh-ma-tap", "data-act": "head",
    "data-head": h, role: "switch", "aria-checked": String(on),
    tabindex: zoom > 0.5 ? null : 0, "aria-label": `Head ${h + 1}`,
    opacity: ((1 - zoom) * dim).toFixed(2),
    transform: path`translate(${at.x} ${at.y})`,
    "pointer-events": zoom > 0.5 ? "none" : null });
  const [fill, stroke] = on ? [mix(colour, 16), colour]
    : ["var(--abh-paper)", "var(--abh-line)"];
  pen.rect(group, `pill box${h}`, { x: 0, y: -13, w: at.w, h: 26 },
    { rx: 13, style: `fill:${fill};stroke:${stroke}`, "stroke-width": 1.5 });
  const dot = on ? `fill:${colour};stroke:${colour}`
    : "fill:none;stroke:var(--abh-muted)";
  pen.put(group, `pill dot${h}`, "circle", { cx: 14, cy: 0, r: 5, style: dot,
    "stroke-width": 1.5 });
  pen.text(group, `pill text${h}`, 25, 4.5, `Head ${h + 1}`, { size: 13, bold: true,
    colour: on ? colour : "var(--abh-muted)" });
}

function laneFrame(frame, layers, lane) {
  const { pen, plan, state, chosen } = frame;
  if (plan.oneHead || plan.isPhone || plan.lanes.length < 2) return;
  const { frame: box, h } = lane;
  const on = !state.off.includes(h);
  const colour = headColour(h);
  pen.rect(layers.lanes, `lane${h}`, { ...box, h: box.h - 2 }, { rx: 12,
    "stroke-width": 1,
    style: `fill:${mix(colour, on ? 5 : 0)};stroke:${mix(colour, on ? 32 : 14)}`,
    "data-act": lane.isOpen ? null : "lane", "data-head": h,
    class: lane.isOpen ? null : "abh-ma-tap",
    opacity: chosen.step === 0 ? 0 : chosen.chapter === 4 ? 0.45 : 1 });
}

/** Draw transparent areas in which a press or the mouse chooses a row. */
function hits(frame, layer) {
  const { pen, plan, state, zoom } = frame;
  const hit = (i, key, { y, h }, x, w) =>
    pen.rect(layer, `hit${key}.${i}`, { x, y: y - 4, w, h: h + 8 }, {
      fill: "transparent", "data-act": zoom > 0.5 ? null : "word", "data-row": i,
      class: "abh-ma-tap", "pointer-events": zoom > 0.5 ? "none" : "all" });
  state.tokens.forEach((_, i) => {
    hit(i, "X", placeOf(frame, "X", 0, i, 0), 0,
      plan.oneHead && !plan.isPhone ? plan.W : plan.X.x + plan.X.cp * state.X[0].length);
    for (const lane of plan.lanes) {
      if (!lane.isOpen || lane.weights.oneRow) continue;
      const end = lane.scores.x + lane.scores.cp * state.tokens.length;
      hit(i, `q${lane.h}`, placeOf(frame, "query", lane.h, i, 0), lane.query.x,
        end - lane.query.x);
      const w = placeOf(frame, "weights", lane.h, i, 0);
      hit(i, `w${lane.h}`, w, lane.weights.x, lane.head.x + 40 - lane.weights.x);
    }
    if (plan.concat)
      hit(i, "y", placeOf(frame, "concat", 0, i, 0), plan.concat.x - 4,
        plan.end - plan.concat.x + 80);
  });
}

function words(frame, layers) {
  const { plan, state } = frame;
  const stage = plan.output ? "output" : plan.concat ? "concat" : "head";
  const block = plan[stage] ?? plan.lanes[0].head;
  const count = matrixOf(state, frame.results, stage, 0)[0].length;
  state.tokens.forEach((_, i) => {
    const box = placeOf(frame, "X", 0, i, 0);
    word(frame, layers.X, "in", i, box.x - 10, middle(box), "end", "var(--abh-ink)");
    if (block.oneRow && (plan.isPhone || i !== frame.row)) return;
    const out = placeOf(frame, stage, 0, i, count - 1);
    word(frame, layers[stage], "out", i, out.x + out.w + 9, middle(out), "start",
      "var(--abh-output)");
    if (!plan.isPhone || !plan.concat) return;
    const at = placeOf(frame, "concat", 0, i, 0);
    word(frame, layers.concat, "again", i, at.x - 8, middle(at), "end",
      "var(--abh-ink)");
  });
}

/** Draw the residual stream: it carries X past all heads, to be added to the output. */
function residual(frame, layers) {
  const { pen, plan, state, results, emphasis } = frame;
  if (!results.sum || !plan.output || plan.isPhone || frame.chosen.stage === "box")
    return;
  for (const i of state.tokens.keys()) {
    if (emphasis[i] < 0.5) continue;
    const from = placeOf(frame, "X", 0, i, 0);
    const to = placeOf(frame, "output", 0, i, 0);
    const [x1, x2, y] = [from.x + 6, to.x - 9, plan.H - 3];
    const d =
      path`M${x1} ${from.y + from.h + 2}V${y - 12}Q${x1} ${y} ${x1 + 12} ${y}` +
      path`H${x2 - 12}Q${x2} ${y} ${x2} ${y - 12}V${to.y + to.h + 4}`;
    pen.line(layers["line output"], "residual", d, "var(--abh-ink)", 3, 0.5);
    pen.text(layers.output, "add", x2 - 4, to.y + to.h + 18, "+", { size: 16, at: "end",
      bold: true, a: 1 - frame.zoom });
  }
}

/** Return the thickness of weight 1, so that the column with the most weight fits. */
function ribbonOf(frame) {
  const { plan, results, state } = frame;
  const room = plan.lanes.filter(({ isOpen }) => isOpen).flatMap((lane) => {
    const { weights } = results.heads[lane.h];
    const rows = rowsIn(frame, lane.weights);
    return state.tokens.map((_, j) =>
      (lane.weights.cp - 3) / rows.reduce((sum, i) => sum + weights[i][j], 1e-9));
  });
  return Math.min(plan.ribbon, ...room);
}

export function drawWhole(frame, root) {
  const { plan, state } = frame;
  frame.ribbon = ribbonOf(frame);
  const layers = layersOf(frame, root);
  hits(frame, layers.hits);
  strip(frame, layers.X, "X", 0);
  name(frame, layers.X, "X", null, plan.X.x, plan.X.y - 12, "X", "var(--abh-ink)");
  for (const lane of plan.lanes) {
    if (!lane.hidden) drawLane(frame, layers, lane);
    if (plan.lanes.length > 1 && !plan.isPhone) pill(frame, layers.pills, lane);
  }
  if (isJoined(state)) join(frame, layers);
  words(frame, layers);
  residual(frame, layers);
}

/** Return all values on which the drawing of a lane up to its scores depends. */
function factsOfScores({ plan, state: s, scales, chosen, row, pen, zoom, ...eased }) {
  return [s.X, s.W_Q, s.W_K, s.W_V, s.tokens, s.padding, s.causal, scales, row, zoom,
    chosen.step, chosen.head, plan.W, plan.H, plan.isPhone, pen.still, pen.smallest,
    ...eased.emphasis, ...eased.places, ...eased.alive];
}

function drawLane(frame, layers, lane) {
  const { plan } = frame;
  const { h } = lane;
  laneFrame(frame, layers, lane);
  const colour = headColour(h);
  const oneHead = plan.oneHead;
  if (lane.isOpen) {
    frame.pen.part(`scores ${h}`, factsOfScores(frame), () => {
      for (const stage in GATES) project(frame, layers, stage, lane);
      cross(frame, layers, lane);
    });
    throughDial(frame, layers, lane);
    blend(frame, layers, lane);
  }
  shares(frame, layers, lane);
  strip(frame, layers.head, "head", h, { dim: frame.alive[h] });
  if (!lane.isOpen) return;
  const y = lane.weights.y - 12;
  name(frame, layers.weights, "weights", h, lane.weights.x + lane.weights.gx, y,
    "Weights", colour);
  const last = oneHead ? (plan.isPhone ? "Out" : "Output") : "Z";
  name(frame, layers.head, "head", h, lane.head.x, y, last,
    oneHead ? "var(--abh-output)" : colour);
}
