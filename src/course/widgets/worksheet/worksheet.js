// The worksheet: a whole attention computation, its walk and its arithmetic.

import { card } from "../card/card.js";
import { followSize, html } from "../card/elements.js";
import { arithmeticPanel } from "./arithmetic.js";
import { blockText } from "./block.js";
import { followClipboard } from "./clipboard.js";
import { editingOf } from "./editing.js";
import { numpyText } from "./explain.js";
import { followKeys, keysList } from "./keys.js";
import { hasMask, sizes, splitId, steps } from "./model.js";
import { playbackOf } from "./playback.js";
import { readingOf } from "./reading.js";
import { selectionOf } from "./selection.js";
import { shapePanel } from "./shape.js";
import { Sheet } from "./sheet.js";
import { codecs, refuses } from "./state.js";
import { STEP_WORDS, choice, headTabs, heading, walk } from "./walk.js";

const WIDE = 90; // rem from which the arithmetic stands beside the matrices, as in the stylesheet

/** The list of presets, the walk and the heads: what stands above the matrices. */
function controlsOf(sheet) {
  const { state, parts } = sheet;
  const { model, put } = parts;
  const options = Object.entries(model.get("presets")).map(([name, { title }]) => [name, title]);
  const example = choice({ label: "Start from", options, set: (name) => put("example", name) });
  example.node.hidden = options.length < 2;
  const turns = walk((by, id) => {
    const all = steps(state.inputs());
    const at = all.findIndex((step) => step.id === state.step().id);
    put("step", id ?? all[at + by].id);
  });
  const heads = headTabs((head) => put("head", head));
  sheet.watch(() => state.example(), (name) => example.update(name));
  sheet.watch(({ shape }) => [state.step().id, shape], () => {
    const [inputs, step] = [state.inputs(), state.step()];
    turns.update(steps(inputs), step, STEP_WORDS[step.id]({ ...sizes(inputs), masked: hasMask(inputs) }));
  });
  sheet.watch(() => [state.head(), state.step().id, state.inputs().W_Q.length], (head, _, count) =>
    heads.update(count, head, state.step().kinds));
  return [example.node, turns.node, heads.node];
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
 * The weights answer the questions that ask for a veil, and the arithmetic does where it
 * tells them; gives what is to be called once the matrices are drawn.
 */
function veilWeights(sheet, panel) {
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
    }
  };
}

/**
 * Put the arithmetic below the matrices of the step, or of the group that the selected
 * cell is in; on a wide card it stands beside them all. Gives what puts it there anew.
 */
function placing(sheet, panel) {
  let isWide = false;
  const place = () => {
    const group = sheet.grid(sheet.selected.id).node.closest(".abh-ws-group");
    const beside = (!isWide && group) || sheet.node;
    if (beside.nextElementSibling !== panel().node) beside.after(panel().node);
  };
  followSize(sheet.parts.drawing, sheet.parts.signal, ({ contentRect }) => {
    const wide = contentRect.width >= WIDE * parseFloat(getComputedStyle(document.documentElement).fontSize);
    if (wide === isWide) return;
    isWide = wide;
    place();
  });
  return place;
}

function worksheet(parts) {
  const sheet = new Sheet(parts);
  const { state } = sheet;
  const read = () => parts.read(readingOf(sheet));
  const [panelOf, showArithmetic] = [() => panel, (cell) => selection.showArithmetic(cell)];
  const editing = editingOf(sheet);
  const playback = playbackOf(sheet, { panel: panelOf, showArithmetic });
  const selection = selectionOf(sheet, { panel: panelOf, place: placing(sheet, panelOf), playback, read });
  const explainedMatrix = () => sheet.values[sheet.explained.id];
  const panel = arithmeticPanel({
    player: playback.node, follow: selection.follow, back: selection.back, nudge: editing.nudge,
    copies: [
      { words: "Copy", form: "as a block", text: () => blockText(explainedMatrix()) },
      { words: "Copy as NumPy", form: "as NumPy", text: () => numpyText(explainedMatrix()) },
    ],
    signal: parts.signal,
  });
  for (const type of ["pointerover", "focusin"]) panel.node.addEventListener(type, selection.point);
  panel.node.addEventListener("pointerleave", () => selection.point(null));
  sheet.watch(({ shape }) => [state.step().id, shape], () => panel.newStep());
  const veil = veilWeights(sheet, panel);
  followKeys(sheet, { panel, selection, editing, playback });
  followClipboard(sheet, editing);
  const shape = shapePanel(state.inputs, state.apply, state.limits);
  sheet.watch((shown) => shown.shape, () => shape.update(state.inputs()));

  parts.root.classList.add("abh-ws-card");
  heading(parts, state);
  parts.controls.append(...controlsOf(sheet));
  const footer = html("div", { class: "abh-ws-footer" }, editing.reset, decimalsList(sheet));
  parts.drawing.append(sheet.node, editing.problem, panel.node, footer, shape.node, keysList());
  parts.watch(["presets", "example", "edits", "step", "head", "decimals"], () => {
    sheet.draw();
    veil();
    selection.keep();
    editing.sayProblem();
    read();
  });
}

export default { codecs, refuses, render: (host) => worksheet(card(host, { codecs, refuses })) };
