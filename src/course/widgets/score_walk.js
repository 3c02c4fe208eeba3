// Dot products as 40 walks on a canvas, a line at the width of the key, and the weights there.

import { card } from "./card/card.js";
import { bars, setPoints } from "./card/drawings.js";
import { followSize, followTheme, html, setText, svg } from "./card/elements.js";
import { inFull, softmax } from "./card/numbers.js";
import { drawnScores } from "./drawn.js";

const [WIDE, HIGH] = [100, 100]; // size of the drawing over the canvas, in its own units
const SHORT_AXIS = 128; // last step of the axis for short walks
const SHORT_WALK = 96; // walks up to this step use the short axis
const TICKS = 4; // besides the tick at 0
const SLOP = 8; // pixels that a finger must move sideways to drag the line
const CORNERS = 64; // corners of each branch of the root curve
const MOST_POINTS = 512; // about the largest number of drawn points of a walk

const SIDES = [["undivided", "softmax of q\u00a0·\u00a0k"], ["divided", "softmax of q\u00a0·\u00a0k\u00a0/\u00a0√dₖ"]];

/** Return the last step of the axis for a walk. The axis is linear, so √d_k is drawn as a root. */
const lastFor = (steps, widest) => (steps <= SHORT_WALK ? SHORT_AXIS : widest);

/** Return the largest distance from 0 of all walks up to a step, plus 2 %. */
const highestOf = (walks, last) =>
  1.02 * Math.max(...walks.flat().map((walk) => Math.max(...walk.slice(0, last + 1).map(Math.abs))));

/** Build the canvas; `paint` draws all walks up to step `last`, the walks of query `row` on top. */
function canvasOf(walks, widest) {
  const node = html("canvas", { class: "abh-walks-canvas", role: "img", "aria-label": `${walks.flat().length} walks: q · k after 1 to ${widest} steps` });
  const paint = (row, last, highest) => {
    const { clientWidth: width, clientHeight: height } = node;
    const scale = globalThis.devicePixelRatio || 1;
    if (!width) return;
    [node.width, node.height] = [width * scale, height * scale];
    const context = node.getContext("2d");
    context.scale(scale, scale);
    context.lineJoin = "round";
    const style = getComputedStyle(node);
    const colour = (role) => style.getPropertyValue(`--abh-${role}`);
    const stride = Math.ceil(last / MOST_POINTS);
    const trace = (lines, role, alpha, thickness) => {
      context.beginPath();
      for (const walk of lines) {
        for (let step = 0; step <= last; step += stride) {
          const [x, y] = [(step / last) * width, (0.5 - walk[step] / (2 * highest)) * height];
          if (step) context.lineTo(x, y);
          else context.moveTo(x, y);
        }
      }
      context.strokeStyle = colour(role);
      context.globalAlpha = alpha;
      context.lineWidth = thickness;
      context.stroke();
    };
    trace(walks.flatMap((each, i) => (i === row ? [] : each)), "muted", 0.3, 0.75);
    trace(walks[row], "key", 1, 1);
  };
  return { node, paint };
}

/**
 * Build the stage: canvas, envelope, axes, and the cut line with a dot at each score.
 *
 * Returns { node, plot, paint(row), show(last), mark(steps, row), last() }: `show` sets the
 * last step of the axis, `mark` moves the cut.
 */
function stageOf(walks, widest) {
  const canvas = canvasOf(walks, widest);
  const scales = Object.fromEntries([SHORT_AXIS, widest].map((last) => [last, highestOf(walks, last)]));
  let last = widest;
  const heightOf = (score) => HIGH * (0.5 - score / (2 * scales[last]));
  const branch = (sign) => Array.from({ length: CORNERS + 1 }, (_, i) => {
    const share = i / CORNERS; // √step / √last: equal steps of the root give a smooth curve
    return `${(WIDE * share ** 2).toFixed(3)},${heightOf(sign * share * Math.sqrt(last)).toFixed(3)}`;
  }).join(" ");
  const envelope = [1, -1].map(() => svg("polyline", { class: "abh-envelope" }));
  const cut = svg("polyline", { class: "abh-cut" });
  const ends = walks[0].map(() => svg("polyline", { class: "abh-walk-end" }));
  const drawing = svg("svg", { class: "abh-walks-over", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("line", { class: "abh-zero", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }), ...envelope, cut, ...ends);
  const faded = html("div", { class: "abh-walks-rest" }, html("span", { class: "abh-grip" }));
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => html("span", { style: `left: ${(100 * i) / TICKS}%` }, " "));
  const heights = [1, -1].map(() => html("span", {}, " "));
  const names = ["√dₖ", "−√dₖ"].map((text) => html("span", { class: "abh-envelope-name" }, text));
  const plot = html("div", { class: "abh-walks" }, canvas.node, faded, drawing,
    html("div", { class: "abh-walks-scores", "aria-hidden": "true" }, ...heights), ...names,
    html("p", { class: "abh-note abh-walks-whose" }, html("span", {}, `${walks[0].length} walks of this query`),
      ` ${walks.flat().length - walks[0].length} of the others`));
  const node = html("div", {}, plot, html("div", { class: "abh-walks-steps", "aria-hidden": "true" }, ...ticks));
  const show = (step) => {
    last = step;
    const score = 10 * Math.floor(scales[last] / 20); // a round number at about half the height
    [1, -1].forEach((sign, i) => {
      setPoints(envelope[i], branch(sign));
      setText(heights[i], inFull(sign * score));
      heights[i].style.top = `${heightOf(sign * score).toFixed(2)}%`;
      names[i].style.top = `${heightOf(sign * Math.sqrt(last)).toFixed(2)}%`;
    });
    ticks.forEach((tick, i) => setText(tick, inFull((last * i) / TICKS)));
  };
  const mark = (steps, row) => {
    const x = ((WIDE * steps) / last).toFixed(3);
    setPoints(cut, `${x},0 ${x},${HIGH}`);
    faded.style.left = `${x}%`;
    ends.forEach((end, i) => {
      const at = `${x},${heightOf(walks[row][i][steps]).toFixed(3)}`;
      setPoints(end, `${at} ${at}`);
    });
  };
  return { node, plot, paint: (row) => canvas.paint(row, last, scales[last]), show, mark, last: () => last };
}

/** Make the cut draggable: call `move` with its share of the width, and `drop` after a drag. Returns isHeld(). */
function dragged(node, plot, { move, drop }) {
  let [held, start] = [false, 0];
  const to = ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    move(Math.min(Math.max((clientX - left) / width, 0), 1));
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button || !plot.contains(event.target)) return;
    [held, start] = [true, event.clientX];
    plot.setPointerCapture(event.pointerId);
    if (event.pointerType !== "touch") to(event);
  });
  node.addEventListener("pointermove", (event) => {
    const mayScroll = event.pointerType === "touch" && Math.abs(event.clientX - start) < SLOP;
    if (!held || mayScroll) return;
    start = NaN; // from now on the finger drags: mayScroll stays false
    to(event);
  });
  node.addEventListener("pointerup", (event) => {
    if (held) to(event);
    end();
  });
  node.addEventListener("pointercancel", end);
  function end() {
    held = false;
    drop();
  }
  return () => held;
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const { labels, walks, widest } = drawnScores(model.get("draws"));
  const stage = stageOf(walks, widest);
  const rows = SIDES.map(([key, name]) => bars({ key, name, labels }));
  const walkColumn = html("div", { class: "abh-way" }, stage.node, view.control("d_k"));
  const isHeld = dragged(walkColumn, stage.plot, {
    move: (share) => view.put("d_k", Math.max(1, Math.round(share * stage.last()))),
    drop: () => fit(),
  });
  const beside = html("div", { class: "abh-ends" }, view.control("row"), html("div", { class: "abh-columns", style: "--abh-least: 7.25rem" }, ...rows.map(({ node }) => node)));
  view.drawing.classList.add("abh-walking");
  view.drawing.append(walkColumn, beside);
  const paint = () => stage.paint(model.get("row"));
  /** Choose the axis for the walks at this width, unless the reader is dragging the cut. */
  const fit = () => {
    const [steps, row] = [model.get("d_k"), model.get("row")];
    const last = isHeld() ? stage.last() : lastFor(steps, widest);
    if (last !== stage.last()) {
      stage.show(last);
      paint();
    }
    stage.mark(steps, row);
  };
  stage.show(lastFor(model.get("d_k"), widest));
  view.watch(["row"], paint);
  followSize(stage.plot, host.signal, paint);
  followTheme(host.signal, paint);
  view.watch(["d_k", "row"], () => {
    const [steps, row] = [model.get("d_k"), model.get("row")];
    const root = Math.sqrt(steps);
    const scores = walks[row].map((walk) => walk[steps]);
    const [undivided, divided] = [softmax(scores), softmax(scores.map((score) => score / root))];
    [undivided, divided].forEach((weights, i) => rows[i].update(weights));
    fit();
    const all = walks.flat().map((walk) => walk[steps] ** 2);
    const spread = Math.sqrt(all.reduce((sum, square) => sum + square, 0) / all.length);
    view.say(steps === 1 ? "one" : "many", { spread, root, undivided: Math.max(...undivided), divided: Math.max(...divided) });
  });
}

export default { render };
