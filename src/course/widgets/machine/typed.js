// Numbers that are typed or pasted at a stage.

import { compute } from "./arithmetic.js";
import { refusalBeside } from "../card/controls.js";
import { html, setText } from "../card/elements.js";
import { counted, inFull } from "../card/numbers.js";
import { blockText, placeBlock, readBlock, readEntry } from "./pasted.js";
import { hasWordColumns, hasWordRows, isInput, STAGES, symbolOf } from "./stages.js";
import { withMatrix, withNumber } from "./state.js";

const REASON_HEIGHT = 70; // pixels that the reason of a refused text may need
const cellOf = (target) => target?.closest?.("[data-key]")?.dataset;
const nameOf = (matrix) => symbolOf(matrix).replace("^", "");

/** Let the reader type over a number, and paste and copy matrices. */
export function typing(machine) {
  const { place, svg, limits } = machine;
  const status = html("p", { class: "abh-ma-status", role: "status" });
  /**
   * @type {{ box: Element, level: string, isStale: () => boolean, cover: () => void,
   *   leave: () => void, remove: () => void } | null}
   */
  let open = null; // the field that is open
  const level = () => `${machine.get("stage")} ${machine.chosen().head}`;

  /** Open a field over a number. A refused text stays in the field, with the reason. */
  function type({ matrix, head, r: row, c: column }, first = "") {
    open?.leave();
    const [h, r, c] = [head, row, column].map(Number);
    const now = machine.values(matrix, h)[r][c];
    const at = `${nameOf(matrix)}, row ${r + 1}, column ${c + 1}`;
    const field = html("input", { type: "text", class: "abh-ma-field",
      inputmode: "decimal", autocomplete: "off", "aria-label": at });
    const { node: refusal, refuse } = refusalBeside(field);
    refusal.classList.add("abh-ma-refusal");
    field.value = first || inFull(now).replace("\u2212", "-");
    const box = html("div", { class: "abh-ma-typed" }, field, refusal);
    /** Put the field over its number, wherever the number is now. */
    const cover = () => {
      const number = svg.querySelector(`[data-key="${matrix}.${r}.${c}"]`);
      if (!number) return;
      const [from, around] = [number, place].map((node) => node.getBoundingClientRect());
      const [{ scrollLeft, scrollTop }, zoom] = [place, machine.zoom()];
      const lengths = { left: (from.left - around.left) / zoom + scrollLeft,
        top: (from.top - around.top) / zoom + scrollTop,
        width: from.width / zoom, height: from.height / zoom };
      for (const name in lengths) box.style[name] = `${lengths[name]}px`;
      const room = place.clientWidth - (lengths.left - scrollLeft); // to the right edge
      box.style.setProperty("--abh-room", `${room}px`);
      const below = svg.getBoundingClientRect().bottom - from.bottom;
      box.classList.toggle("abh-ma-low", below < REASON_HEIGHT * zoom);
    };
    cover();
    const remove = () => {
      open = null;
      box.remove(); // this fires blur, which take() must ignore
    };
    let last = now; // the number that the field has put into the matrix
    const put = (value) => {
      if (value === last) return;
      last = value;
      machine.edit(withNumber(machine.inputs(), matrix, h, r, c, value));
    };
    /** Put the field's number into the matrix; return why it is refused, or "". */
    const read = () => {
      const { value, message } = readEntry(field.value, limits.size);
      put(message ? now : value);
      return message;
    };
    const take = (focus) => {
      if (open?.box !== box) return;
      const message = read();
      refuse(message);
      if (!message) close(focus);
    };
    const close = (focus) => {
      remove();
      machine.focusOn(matrix, r, c, focus);
    };
    field.addEventListener("input", () => {
      refuse("");
      read();
    });
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") take(true);
      if (event.key !== "Escape") return;
      put(now);
      close(true);
    });
    field.addEventListener("blur", () => take(false));
    place.append(box);
    const isStale = () => machine.values(matrix, h)?.[r]?.[c] !== last;
    open = { box, level: level(), isStale, cover, remove, leave() {
      remove();
      const message = read();
      if (message) setText(status, `${at} stays as it was. ${message}`);
    } };
    field.focus();
    if (!first) field.select();
  }
  /** Close the field if the reader left its level, or if something else changed its number. */
  function closeIfStale() {
    if (open && open.level !== level()) open.leave();
    else if (open?.isStale()) open.remove();
  }

  function pasteInto(matrix, h, corner, text, fromTable) {
    const values = machine.values(matrix, h);
    const shape = [values.length, values[0].length];
    const read = readBlock(text, shape, limits.size, fromTable);
    if (!read.block) return `Nothing was pasted. ${read.message}`;
    const { at, message } = placeBlock(read.block, shape, corner, nameOf(matrix));
    return at ? putBlock(matrix, h, at, read.block) : `Nothing was pasted. ${message}`;
  }

  /** Return the place at which a row of a matrix is drawn. */
  const placeOf = (matrix, r) => (hasWordRows(matrix) ? machine.results().places[r] : r);

  /** Return a matrix as it is drawn, with the words in their present order. */
  function drawnValues(matrix, h) {
    const [values, { order }] = [machine.values(matrix, h), machine.state()];
    const rows = hasWordRows(matrix) ? order.map((word) => values[word]) : values;
    if (!hasWordColumns(matrix)) return rows;
    return rows.map((row) => order.map((word) => row[word]));
  }

  function putBlock(matrix, h, [row, column], block) {
    const values = machine.values(matrix, h);
    const filled = values.map((line, r) =>
      line.map((x, c) => block[placeOf(matrix, r) - row]?.[c - column] ?? x),
    );
    machine.edit(withMatrix(machine.inputs(), matrix, h, filled));
    return `${counted(block.flat().length, "number")} pasted into ${nameOf(matrix)}.`;
  }

  svg.addEventListener("paste", (event) => {
    const d = cellOf(event.target);
    if (!d) return;
    event.preventDefault();
    const { clipboardData: data } = event;
    if (!isInput(d.matrix)) {
      setText(status, `${nameOf(d.matrix)} is computed: paste into X or a matrix W.`);
      return;
    }
    const fromTable = /<td/i.test(data.getData("text/html"));
    const corner = [placeOf(d.matrix, Number(d.r)), Number(d.c)];
    setText(status, pasteInto(d.matrix, Number(d.head), corner,
      data.getData("text/plain"), fromTable));
  });
  svg.addEventListener("copy", (event) => {
    const d = cellOf(event.target);
    if (!d || !getSelection()?.isCollapsed) return;
    event.preventDefault();
    const text = blockText(drawnValues(d.matrix, d.head));
    event.clipboardData.setData("text/plain", text);
    setText(status, `${nameOf(d.matrix)} copied: it can be pasted into a spreadsheet.`);
  });
  return { type, closeIfStale, cover: () => open?.cover(), pasteInto, status };
}

/** Return the matrices that the reader can set; those of the stage come first. */
export function inputsAt(state, stage) {
  const all = ["X", "W_Q", "W_K", "W_V", ...(state.W_O ? ["W_O"] : [])];
  const { left, above, result } = STAGES[stage] ?? {};
  const here = [left, above, result].filter((matrix) => matrix && isInput(matrix));
  return [...here.toReversed(), ...all.filter((matrix) => !here.includes(matrix))];
}

const rowsText = (matrix, indent) =>
  `[${matrix.map((row) => `[${row.map(String).join(", ")}]`).join(`,\n${indent}`)}]`;

/** Return the whole computation as Python code that calls `attention`. */
export function asNumPy(state) {
  const array = (name, m) =>
    `${name} = np.array(${rowsText(m, " ".repeat(name.length + 12))})`;
  const between = ",\n    ";
  const indented = (m) => rowsText(m, "     ");
  const stack = (name, all) =>
    `${name} = np.array([\n    ${all.map(indented).join(between)},\n])`;
  const isReordered = state.order.some((word, place) => word !== place);
  const words = (list) => list.map((word) => JSON.stringify(word)).join(", ");
  const mask = state.padding.map((p) => (p ? "False" : "True")).join(", ");
  const when = (holds, line) => (holds ? [line] : []);
  const isAdded = compute(state).sum !== null;
  return [
    "import numpy as np", "", "from attention import trace_attention", "",
    `tokens = [${words(state.tokens)}]`, array("X", state.X), stack("W_Q", state.W_Q),
    stack("W_K", state.W_K), stack("W_V", state.W_V),
    ...(state.W_O ? [array("W_O", state.W_O)] : []),
    ...when(state.off.length, `W_V[[${state.off.join(", ")}]] = 0  # heads that are off`),
    `mask = np.array([${mask}])  # True: takes part`,
    ...when(isReordered, `order = [${state.order.join(", ")}]\nX, mask = X[order], mask[order]`),
    ...when(state.causal, "mask = mask & np.tri(len(X), dtype=bool)"),
    "trace = trace_attention(X @ W_Q, X @ W_K, X @ W_V, attn_mask=mask, " +
      `scale=${state.beta} / np.sqrt(${state.W_Q[0][0].length}))`,
    "output = np.concatenate(trace.output, axis=1)  # the heads side by side",
    ...when(state.W_O, "output = output @ W_O"),
    ...when(isAdded, "output = X + output"),
    "print(output.round(3))",
    "",
  ].join("\n");
}
