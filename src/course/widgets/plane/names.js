// Where the names of points stand, so that they keep clear of each other: a hand can bring
// any point to any other.

const [LETTER, PAD] = [10, 10]; // of a name at a desk, where names are largest
const DOT = 7;

/** @typedef {{ right: number, shift: number, top: number, high: number }} Side */

/** @type {(right: number, shift: number, top: number) => Side} */
const ofKnob = (right, shift, top) => ({ right, shift, top, high: 20 });

/**
 * The sides of a knob's name, as the stylesheet has them: how far right of the point it
 * begins, by how much of its own width it is shifted, how far below the point it begins.
 *
 * @type {Record<string, Side>}
 */
export const KNOB_SIDES = {
  "above-start": ofKnob(-9, 0, -31), "below-start": ofKnob(-9, 0, 10), above: ofKnob(0, -0.5, -31), below: ofKnob(0, -0.5, 10),
  "above-end": ofKnob(9, -1, -31), "below-end": ofKnob(9, -1, 10), beside: ofKnob(13, 0, -11), right: ofKnob(22, 0, 5), left: ofKnob(-22, -1, 5),
};

const SHIFTS = { start: 0, middle: -0.5, end: -1 };

/** @type {(right: number, base: number, anchor: keyof typeof SHIFTS) => Side & { base: number, anchor: string }} */
const ofText = (right, base, anchor) => ({ right, base, anchor, shift: SHIFTS[anchor], top: base - 11, high: 14 });

/** Those of a text of the drawing, with the line that it stands on, and its anchor. */
export const TEXT_SIDES = {
  above: ofText(0, -11, "middle"), below: ofText(0, 20, "middle"), left: ofText(-12, 4, "end"), right: ofText(12, 4, "start"),
  "above-left": ofText(-4, -14, "end"), "above-right": ofText(4, -14, "start"), "below-left": ofText(-4, 24, "end"), "below-right": ofText(4, 24, "start"),
};

/** Whether two boxes, each of left, top, right and bottom, have a part in common. */
const overlap = ([left, top, right, bottom], [x, y, toX, toY]) => left < toX && x < right && top < toY && y < bottom;

/**
 * Let names find their places one after the other.
 *
 * wide: where names end at the latest; taken: boxes that no name should stand over; points: nor
 * over any of these
 * Returns find(point, letters, sides, wanted): the name of the side where the least is in
 * the way; where nothing is, the one that is wanted.
 */
export function finder(wide, taken, points) {
  const [boxes, dots] = [[...taken], points.map(([x, y]) => [x - DOT, y - DOT, x + DOT, y + DOT])];
  /** @type {(point: number[], letters: number, sides: Record<string, Side>, wanted: string) => string} */
  return (point, letters, sides, wanted) => {
    const width = PAD + letters * LETTER;
    const boxOf = ({ right, shift, top, high }) => {
      const [left, y] = [point[0] + right + shift * width, point[1] + top];
      return [left, y, left + width, y + high];
    };
    const inTheWay = [...boxes, ...dots.filter((_, i) => points[i] !== point)];
    const blocked = (box) => inTheWay.filter((other) => overlap(box, other)).length + Number(box[0] < 0 || box[2] > Math.max(wide, point[0] + DOT + 2));
    const names = [wanted, ...Object.keys(sides)];
    const counts = names.map((name) => blocked(boxOf(sides[name])));
    const best = names[counts.indexOf(Math.min(...counts))];
    boxes.push(boxOf(sides[best]));
    return best;
  };
}
