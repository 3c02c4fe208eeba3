// Places all parts of the whole machine, in the units of the drawing.
//
// A block is { x, y, cp, rp, w, h, gx, oneRow }: its corner, the distances from column to column
// and from row to row, the size of a cell, the gap at the left of a cell, and whether it shows
// the chosen row only. A gate is { x, y, c }: the centre of a weight matrix and the size of its
// cells. A lane holds the blocks and gates of one head. `oneHead`: one head without W^O.

/** @import { MachineState } from "../contract.d.ts" */

import { isJoined } from "./stages.js";
import { sizesOf } from "./arithmetic.js";
import { clamp } from "../card/numbers.js";

const NARROW = 800; // width in pixels below which the phone layout is drawn
const MOST_ROWS = 8; // with more words a lane shows the chosen row only
const TALL = 548; // height in pixels of the wide layout
const LETTER = 0.5; // width of a letter, as a share of the font size
const PILL = 30; // height of a head's name

const block = (x, y, cp, rp, h, more = {}) => ({ x, y, cp, rp, w: cp - 1, h, ...more });

/** Choose a size in each range [least, most, count = 1] to fill `width`; `used` is the total of the sizes. */
function sizesIn(ranges, width) {
  const total = (index) =>
    Object.values(ranges).reduce((sum, range) => sum + range[index] * (range[2] ?? 1), 0);
  const [least, most] = [total(0), total(1)];
  const share = clamp((width - least) / (most - least), 0, 1);
  const sizes = Object.entries(ranges).map(([name, [low, high]]) => [name,
    low + (high - low) * share]);
  return { sizes: Object.fromEntries(sizes), least, used: least + (most - least) * share };
}

/** Return the ranges of the widths in the wide layout, and `oneHead`. */
function rangesOf(state, wordSize) {
  const { tokens: n, d_model, d_k, d_v, heads } = sizesOf(state);
  const oneHead = !isJoined(state);
  const strip = (count, low, high, widest) => [Math.min(low, widest / count),
    Math.min(high, widest / count), count];
  const longest = Math.max(...state.tokens.map(({ length }) => length));
  const words = clamp(longest * wordSize * LETTER, 30, 110) + 14;
  const gate = Math.min(oneHead ? 16 : 10, 60 / d_k, (oneHead ? 96 : 56) / d_model);
  const ranges = { words: [words, words],
    X: strip(d_model, oneHead ? 22 : 13, oneHead ? 28 : 18, 112),
    toGate: [36, oneHead ? 66 : 54], gate: [gate, gate, d_k],
    toQuery: [26, oneHead ? 58 : 52],
    query: strip(d_k, oneHead ? 24 : 15, oneHead ? 28 : 18, 84),
    toScores: [oneHead ? 34 : 16, oneHead ? 52 : 38],
    scores: [n > 6 ? 21 : oneHead ? 36 : 32, n > 6 ? 40 : oneHead ? 66 : 46, 2 * n],
    dial: [oneHead ? 112 : 78, oneHead ? 140 : 96], toHead: [oneHead ? 60 : 50, 84],
    head: strip(d_v, oneHead ? 24 : 15, oneHead ? 28 : 18, 84) };
  if (isJoined(state)) {
    const width = heads * d_v;
    const cell = Math.min(13, 80 / width, 72 / d_model);
    Object.assign(ranges, {
      toConcat: [42, 84], concat: strip(width, 13, 18, 120),
      ...(state.W_O && {
        toOutput: [15, 28],
        projection: [cell, cell, d_model],
        fromOutput: [18, 30], output: strip(d_model, 13, 18, 112),
      }),
    });
  }
  ranges.outWords = [words, words];
  return { ranges, oneHead };
}

/** Return the lanes from top to bottom: all open if each gets the height `need`, else only `open`. */
function lanesOf(heads, open, height, need) {
  const gap = 8;
  const equal = (height - gap * (heads - 1)) / heads;
  const closed = heads > 5 ? PILL : 42;
  const isEqual = equal >= need;
  let y = 0;
  return Array.from({ length: heads }, (_, h) => {
    const isOpen = isEqual || h === open;
    const tall = isEqual ? equal : isOpen ? height - (closed + gap) * (heads - 1)
        : closed;
    const lane = { h, y, tall, isOpen };
    y += tall + gap;
    return lane;
  });
}

/** Return the rows of a lane: queries (pitch p1, height h1), then keys and values (p2, h2). */
function rowsOf({ y, tall }, n, oneRow, oneHead, unit) {
  const sizes = oneHead ? [38, 10, 30] : [27, 8, 21];
  const [label, foot, between] = sizes.map((size) => size * unit);
  const room = tall - label - foot - 2 * between;
  const ratio = oneHead ? 0.55 : 0.42;
  const rows = oneRow ? 1 : n;
  const p1 = oneRow ? Math.min(34, room / 3)
    : Math.min(oneHead ? 66 : 44, room / (n + 2 * n * ratio));
  const p2 = Math.min(oneHead ? 36 : 20, (room - rows * p1) / (2 * n));
  const spare = room - rows * p1 - 2 * n * p2;
  const h1 = Math.max(p1 * 0.6, Math.min(p1 - 3, 16));
  const top = y + label;
  const keys = top + rows * p1 - (p1 - h1) + between + Math.min(46, spare / 2);
  const values = keys + n * p2 + between + Math.min(14, spare / 4);
  return { top, p1, h1, p2, h2: Math.max(3, p2 * 0.72), keys, values, rows };
}

/** Return the wide layout: from left to right, with a lane for each head. */
function deskPlan(state, width, open) {
  const { tokens: n, d_model, d_k, d_v, heads } = sizesOf(state);
  const wordSize = heads === 1 && n < 6 ? 22 : n > 8 ? 16 : 19;
  const { ranges, oneHead } = rangesOf(state, wordSize);
  const { sizes: s, least, used } = sizesIn(ranges, width);
  const W = Math.max(width, least);
  const scale = width / W;
  const H = TALL / scale;
  const oneRow = n > MOST_ROWS;
  let x = Math.max(0, (W - used) / 2) + s.words;
  const next = (name, count = 1) => {
    const at = x;
    x += s[name] * count;
    return at;
  };
  const at = { X: next("X", d_model) };
  x += s.toGate;
  at.gate = next("gate", d_k) + (s.gate * d_k) / 2;
  x += s.toQuery;
  at.query = next("query", d_k);
  x += s.toScores;
  at.scores = next("scores", n);
  at.dial = next("dial") + s.dial / 2;
  at.weights = next("scores", n);
  x += s.toHead;
  at.head = next("head", d_v);
  const need = oneRow ? 60 + 34 + 12 * n : 96 + 17 * n * 1.84;
  const lanes = lanesOf(heads, open, oneHead ? H : H - 6, need).map((lane) => {
    const left = at.gate - (s.gate * d_k) / 2 - 18;
    const frame = { x: left, w: at.head + s.head * d_v + 12 - left, y: lane.y + 2,
      h: lane.tall };
    const rows = rowsOf({ ...lane, y: lane.y + 2 }, n, oneRow, oneHead, 1 / scale);
    const bead = Math.min(rows.h1, s.scores - 4);
    const wide = Math.max(bead, Math.min(s.scores - 6, 32));
    const square = { w: wide, gx: (s.scores - wide) / 2, oneRow };
    if (!lane.isOpen) {
      const y = lane.y + 2 + (lane.tall - 20) / 2;
      const w = Math.min(20, s.scores - 3);
      return {
        ...lane, frame, rows,
        pill: { x: left + 10, y: lane.y + 2 + lane.tall / 2, w: 84 / scale },
        weights: block(at.weights, y, s.scores, 20, 20,
          { w, gx: (s.scores - w) / 2, oneRow: true }),
        head: block(at.head, y, s.head, 20, 20, { oneRow: true }),
      };
    }
    const blockOf = (name, y) =>
      block(at.query, y,
        name === "value" ? Math.min(s.query, (s.query * d_k) / d_v) : s.query, rows.p2,
        rows.h2);
    const level = rows.top + (rows.rows * rows.p1 - (rows.p1 - rows.h1)) / 2;
    const gateSize = Math.min(s.gate, (n * rows.p2 + 18) / d_model);
    const gateAt = (y) => ({ x: at.gate, y, c: gateSize });
    return {
      ...lane, frame, rows,
      query: block(at.query, rows.top, s.query, rows.p1, rows.h1, { oneRow }),
      key: blockOf("key", rows.keys), value: blockOf("value", rows.values),
      scores: block(at.scores, rows.top, s.scores, rows.p1, bead, square),
      weights: block(at.weights, rows.top, s.scores, rows.p1, bead, square),
      head: block(at.head, rows.top, s.head, rows.p1, rows.h1, { oneRow }),
      gates: {
        query: gateAt(Math.max(level, lane.y + 25 / scale + (gateSize * d_model) / 2)),
        key: gateAt(rows.keys + (n * rows.p2) / 2),
        value: gateAt(rows.values + (n * rows.p2) / 2) },
      dial: { x: at.dial, y: level,
        r: oneHead ? 33 : clamp(rows.rows * rows.p1 * 0.24, 13, 21) },
      pill: { x: frame.x + frame.w - 84 / scale - 12, y: lane.y + lane.tall - 17,
        w: 84 / scale },
    };
  });
  const first = lanes[open].rows;
  const isLevel = heads === 1 && !oneRow; // words stand beside their queries
  const pX = isLevel ? first.p1 : Math.min(36, (H - 60) / n);
  const yX = isLevel ? first.top : (H - n * pX) / 2 + 12;
  const hX = isLevel ? first.h1 : pX * 0.66;
  const ribbon = oneHead ? 24 : Math.min(12, first.p1 * 0.4);
  const plan = { W, H, scale, oneHead, oneRow, lanes, ribbon, wordSize,
    labelSize: oneHead ? 16 : 14, isPhone: false, X: block(at.X, yX, s.X, pX, hX) };
  if (isJoined(state)) {
    x += s.toConcat;
    plan.concat = block(next("concat", heads * d_v), yX, s.concat, pX, hX);
    if (state.W_O) {
      x += s.toOutput;
      const c = s.projection;
      plan.gate = { x: next("projection", d_model) + (c * d_model) / 2,
        y: yX + (n * pX - (pX - hX)) / 2, c };
      x += s.fromOutput;
      plan.output = block(next("output", d_model), yX, s.output, pX, hX);
    }
  }
  plan.end = x;
  return plan;
}

/** Return the phone layout: two levels, and a third level if heads are joined. */
function phonePlan(state, width, open) {
  const { tokens: n, d_model, d_k, d_v, heads } = sizesOf(state);
  const joined = isJoined(state);
  const oneRow = n > MOST_ROWS;
  const rows = oneRow ? 1 : n;
  const W = 366;
  const P = oneRow ? 34 : Math.min(joined ? 40 : 48, (joined ? 132 : 150) / n);
  const sq = Math.max(P * 0.67, Math.min(P - 2, 15));
  const [pX, hX] = oneRow ? [13, 11] : [P, sq];
  const p2 = Math.min(joined ? 20 : 22, 74 / n);
  const pc = Math.max(13, Math.min(26, 84 / n));
  const y0 = 34;
  const yk = y0 + rows * P + 18;
  const foot = Math.max(yk + n * p2, y0 + n * pX);
  const y1 = foot + (joined ? 98 : 112);
  const yv = y1 + rows * P + 20;
  const end = yv + n * p2;
  const beads = (x, y, cp) => {
    const w = Math.min(sq, cp - 3);
    return block(x, y, cp, P, w, { w, gx: (cp - w) / 2, oneRow });
  };
  const wide = oneRow ? (joined ? 210 : 190) : 140;
  const cw = Math.min(48, wide / n);
  const longest = Math.max(...state.tokens.map(({ length }) => length));
  const words = clamp(longest * 7.4, 20, 62) + 12;
  const gate = (x, y) => ({ x, y, c: Math.min(10, 28 / d_k, 34 / d_model) });
  const lanes = Array.from({ length: heads }, (_, h) => ({
    h, isOpen: h === open, hidden: h !== open,
    query: block(166, y0, Math.min(15, 40 / d_k), P, sq, { oneRow }),
    key: block(166, yk, Math.min(15, 40 / d_k), p2, p2 * 0.7),
    value: block(oneRow ? 52 : 72, yv, Math.min(15, 40 / d_v), p2, p2 * 0.7),
    scores: beads(216, y0, Math.min(48, 140 / n)),
    weights: beads(98, y1, cw),
    head: block(oneRow ? 106 + wide : 260, y1, Math.min(15, (oneRow ? 46 : 60) / d_v), P,
      sq, { oneRow }),
    gates: { query: gate(138, y0 + (rows * P - (P - sq)) / 2),
      key: gate(138, yk + (n * p2) / 2 + 6), value: gate(34, foot + (oneRow ? 46 : 30)) },
    dial: { x: 226, y: foot + (joined ? 42 : 52), r: 20 },
  }));
  const plan = { W, H: end + 6, scale: width / W, oneHead: !joined,
    lanes, ribbon: Math.min(13, P * 0.32), wordSize: Math.min(15, pX - 2, pc - 2),
    labelSize: 13, isPhone: true, end: W,
    X: block(words, y0, Math.min(15, 48 / d_model), pX, hX) };
  if (joined) {
    const y = end + 48;
    const cc = Math.min(15, 76 / (heads * d_v));
    plan.concat = block(words, y, cc, pc, pc * 0.68);
    if (state.W_O) {
      const c = Math.min(12, 60 / d_model, 64 / (heads * d_v));
      plan.gate = { x: words + cc * heads * d_v + 46, y: y + (n * pc) / 2, c };
      plan.output = block(plan.gate.x + (c * d_model) / 2 + 32, y,
        Math.min(15, 60 / d_model), pc, pc * 0.68);
    }
    plan.H = y + n * pc + 2;
  }
  return plan;
}

// `open` is the head whose lane stays open if all lanes do not fit.
/** @type {(state: MachineState, width: number, open: number) => any} */
export function planOf(state, width, open) {
  return width < NARROW ? phonePlan(state, Math.min(width, 460), open)
    : deskPlan(state, width, open);
}
