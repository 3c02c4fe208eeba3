// The worksheet: a whole attention computation, its walk and its arithmetic.

import { card } from "../card/card.js";
import { followSize, html, uid } from "../card/elements.js";
import { afterFrame } from "../card/later.js";
import { arithmeticPanel } from "./arithmetic.js";
import { blockText } from "./block.js";
import { followClipboard } from "./clipboard.js";
import { comparisonOf } from "./compare.js";
import { dragging } from "./drag.js";
import { editingOf } from "./editing.js";
import { numpyText } from "./explain.js";
import { goalOf } from "./goal.js";
import { headsList } from "./heads.js";
import { followKeys, keysList } from "./keys.js";
import { hasMask, sizes, splitId, stepOf, steps } from "./model.js";
import { playbackOf } from "./playback.js";
import { readingOf } from "./reading.js";
import { selectionOf } from "./selection.js";
import { shapePanel } from "./shape.js";
import { Sheet } from "./sheet.js";
import { codecs, refuses } from "./state.js";
import { stripOf } from "./strip.js";
import { STEP_WORDS, choice, heading, walk } from "./walk.js";

// Widths of the drawing in rem; the last as in the stylesheet.
const FLOWS = 52; // from here on a whole sheet flows from left to right
const BESIDE = 90; // and from here on the arithmetic stands beside it
const PANEL = 29; // and takes so much
// Zooms of a sheet on the whole screen, the last two in smaller type: no letter of a
// matrix is below 11 pixels.
const ZOOMS = [
  { zoom: 1.9 }, { zoom: 1.5 }, { zoom: 1.25 }, { zoom: 1 }, { zoom: 1, dense: true }, { zoom: 0.92, dense: true },
];
const LAG = 100; // milliseconds after which all matrices have followed a number that is dragged

/** The list of presets. */
function examplesList(sheet) {
  const { model, put } = sheet.parts;
  const options = Object.entries(model.get("presets")).map(([name, { title }]) => [name, title]);
  const example = choice({ label: "Start from", options, set: (name) => put("example", name) });
  example.node.hidden = options.length < 2;
  sheet.watch(() => sheet.state.example(), (name) => example.update(name));
  return example.node;
}

/** The step that the reader is at: of a sheet that shows all, the one of the selected cell. */
function stepAt({ state, selected }) {
  const [inputs, step] = [state.inputs(), state.step()];
  const id = step.id === "sheet" ? stepOf(inputs, splitId(selected.id).kind) : step.id;
  return steps(inputs).find((each) => each.id === id);
}

/** The walk and the heads: what stands above the matrices; selectResult(step) selects what a step computes. */
function controlsOf(sheet, smallWeights, selectResult) {
  const { state, parts: { put } } = sheet;
  const isAll = () => state.step().id === "sheet";
  const turns = walk(
    (step) => (isAll() ? selectResult(step) : put("step", step.id)),
    (on) => put("step", on ? "sheet" : stepAt(sheet).id),
  );
  const heads = headsList((head) => put("head", head + 1), (small) => smallWeights.push(small));
  sheet.watch(({ shape }) => [stepAt(sheet).id, isAll(), shape], () => {
    const [inputs, step] = [state.inputs(), stepAt(sheet)];
    const words = STEP_WORDS[step.id]({ ...sizes(inputs), masked: hasMask(inputs) });
    turns.update(steps(inputs).filter(({ id }) => id !== "sheet"), step, words, isAll());
  });
  sheet.watch(({ values }) => [values, state.head(), state.step().id], (values, head) =>
    heads.update(state.inputs().W_Q.map((_, i) => values[`weights.${i}`]), head, state.step().kinds));
  return [turns.node, heads.node];
}

/** How many decimals are shown. */
function decimalsList(sheet) {
  const { model, put } = sheet.parts;
  const { minimum, maximum } = model.get("_page").traits.decimals.schema;
  const options = Array.from({ length: maximum - minimum + 1 }, (_, i) => [minimum + i, minimum + i]);
  const list = choice({ label: "Decimals", options, set: (n) => put("decimals", Number(n)) });
  sheet.watch(() => sheet.decimals, (count) => list.update(count));
  return list.node;
}

/**
 * Whether the sheet is too tall for the screen, or a step shows but a part of it: then the
 * strip stands above it, and is kept as it should be. Gives what tells it now.
 */
function stripWhereTall(sheet, strip) {
  const { root, signal } = sheet.parts;
  let [height, width, highest, isTall] = [0, 0, 0, false];
  const decide = () => {
    const isWhole = sheet.state.step().id === "sheet" && width > 0;
    if (isTall === !(isWhole && height <= highest)) return isTall;
    isTall = !isTall;
    root.classList.toggle("abh-ws-tall", isTall);
    if (isTall) strip.update();
    return isTall;
  };
  /** Ask how much room the screen has: seldom, since the browser lays out all to tell. */
  const look = () => {
    highest = (innerHeight - 24) / (root.currentCSSZoom ?? 1);
    decide();
  };
  followSize(sheet.node, signal, ({ contentRect }) => {
    [height, width] = [contentRect.height, contentRect.width];
    look();
  });
  addEventListener("resize", look, { signal });
  return decide;
}

/**
 * The weights answer the questions that ask for a veil, and the arithmetic does where it
 * tells them; gives what is to be called once the matrices are drawn.
 */
function veilWeights(sheet, panel, small) {
  const isWeights = ({ id }) => splitId(id).kind === "weights";
  const tellsWeights = () => [sheet.explained, ...(sheet.explanation?.sources ?? [])].some(isWeights);
  const veiled = new WeakSet();
  let veilArithmetic;
  sheet.watch(tellsWeights, () => veilArithmetic?.());
  return () => {
    for (const { id, node } of sheet.shown) {
      if (!isWeights({ id }) || veiled.has(node)) continue;
      veiled.add(node);
      sheet.parts.veil(node);
      veilArithmetic ??= sheet.parts.veil(panel.held, tellsWeights);
      for (const part of small.splice(0)) sheet.parts.veil(part);
    }
  };
}

/**
 * Put the arithmetic below the matrices of the step, or of the line of a whole sheet that
 * the selected cell is in; on a very wide card it stands beside them all. The strip stands
 * above the sheet; below X where matrices stand one below the other, so that a phone opens
 * on numbers to change and on what they change. The whole sheet takes its room first; on
 * the whole screen it is as large as it can be in sight as a whole. Gives what does this anew.
 */
function placing(sheet, panel, strip) {
  const { root, drawing, signal } = sheet.parts;
  let [width, isBeside, room, screen, isDense] = [0, false, 0, "", false];
  const place = () => {
    const { stage, node, state } = sheet;
    stage.fit(room, isDense);
    const isColumn = !room && state.step().id === "sheet";
    const above = isColumn ? stage.lineOf(sheet.grid("X").node) : node.previousElementSibling;
    if (above !== strip() && above.nextElementSibling !== strip()) above.after(strip());
    const line = (!isBeside && stage.lineOf(sheet.grid(sheet.selected.id).node)) || node;
    const after = line.nextElementSibling === strip() ? strip() : line;
    if (after.nextElementSibling !== panel().node) after.after(panel().node);
  };
  const take = (wide, dense = isDense) => {
    if (wide === width && dense === isDense) return;
    [width, isDense] = [wide, dense];
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    isBeside = width >= BESIDE * rem && !root.classList.contains("abh-filled");
    root.classList.toggle("abh-ws-beside", isBeside);
    room = width < FLOWS * rem ? 0 : Math.floor(width - (isBeside ? PANEL * rem : 0));
    place();
  };
  /** Whether all matrices are in sight: with the arithmetic, or where they are small already without. */
  const isInSight = () => {
    const nodes = isDense ? sheet.shown.map((grid) => grid.node) : [sheet.node];
    const bottom = Math.max(...nodes.map((node) => node.getBoundingClientRect().bottom));
    return bottom - root.getBoundingClientRect().top + root.scrollTop <= innerHeight;
  };
  /** Enlarge a sheet on the whole screen, once for each screen and shape. */
  const enlarge = () => {
    const now = root.classList.contains("abh-filled") ? `${innerWidth} ${innerHeight} ${sheet.shape}` : "";
    if (now === screen) return;
    screen = now;
    const isWholeAt = ({ zoom, dense = false }) => {
      root.style.zoom = now ? String(zoom) : "";
      take(drawing.clientWidth, dense);
      return isInSight();
    };
    const isTall = root.classList.contains("abh-ws-tall");
    root.classList.remove("abh-ws-tall"); // a sheet that is whole in sight has no strip
    if (!now || !ZOOMS.some(isWholeAt)) isWholeAt({ zoom: 1 });
    root.classList.toggle("abh-ws-tall", isTall);
  };
  followSize(drawing, signal, ({ contentRect }) => {
    enlarge();
    take(contentRect.width);
  });
  addEventListener("resize", enlarge, { signal });
  sheet.watch(({ shape }) => shape, enlarge);
  return place;
}

/**
 * Draw a sheet: what the reader watches, and the rest, which of a number in hand comes
 * later: of a typed one when the frame is on the screen, or as the reader goes on; of a
 * dragged one within LAG, in a frame of its own, else the hand's next move would wait for it.
 *
 * Returns { show(), settle() }; `settle` draws what has not yet followed a drag.
 */
function drawnInTurns(sheet, watched, rest) {
  const { signal } = sheet.parts;
  const later = afterFrame(sheet.node, signal);
  let [lagging, isBehind] = [0, false];
  const settle = () => {
    if (!sheet.dragged || signal.aborted) return;
    clearTimeout(lagging);
    [lagging, sheet.dragged] = [0, null];
    show();
  };
  const catchUp = () => isBehind && show();
  const show = () => {
    isBehind = false; // a field that is taken away now loses its focus
    watched();
    if (!sheet.inHand) {
      rest();
      return;
    }
    if (sheet.dragged) lagging ||= setTimeout(() => requestAnimationFrame(settle), LAG);
    else {
      isBehind = true;
      void later([catchUp]);
    }
  };
  signal.addEventListener("abort", () => clearTimeout(lagging));
  sheet.node.addEventListener("focusout", catchUp);
  return { show, settle };
}

/** A link over the worksheet, for who comes by Tab. */
function skipLinks(root) {
  const past = html("span", { id: uid("abh-ws-past"), tabindex: "-1" });
  const link = html("a", { class: "abh-ws-skip", href: `#${past.id}` }, "Skip the worksheet");
  link.addEventListener("click", (event) => {
    event.preventDefault(); // the address is the figure's
    past.focus();
  });
  root.prepend(link);
  root.append(past);
}

function worksheet(parts) {
  const sheet = new Sheet(parts);
  const { state } = sheet;
  const read = () => {
    parts.read(readingOf(sheet));
    if (isTall()) strip.update();
  };
  const [panelOf, showArithmetic] = [() => panel, (cell) => selection.showArithmetic(cell)];
  const editing = editingOf(sheet);
  const playback = playbackOf(sheet, { panel: panelOf, showArithmetic });
  const selection = selectionOf(sheet, { panel: panelOf, place: placing(sheet, panelOf, () => strip.node), playback, read });
  const explainedMatrix = () => sheet.values[sheet.explained.id];
  const panel = arithmeticPanel({
    player: playback.node, follow: selection.follow, back: selection.back, nudge: editing.nudge,
    copies: [
      { words: "Copy", form: "as a block", title: "Copy the matrix of this cell, for a spreadsheet", text: () => blockText(explainedMatrix()) },
      { words: "Copy as NumPy", form: "as NumPy", title: "Copy the matrix of this cell, for Python; it can be pasted back", text: () => numpyText(explainedMatrix()) },
    ],
    signal: parts.signal,
  });
  for (const type of ["pointerover", "focusin"]) panel.node.addEventListener(type, selection.point);
  panel.node.addEventListener("pointerleave", () => selection.point(null));
  sheet.watch(({ shape }) => [state.step().id, shape], () => panel.newStep());
  const comparison = comparisonOf(sheet, (words) => panel.speak(words));
  const strip = stripOf(sheet, comparison.line);
  const smallWeights = [strip.weights];
  const veil = veilWeights(sheet, panel, smallWeights);
  const isTall = stripWhereTall(sheet, strip);
  const goal = goalOf(sheet);
  followKeys(sheet, { panel, selection, editing, playback });
  followClipboard(sheet, editing);
  dragging(sheet, editing.put, () => settle());
  const shape = shapePanel(state.inputs, state.apply, state.limits);
  sheet.watch((shown) => shown.shape, () => shape.update(state.inputs()));

  parts.root.classList.add("abh-ws-card");
  heading(parts, state, examplesList(sheet));
  parts.controls.append(...controlsOf(sheet, smallWeights, selection.selectResult));
  const footer = html("div", { class: "abh-ws-footer" }, editing.reset, comparison.pin, decimalsList(sheet));
  parts.drawing.append(goal.node, strip.node, sheet.node, panel.node, footer, shape.node, keysList());
  parts.drawing.append(editing.problem);
  parts.root.querySelector(".abh-reading").ariaLive = "off"; // a keystroke says no rows
  skipLinks(parts.root);
  const watched = () => {
    sheet.draw();
    goal.update();
    comparison.show();
    if (sheet.inHand && isTall()) strip.update();
    if (sheet.typed) editing.sayProblem();
  };
  const rest = () => {
    selection.keep();
    veil();
    editing.sayProblem();
    read();
  };
  const { show, settle } = drawnInTurns(sheet, watched, rest);
  parts.watch(["presets", "goal", "example", "edits", "step", "head", "decimals"], show);
  parts.watch(["cell"], () => selection.isAsked() && show());
}

const render = (host) => worksheet(card(host, { asks: "below", codecs, refuses }));

export default { codecs, refuses, render };
