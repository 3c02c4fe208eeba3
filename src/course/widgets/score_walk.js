// Dot products as walks: 40 on a canvas, cut where the key ends, and the weights there.

import { card } from "./card/card.js";
import { bars, setPoints } from "./card/drawings.js";
import { followSize, followTheme, html, svg } from "./card/elements.js";
import { softmax } from "./card/numbers.js";
import { drawnScores } from "./drawn.js";

const [WIDE, HIGH] = [100, 100]; // of the drawing over the canvas, in its own units
const TICKS = [1, 4, 16, 64, 256, 1024];
const SLOP = 8; // pixels across from which on a finger drags the line, and does not scroll the page
const CORNERS = 64; // of the envelope, and at most so many to an octave of a walk

const SIDES = [["undivided", "softmax of q\u00a0·\u00a0k"], ["divided", "softmax of q\u00a0·\u00a0k\u00a0/\u00a0√dₖ"]];

/** Where so many steps stand from left to right, from 0 to 1: each doubling takes as much room. */
const across = (steps, widest) => Math.log2(steps) / Math.log2(widest);

/** Steps at which a walk is drawn: each of the first, then as many to each octave. */
function drawnSteps(widest) {
  const each = Array.from({ length: CORNERS }, (_, i) => i + 1);
  const octaves = Math.log2(widest / CORNERS);
  const later = Array.from({ length: Math.ceil(octaves * CORNERS) }, (_, i) => Math.round(CORNERS * 2 ** (i / CORNERS)));
  return [...new Set([...each, ...later, widest])];
}

/** The walks on their canvas; `paint(row)` draws all, those of one query on top. */
function canvasOf(walks, widest, highest) {
  const node = html("canvas", { class: "abh-walks-canvas", role: "img", "aria-label": `${walks.flat().length} walks: q · k after 1 to ${widest} steps` });
  const steps = drawnSteps(widest);
  const paint = (row) => {
    const { clientWidth: width, clientHeight: height } = node;
    const scale = globalThis.devicePixelRatio || 1;
    if (!width) return;
    [node.width, node.height] = [width * scale, height * scale];
    const context = node.getContext("2d");
    context.scale(scale, scale);
    context.lineJoin = "round";
    const style = getComputedStyle(node);
    const colour = (role) => style.getPropertyValue(`--abh-${role}`);
    const trace = (lines, role, alpha, thickness) => {
      context.beginPath();
      for (const walk of lines) {
        steps.forEach((step, i) => {
          const [x, y] = [across(step, widest) * width, (0.5 - walk[step] / (2 * highest)) * height];
          if (i) context.lineTo(x, y);
          else context.moveTo(x, y);
        });
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

/** The stage: canvas, envelope, axes, the cut with the scores that stand at it. */
function stageOf(walks, widest, highest) {
  const canvas = canvasOf(walks, widest, highest);
  const up = (score) => HIGH * (0.5 - score / (2 * highest));
  const branch = (sign) => Array.from({ length: CORNERS + 1 }, (_, i) => {
    const steps = widest ** (i / CORNERS);
    return `${((WIDE * i) / CORNERS).toFixed(3)},${up(sign * Math.sqrt(steps)).toFixed(3)}`;
  }).join(" ");
  const envelope = [1, -1].map((sign) => svg("polyline", { class: "abh-envelope", points: branch(sign) }));
  const cut = svg("polyline", { class: "abh-cut" });
  const ends = walks[0].map(() => svg("polyline", { class: "abh-walk-end" }));
  const drawing = svg("svg", { class: "abh-walks-over", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("line", { class: "abh-zero", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }), ...envelope, cut, ...ends);
  const rest = html("div", { class: "abh-walks-rest" }, html("span", { class: "abh-grip" }));
  const ticks = TICKS.map((tick) => html("span", { style: `left: ${(100 * across(tick, widest)).toFixed(2)}%` }, String(tick)));
  const heights = [50, -50].map((score) => html("span", { style: `top: ${up(score).toFixed(2)}%` }, String(score).replace("-", "−")));
  const names = ["√dₖ", "−√dₖ"].map((text, i) => html("span", { class: "abh-envelope-name", style: `top: ${up((1 - 2 * i) * Math.sqrt(widest)).toFixed(2)}%` }, text));
  const plot = html("div", { class: "abh-walks" }, canvas.node, rest, drawing,
    html("div", { class: "abh-walks-scores", "aria-hidden": "true" }, ...heights), ...names,
    html("p", { class: "abh-walks-whose" }, html("span", {}, `${walks[0].length} walks of this query`),
      ` ${walks.flat().length - walks[0].length} of the others`));
  const node = html("div", {}, plot, html("div", { class: "abh-walks-steps", "aria-hidden": "true" }, ...ticks));
  const mark = (steps, row) => {
    const x = (WIDE * across(steps, widest)).toFixed(3);
    setPoints(cut, `${x},0 ${x},${HIGH}`);
    rest.style.left = `${x}%`;
    ends.forEach((end, i) => {
      const at = `${x},${up(walks[row][i][steps]).toFixed(3)}`;
      setPoints(end, `${at} ${at}`);
    });
  };
  return { node, plot, paint: canvas.paint, mark };
}

/** Let the cut be dragged on the plot: `move` takes its share of the way across. */
function dragged(node, plot, move) {
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
    start = NaN;
    to(event);
  });
  node.addEventListener("pointerup", (event) => {
    if (held) to(event);
    held = false;
  });
  node.addEventListener("pointercancel", () => (held = false));
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const { labels, walks, widest } = drawnScores(model.get("draws"));
  const highest = 1.02 * walks.flat().reduce((top, walk) => walk.reduce((most, score) => Math.max(most, Math.abs(score)), top), 0);
  const stage = stageOf(walks, widest, highest);
  const rows = SIDES.map(([key, name]) => bars({ key, name, labels }));
  const way = html("div", { class: "abh-way" }, stage.node, view.control("d_k"));
  dragged(way, stage.plot, (share) => view.put("d_k", Math.round(widest ** share)));
  const beside = html("div", { class: "abh-ends" }, view.control("row"), html("div", { class: "abh-pair" }, ...rows.map(({ node }) => node)));
  view.drawing.classList.add("abh-walking");
  view.drawing.append(way, beside);
  view.veil(view.drawing);
  const paint = () => stage.paint(model.get("row"));
  view.watch(["row"], paint);
  followSize(stage.plot, host.signal, paint);
  followTheme(host.signal, paint);
  view.watch(["d_k", "row"], () => {
    const [steps, row] = [model.get("d_k"), model.get("row")];
    const root = Math.sqrt(steps);
    const scores = walks[row].map((walk) => walk[steps]);
    const [undivided, divided] = [softmax(scores), softmax(scores.map((score) => score / root))];
    [undivided, divided].forEach((weights, i) => rows[i].update(weights));
    stage.mark(steps, row);
    const all = walks.flat().map((walk) => walk[steps] ** 2);
    const spread = Math.sqrt(all.reduce((sum, square) => sum + square, 0) / all.length);
    view.say(steps === 1 ? "one" : "many", { spread, root, undivided: Math.max(...undivided), divided: Math.max(...divided) });
  });
}

export default { render };
