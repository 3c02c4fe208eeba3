// Playing the arithmetic in a sheet: a cell term by term, or its matrix cell by cell.

import { shortNumber } from "./explain.js";
import { isInput, matrixId } from "./model.js";
import { player } from "./play.js";
import { highlight } from "./sheet.js";

/**
 * Let the reader play the arithmetic of a sheet.
 *
 * panel(): the panel of the arithmetic; showArithmetic(cell): shows that of a cell
 * Returns { node, press(mode), rest(), end(), isOn(), holds(target) }; `rest` is for when
 * all is shown, `end` shows all, `holds` tells whether pointing at an element would end it.
 */
export function playbackOf(sheet, { panel, showArithmetic }) {
  const [hide, lightTerm] = [highlight("abh-ws-later"), highlight("abh-ws-pointed")];
  let isOn = false;
  const nodesOf = (cells) => cells.map((cell) => sheet.cellNode(cell)).filter(Boolean);

  /** The matrix that plays: where an input is explained, the one that its step computes. */
  const playedId = () => {
    const { id } = sheet.explained;
    return isInput(id) ? matrixId(sheet.state.step().result, sheet.state.head()) : id;
  };
  const terms = () => sheet.explanation.terms;

  /** How much there is to play: the terms of the cell explained, or the cells of its matrix. */
  const count = (mode) => {
    if (mode === "cell") return terms().length;
    const id = playedId();
    return isInput(id) ? 0 : sheet.values[id].length * sheet.values[id][0].length;
  };

  /** Show the first `at` terms of the cell; gives what is reached. */
  const showTerms = (at) => {
    const [term, all] = [terms()[at - 1], terms().length];
    panel().reach(at, all);
    hide(at < all ? nodesOf([sheet.explained]) : []);
    lightTerm(nodesOf(term?.cells ?? []));
    return `${term?.name ?? "sum"} ${shortNumber(term?.number ?? 0, sheet.decimalsExplained)}`;
  };

  /** Show the first `at` cells of the matrix, and the arithmetic of the last of them. */
  const showCells = (at) => {
    const id = playedId();
    const all = sheet.values[id].flatMap((line, row) => line.map((_, column) => ({ id, row, column })));
    lightTerm([]);
    showArithmetic(all[Math.max(0, at - 1)]);
    panel().reach(at ? Infinity : 0, 1);
    hide(nodesOf(all.slice(at)));
    return "";
  };

  const controls = player({
    count,
    show: (mode, at) => {
      isOn = true;
      return mode === "matrix" ? showCells(at) : showTerms(at);
    },
    announce: (words) => panel().speak(words),
    signal: sheet.parts.signal,
  });
  const end = () => {
    if (!isOn) return;
    isOn = false;
    hide([]);
    lightTerm([]);
    panel().reach(Infinity, 0);
  };
  /** Play by a key, as by the button. */
  const press = (mode) => {
    sheet.parts.lift();
    controls.press(mode);
  };
  const holds = (target) => controls.playing() || (isOn && panel().node.contains(target));
  return { node: controls.node, press, rest: controls.rest, end, isOn: () => isOn, holds };
}
