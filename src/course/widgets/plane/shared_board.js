// Two heads write on a shared board through their blocks of W_O, which the reader drags.

/** @import { Get, Result } from "../contract.d.ts" */

import { card } from "../card/card.js";
import { setPoints, setValue } from "../card/drawings.js";
import { html, setText, svg } from "../card/elements.js";
import { goalOf, resultsOfGoal } from "../card/goal.js";
import { clamp, shortened } from "../card/numbers.js";
import { knob, pointsOf, setAt, stage } from "./stage.js";

const [LEFT_OUT, FULL] = [0, 2];
const OWN = [1, 3]; // first column of each head when the heads stand side by side
const MODES = ["left-out", "block-diagonal"]; // keys of sentences; the mode FULL has three
// The hint of each mode. Each fits in one line, so that the layout does not move.
const HINTS = ["There is no block to drag.", "Drag a block up or down.", "Drag a block sideways, or up and down."];
const HEADS = [0, 1];
const PLACES = [0, 1, 2, 3];

// Sizes of the drawing, in its own pixels.
const [LEFT, WIDE, HIGH] = [90, 60, 28]; // left edge of the columns; width and height of a cell
const TOPS = [24, 88]; // top of each block
const [ZERO, UNIT] = [290, 23]; // of the bars: place of 0, and length of 1
const SIZE = [LEFT + 4 * WIDE + 2, 348];
const BARS = [6, 24, 42]; // left edges in a column: input, head 1 and head 2
const THICK = 15;
const MARK = 3; // value at whose height the names of the bars begin

/** Return W_O, the numbers that input and heads write, and the sum of each column. */
function boardOf(mode, [column1, strength1, column2, strength2], { input, results }) {
  const columns = mode === FULL ? [column1, column2] : OWN;
  const strengths = mode === LEFT_OUT ? [1, 1] : [strength1, strength2];
  const W_O = PLACES.map((row) => PLACES.map((j) => {
    const head = row >> 1;
    return j === columns[head] - 1 + (row % 2) ? strengths[head] : 0;
  }));
  const written = [input, ...results.map(([one, two], head) =>
    PLACES.map((j) => one * W_O[2 * head][j] + two * W_O[2 * head + 1][j]))];
  return { columns, W_O, written, sums: PLACES.map((j) => written.reduce((sum, row) => sum + row[j], 0)) };
}

/** Return for each sum whether it is at its mark. */
const hitsOf = (sums, { marks }) => sums.map((sum, j) => Math.abs(sum - marks[j]) < 1e-9);

const reaches = (given) => (blocks) => hitsOf(boardOf(FULL, blocks, given).sums, given).every(Boolean);

/**
 * The goal, and the blocks with which the reader first reached it.
 *
 * @param {Get} get
 * @returns {Result[]}
 */
export const results = (get) => resultsOfGoal(get, 4, reaches(get("given")));

const heightOf = (value) => ZERO - UNIT * value;

const box = (x, y, width, height) => pointsOf([[x, y], [x + width, y], [x + width, y + height], [x, y + height]]);

/** Draw the results of both heads and W_O, and below the columns of W_O the board. */
function drawing({ results: returned, marks }) {
  const board = stage({ size: SIZE, origin: [LEFT, 0], unit: WIDE, name: "The blocks of two heads, and below their columns the board" });
  const text = (props, words) => svg("text", { "text-anchor": "middle", ...props }, words);
  const middle = (j) => LEFT + WIDE * (j + 0.5);
  const tiles = HEADS.map((head) => svg("polygon", { class: "abh-tile", fill: `var(--abh-head-${head + 1})`, "fill-opacity": 0.12 }));
  const cells = PLACES.map((row) => PLACES.map((j) => text({
    "data-name": `W_O-${row + 1}-${j + 1}`, x: middle(j), y: TOPS[row >> 1] + HIGH * (row % 2) + 19,
  }, " ")));
  const bars = ["muted", "head-1", "head-2"].map((role) => PLACES.map(() => svg("polygon", { class: "abh-bar", fill: `var(--abh-${role})` })));
  const across = (j, value, props) => svg("line", { x1: LEFT + WIDE * j + 3, x2: LEFT + WIDE * (j + 1) - 3, y1: heightOf(value), y2: heightOf(value), ...props });
  const targets = marks.map((mark, j) => across(j, mark, { stroke: "var(--abh-output)", "stroke-dasharray": "5 3", "stroke-width": 2.5 }));
  const ends = PLACES.map((j) => across(j, 0, { class: "abh-reached" }));
  const sums = PLACES.map((j) => text({ class: "abh-sum", "data-name": `sum-${j + 1}`, x: middle(j), y: SIZE[1] - 6 }, " "));
  const inked = (role) => `fill: var(--abh-${role})`;
  const beside = (y, words, role) => text({ class: "abh-row-name", "text-anchor": "end", style: inked(role), x: LEFT - 8, y }, words);
  board.drawing.append(
    beside(14, "column", "muted"), ...PLACES.map((j) => text({ class: "abh-tick abh-column-name", x: middle(j), y: 14 }, String(j + 1))),
    ...HEADS.flatMap((head) => [
      svg("rect", { class: "abh-block", fill: "none", stroke: "var(--abh-line)", x: LEFT, y: TOPS[head], width: 4 * WIDE, height: 2 * HIGH }),
      tiles[head],
      text({ class: "abh-head-name", "text-anchor": "start", style: inked(`head-${head + 1}`), x: 4, y: TOPS[head] + HIGH + 5 }, `head ${head + 1}`),
      ...returned[head].map((value, i) => beside(TOPS[head] + HIGH * i + 19, shortened(value, 2), `head-${head + 1}`))]),
    ...cells.flat(),
    svg("line", { stroke: "var(--abh-muted)", x1: LEFT, x2: LEFT + 4 * WIDE, y1: ZERO, y2: ZERO }),
    ...bars.flat(), ...targets, ...ends,
    ...[["mark", "output"], ["input", "muted"], ["+ head 1", "head-1"], ["+ head 2", "head-2"]].map(([words, role], i) =>
      beside(heightOf(MARK) + 4 + 19 * i, words, role)),
    beside(SIZE[1] - 6, "sum", "ink"), ...sums);
  const show = ({ columns, W_O, written, sums: found }, hits) => {
    tiles.forEach((tile, head) => setPoints(tile, box(LEFT + WIDE * (columns[head] - 1), TOPS[head], 2 * WIDE, 2 * HIGH)));
    cells.forEach((line, i) => line.forEach((cell, j) => {
      setValue(cell, W_O[i][j], shortened(W_O[i][j], 2));
      cell.classList.toggle("abh-nothing", W_O[i][j] === 0);
    }));
    PLACES.forEach((j) => {
      let sum = 0;
      written.forEach((row, who) => {
        const [low, high] = [Math.min(sum, sum + row[j]), Math.max(sum, sum + row[j])];
        setPoints(bars[who][j], box(LEFT + WIDE * j + BARS[who], heightOf(high), THICK, UNIT * (high - low)));
        sum += row[j];
      });
      setAt(ends[j], { y1: heightOf(sum), y2: heightOf(sum) });
      ends[j].classList.toggle("abh-hit", hits[j]);
      setValue(sums[j], found[j], shortened(found[j], 2));
    });
  };
  return { board, show };
}

function render(host) {
  const view = card(host, { lines: [2, 3] });
  const { model, put } = view;
  const given = model.get("given");
  const blocks = HEADS.map((head) => [`column_${head + 1}`, `strength_${head + 1}`]);
  const goal = goalOf(view, 4, reaches(given));
  const drawn = drawing(given);
  const reach = (2 * HIGH * 0.7) / WIDE; // how far a knob goes from strength 0 to 1
  const centre = (head) => -(TOPS[head] + HIGH) / WIDE;
  const placeOf = (head, [column, strength]) => [column, centre(head) + reach * (strength - 0.5)];
  /** @returns {[number, number]} */
  const stateOf = (head) => [model.get(blocks[head][0]), model.get(blocks[head][1])];
  const knobs = HEADS.map((head) => knob(drawn.board, {
    role: `head-${head + 1}`,
    steps: [1, reach * given.step],
    get: () => placeOf(head, stateOf(head)),
    put: ([x, y]) => {
      const [column, strength] = blocks[head];
      const share = clamp((y - centre(head)) / reach + 0.5, 0, 1);
      if (model.get("mode") === FULL) put(column, clamp(Math.round(x), 1, 3));
      put(strength, given.step * Math.round(share / given.step));
    },
  }));
  view.drawing.classList.add("abh-plane", "abh-shared-board");
  const hint = html("p", { class: "abh-note" });
  view.drawing.append(drawn.board.node, html("div", { class: "abh-beside" }, ...goal.nodes, view.control("mode"), hint));
  view.watch(["mode", ...blocks.flat()], () => {
    const mode = model.get("mode");
    setText(hint, HINTS[mode]);
    const states = HEADS.map(stateOf);
    const [a, b, c, d] = states.flat();
    const found = boardOf(mode, [a, b, c, d], given);
    const hits = hitsOf(found.sums, given);
    drawn.show(found, hits);
    knobs.forEach((each, head) => {
      const [column, strength] = [found.columns[head], states[head][1]];
      each.node.hidden = mode === LEFT_OUT;
      each.show(placeOf(head, [column, strength]), "right");
      each.describe(`block of head ${head + 1}`, "", [column, `columns ${column} and ${column + 1}, strength ${shortened(strength, 2)}`]);
    });
    const count = hits.filter(Boolean).length;
    const isSilent = states.some(([, strength]) => strength === 0);
    view.say(MODES[mode] ?? (count === 4 ? "all" : isSilent ? "silent" : "full"), { hits: count, silent: isSilent });
    if (mode === FULL) goal.meet(states.flat());
  });
}

export default { render };
