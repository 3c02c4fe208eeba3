// Chooses the places of points' names so that they do not overlap: the reader can drag any
// point to any other point.

const [LETTER, PAD] = [10, 10]; // pixels of a letter, and of a name's padding, on a wide screen, where names are largest
const DOT = 7; // half the side of the box around a point, in pixels

/** @typedef {{ right: number, shift: number, top: number, high: number }} Side */

/** @type {(right: number, shift: number, top: number) => Side} */
const ofKnob = (right, shift, top) => ({ right, shift, top, high: 20 });

/**
 * The sides of a knob's name: pixels to the right of the point, shift as a share of the name's
 * width, pixels below the point.
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

/** The sides of a text in the drawing, with its baseline and its anchor. */
export const TEXT_SIDES = {
  above: ofText(0, -11, "middle"), below: ofText(0, 20, "middle"), left: ofText(-12, 4, "end"), right: ofText(12, 4, "start"),
  "above-left": ofText(-4, -14, "end"), "above-right": ofText(4, -14, "start"), "below-left": ofText(-4, 24, "end"), "below-right": ofText(4, 24, "start"),
};

/** Whether two boxes [left, top, right, bottom] overlap. */
const overlap = ([left, top, right, bottom], [x, y, toX, toY]) => left < toX && x < right && top < toY && y < bottom;

/**
 * Choose the sides of names, one name after the other.
 *
 * wide: the right end of the room for names; taken, points: boxes and points that no name should
 * cover
 * Returns find(point, letters, sides, wanted), which returns the key of the side with the fewest
 * overlaps. Among equal sides, `wanted` comes first.
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
    const obstacles = [...boxes, ...dots.filter((_, i) => points[i] !== point)];
    const overlaps = (box) => obstacles.filter((other) => overlap(box, other)).length + Number(box[0] < 0 || box[2] > Math.max(wide, point[0] + DOT + 2));
    const names = [wanted, ...Object.keys(sides)];
    const counts = names.map((name) => overlaps(boxOf(sides[name])));
    const best = names[counts.indexOf(Math.min(...counts))];
    boxes.push(boxOf(sides[best]));
    return best;
  };
}
