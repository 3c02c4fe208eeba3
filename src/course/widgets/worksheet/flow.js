// How a whole sheet flows from X to the output: in one line from left to right where the
// width allows it, else in the lines that are lowest together.

const SIGN = 20; // pixels of a sign with the gaps around it
const ARROW = 28; // and of the arrow before a stage
const GAP = 12;
const BARE = 4; // pixels that stay where a matrix goes without its tokens' names
const LINE = 90; // pixels of height that another line must save
const JOINED = 320; // pixels that are left to a concatenation that scrolls at any width

const sum = (list) => list.reduce((total, x) => total + x, 0);
const most = (list) => Math.max(0, ...list);

/** Boxes side by side, each of [width, height]. */
const beside = (boxes, gap = GAP) => [sum(boxes.map(([w]) => w)) + gap * (boxes.length - 1), most(boxes.map(([, h]) => h))];

/** Boxes one below the other. */
const below = (boxes, gap = GAP) => [most(boxes.map(([w]) => w)), sum(boxes.map(([, h]) => h)) + gap * (boxes.length - 1)];

/** A lane: a projection and what it gives, signs before both. */
function lane([weights, result], isColumn) {
  return isColumn
    ? below([[weights[0] + SIGN, weights[1]], [result[0] + SIGN, result[1]]])
    : beside([[SIGN, 0], weights, [SIGN, 0], result], 0);
}

/** So many equal columns of boxes. */
function columns(boxes, count) {
  const rows = Math.ceil(boxes.length / count);
  const [width, height] = [most(boxes.map(([w]) => w)), most(boxes.map(([, h]) => h))];
  return [count * width + (count - 1) * GAP, rows * height + (rows - 1) * GAP];
}

/** All ways to break a list of stages into lines, as lists of the places where lines begin. */
function breaks(count) {
  return Array.from({ length: 2 ** (count - 1) }, (_, bits) =>
    Array.from({ length: count - 1 }, (_, i) => i + 1).filter((i) => bits & (1 << (i - 1))));
}

/** What an arrangement that is less easy to follow must save, in pixels of height. */
function untidy({ labels, lanes, out }) {
  return (labels ? 0 : 24) + (lanes === "rows" ? 0 : 48) + (out === "row" ? 0 : 24);
}

function* arrangements(sizes) {
  for (const labels of [true, false]) {
    for (const lanes of ["rows", "columns"]) {
      for (let look = 1; look <= sizes.look.length; look += 1) {
        for (const out of sizes.out.length > 1 ? ["row", "column"] : ["row"]) {
          yield { labels, lanes, look, out };
        }
      }
    }
  }
}

/** Whether a concatenation scrolls however much room it has. */
const isTooWide = ([width], room) => width > room - SIGN - ARROW;

/** The box of each stage in an arrangement. */
function stagesOf({ X, lanes, label, look, head, joined, out }, chosen, room) {
  const narrowed = ([w, h]) => [Math.min(w, room - SIGN - ARROW), h]; // wider ones scroll
  const bare = ([w, h, least]) => narrowed([chosen.labels ? w : Math.max(w - label + BARE, least), h]);
  const isColumn = chosen.lanes === "columns";
  const each = lanes.map(([weights, result]) => lane([narrowed(weights), bare(result)], isColumn));
  const concat = joined.map((box) => (isTooWide(box, room) ? [JOINED, box[1]] : bare(box)));
  const led = [columns(look.map(narrowed), chosen.look), bare(head), ...concat].map(([w, h]) => [w + ARROW, h]);
  const signed = out.map((box, i) => (i ? bare(box) : narrowed(box))).map(([w, h]) => [w + SIGN, h]);
  const stages = [narrowed(X), isColumn ? beside(each) : below(each), ...led];
  if (!out.length) return stages;
  return chosen.out === "row" ? [...stages, beside(signed, 0)] : [...stages.slice(0, -1), below([...stages.slice(-1), ...signed])];
}

/**
 * The lowest arrangement that is not wider than the room; where there are several, one
 * with labels at every matrix and few lines. Where none fits, the narrowest.
 *
 * sizes: [width, height, least width] of X and the head's output, of the pairs of each
 * lane, of the matrices of who looks at whom, of the concatenation, of what follows it;
 * label: the width that the tokens' names take beside a matrix, which all but X and
 * weights can do without
 * Returns { labels, lanes, look, out, starts, height, spare }; starts: the stages that
 * begin a line; spare: the pixels of a concatenation that scrolls, null where it does not
 */
export function lowest(sizes, room) {
  /** @type {any} */
  let best = null;
  const at = sizes.joined.some((box) => isTooWide(box, room)) ? 4 : -1; // X, lanes, look and head come before it
  for (const chosen of arrangements(sizes)) {
    const boxes = stagesOf(sizes, chosen, room);
    for (const starts of breaks(boxes.length)) {
      const ends = [...starts, boxes.length];
      const lines = ends.map((end, i) => beside(boxes.slice(i ? ends[i - 1] : 0, end), 0));
      const [width, height] = below(lines, 2 * GAP);
      const cost = [Math.max(0, width - room), height + untidy(chosen) + LINE * starts.length];
      if (!best || cost[0] < best.cost[0] || (cost[0] === best.cost[0] && cost[1] < best.cost[1])) {
        const line = at < 0 ? -1 : ends.findIndex((end) => at < end);
        const spare = line < 0 ? null : JOINED + Math.max(0, room - lines[line][0] - BARE); // widths were rounded
        best = { ...chosen, starts, height, cost, spare };
      }
    }
  }
  return best;
}
