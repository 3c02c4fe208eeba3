// The open matrix, a list of the matrices of its part, and the arithmetic of the chosen cell.

import { button, html, optionsOf, selectOf, setHidden, setText, uid } from "../card/elements.js";
import { explain, written } from "./explain.js";
import { exists, matricesOfPart, nameNode, nameText, noteText, placeText, splitName } from "./names.js";
import { OF_ONE_WORD } from "./run.js";
import { sheet } from "./sheet.js";

/** Return the label of a row or a column as a text: "Row 3" for a number, else `before` + word + `after`. */
const labelText = (kind, name, before = "", after = "") => (/^\d+$/.test(name) ? `${kind} ${name}` : `${before}${name}${after}`);

/** List the products of a sum, one in each line. */
function productList(terms) {
  const item = ([a, b]) => html("li", {}, `${written(a)} × ${b < 0 ? `(${written(b)})` : written(b)} = ${written(a * b)}`);
  return html("details", { class: "abh-tr-terms" }, html("summary", {}, `all ${terms.length} products`), html("ol", {}, ...terms.map(item)));
}

/**
 * Build the inspector.
 *
 * open(name): called with the name of the matrix to open
 * Returns { node, update(run, name, seen), explain() }: `update` chooses a cell, and `explain`
 * shows how this cell was computed.
 */
export function inspector({ model, put }, open) {
  const title = html("p", { class: "abh-tr-place" });
  const matrices = selectOf([], open, { id: uid("matrix") });
  const matrixOf = html("div", { class: "abh-tr-of" }, html("label", { for: matrices.id }, "Matrix"), matrices);
  const note = html("p", { class: "abh-note" }, "\u00a0");
  const followed = selectOf([], (word) => put("word", Number(word)), { id: uid("word") });
  const chooser = html("div", { class: "abh-tr-of" }, html("label", { for: followed.id }, "Word"), followed);
  const words = html("div", { class: "abh-tr-explained", "aria-live": "polite" });
  /** @type {any} */
  let shown = null; // the last update, with the place of its chosen cell
  const showCell = (i, j) => {
    shown.chosen = [i, j];
    const { run, seen, matrix } = shown;
    const [name, row, column] = matrix.cell(i, j);
    shown.known ??= run.matricesAfter(seen);
    const { terms, lines, sources } = explain(shown.known, name, row, column);
    const links = sources.filter((source) => source.includes(".") && exists(source, run.machine.config)).map((source) => {
      const of = splitName(source)[0] !== splitName(name)[0] ? [` of ${placeText(source)}`] : [];
      return button(["open ", nameNode(source), ...of], () => open(source), { class: "abh-bare abh-tr-source" });
    });
    words.replaceChildren(
      html("p", { class: "abh-tr-cell" }, `${labelText("Row", matrix.rows[i], "“", "”")}, ${labelText("column", matrix.columns[j])}: `, html("strong", {}, written(matrix.values[i][j]))),
      ...lines.map((line) => html("p", {}, line)), ...(terms ? [productList(terms)] : []),
      ...(links.length ? [html("p", { class: "abh-acts abh-tr-sources" }, ...links)] : []));
  };
  const grid = sheet(showCell);
  const update = (run, name, seen) => {
    const isEncoder = name.startsWith("encoder");
    const labels = isEncoder ? run.english : run.read.slice(0, seen);
    const of = Math.min(model.get("word"), labels.length - 1);
    const follows = splitName(name)[1] in OF_ONE_WORD;
    setHidden(chooser, !follows);
    if (follows) {
      followed.replaceChildren(...optionsOf(labels.map((word, i) => [i, word])));
      followed.value = String(of);
    }
    setText(title, placeText(name));
    matrices.replaceChildren(...optionsOf(matricesOfPart(name).map((one) => [one, nameText(one)])));
    matrices.value = name;
    setText(note, noteText(name) || "\u00a0");
    const matrix = run.shown(name, seen, of);
    const held = grid.node.contains(document.activeElement);
    grid.update(matrix, `${nameText(name)} of ${placeText(name)}`);
    const byWord = !follows && run.matrices[name].rows === (isEncoder ? "english" : "french");
    const row = byWord ? (isEncoder ? of : seen - 1) : 0;
    const strongest = matrix.values[row].indexOf(Math.max(...matrix.values[row]));
    shown = { run, seen, matrix, chosen: [row, strongest] };
    grid.choose(...shown.chosen, held);
  };
  const node = html("div", {}, title, html("div", { class: "abh-across abh-tr-which" }, matrixOf, chooser), note, html("div", { class: "abh-across abh-tr-open" }, grid.node, words));
  return { node, update, explain: () => showCell(...shown.chosen) };
}
