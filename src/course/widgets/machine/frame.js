// Scales and places of numbers. A frame holds all that one drawing needs: the numbers, their
// places (`plan`), and what the reader has chosen.

import { hasWordColumns, isInput, matrixOf, STAGE_OF } from "./stages.js";

/**
 * Return for each matrix the number that gets the full colour: the largest absolute value in
 * all heads. Weights have 1, and logits have the number of the scores.
 */
export function scalesOf(state, results) {
  const most = (...matrices) =>
    Math.max(1e-3,
      ...matrices.flat(2).map((x) => (Number.isFinite(x) ? Math.abs(x) : 0)));
  const scales = { X: most(state.X), weights: 1, concat: most(results.concat),
    output: most(results.output), W_O: state.W_O ? most(state.W_O) : 1,
    sum: most(results.sum ?? results.output) };
  for (const name of ["query", "key", "value", "scores", "head"])
    scales[name] = most(...results.heads.map((head) => head[name]));
  for (const name of ["W_Q", "W_K", "W_V"]) scales[name] = most(...state[name]);
  scales.logits = scales.scores;
  return scales;
}

/** Return the centre of a weight matrix in the drawing, and the size of its cells. */
export const gateOf = (plan, matrix, h) =>
  matrix === "W_O" ? plan.gate : plan.lanes[h].gates[STAGE_OF[matrix]];

/** Return the box of a cell in the drawing; it moves gradually when words swap places. */
export function placeOf(frame, matrix, h, row, column) {
  const { plan, results, state, places } = frame;
  if (isInput(matrix) && matrix !== "X") {
    const gate = gateOf(plan, matrix, h);
    const rows = matrixOf(state, results, matrix, h);
    const left = gate.x - (rows[0].length * gate.c) / 2;
    const top = gate.y - (rows.length * gate.c) / 2;
    const [x, y] = [left + column * gate.c, top + row * gate.c];
    return { x, y, w: gate.c - 0.8, h: gate.c - 0.8 };
  }
  const name = matrix === "logits" ? "scores" : matrix;
  const block = plan[name] ?? plan.lanes[h][name];
  const across = hasWordColumns(matrix) ? places[column] : column;
  const down = block.oneRow ? 0 : places[row];
  const x = block.x + across * block.cp + (block.gx ?? 0);
  return { x, y: block.y + down * block.rp, w: block.w, h: block.h };
}
