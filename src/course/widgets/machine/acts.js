// Turns the reader's pointer and key events into changes of the machine.

import { turned } from "./dial.js";
import { hasWordColumns, hasWordRows, openable, STAGE_OF, stagesOf } from "./stages.js";
import { withNumber } from "./state.js";
import { ARROWS } from "../card/grid.js";
import { clamp } from "../card/numbers.js";

const PIXELS = 9; // a drag of this length changes a number by 0.1
const SLACK = 4; // pixels before a press becomes a drag
const LARGEST = 10; // no drag makes a number larger, unless the number was larger before

/** Return the number to which a drag leads from `start`, in steps of 0.1 (0.01 if `fine`). */
function dragged(start, pixels, fine) {
  const step = fine ? 0.01 : 0.1;
  const bound = Math.max(LARGEST, Math.abs(start));
  return clamp(Math.round((start + Math.round(pixels / PIXELS) * step) * 1e4) / 1e4,
    -bound, bound);
}

const valueOf = (machine, d) => machine.values(d.matrix, d.head)[d.r][d.c];

/** Change a number, and show its value and place in the line above the drawing. */
function put(machine, d, value) {
  const [h, r, c] = [d.head, d.r, d.c].map(Number);
  machine.edit(withNumber(machine.inputs(), d.matrix, h, r, c, value));
  machine.showChange(d.matrix, r, c, value);
}

/** Swap a word with the word before it (by = -1) or after it (by = 1). */
function moveWord(machine, word, by) {
  const order = [...machine.state().order];
  const place = order.indexOf(word);
  if (order[place + by] === undefined) return;
  [order[place], order[place + by]] = [order[place + by], word];
  machine.set({ order, row: word });
}

/** Act on a press without a drag; `d` is the dataset of the pressed element, `d.act` names the act. */
export function press(machine, d) {
  const chosen = machine.chosen();
  const [r, c, h] = /** @type {number[]} */ (
    [d.r ?? d.row, d.c, d.head].map((text) =>
      text === undefined ? null : Number(text)));
  const acts = {
    back: () => machine.open(""), enter: () => machine.open(""),
    word: () => machine.set({ row: r }),
    pick: () =>
      machine.set(
        chosen.cell ? { row: r, cell: `${r + 1}.${chosen.cell[1] + 1}` } : { row: r }),
    lane: () => machine.set({ head: h + 1 }),
    head: () => {
      const isShown = !machine.isFolded() || chosen.head === h;
      const off = isShown ? { off: toggled(machine.state().off, h) } : {};
      machine.set({ head: h + 1, ...off });
    },
    open: () => openFrom(machine, d, r, h), cell: () => openCell(machine, d, r, c),
    edit: () => {
      if (chosen.stage) machine.type(d);
      else if (d.matrix === "X") machine.set({ row: r });
      else openFrom(machine, { ...d, matrix: STAGE_OF[d.matrix] }, null, h);
    },
  };
  acts[d.act]?.();
}

const toggled = (list, item) => list.includes(item)
    ? list.filter((each) => each !== item) : [...list, item].sort((a, b) => a - b);

function openFrom(machine, d, r, h) {
  const state = machine.state();
  const matrix = d.matrix === "concat" && state.W_O ? "output" : d.matrix;
  const isNumber = r !== null && !d.named;
  const cell = isNumber && matrix === d.matrix ? { cell: `${r + 1}.${Number(d.c) + 1}` } : {};
  machine.open(matrix, { ...(isNumber ? { row: r, ...cell } : {}),
    ...(h === null ? {} : { head: h + 1 }) });
}

function openCell(machine, d, r, c) {
  const { stage } = machine.chosen();
  if (d.matrix === machine.resultOf(stage))
    machine.set({ cell: `${r + 1}.${c + 1}`, row: r });
  else machine.set({ row: r });
}

function onPointer(machine, svg, signal) {
  /** @type {{ d: any, start: number, x: number, y: number, moved: boolean } | null} */
  let drag = null;
  svg.addEventListener("pointerdown", (event) => {
    const target = event.target.closest("[data-act]");
    if (!target || event.button) return;
    const d = { ...target.dataset };
    const start =
      d.act === "edit" ? valueOf(machine, d) : machine.state().beta;
    drag = { d, start, x: event.clientX, y: event.clientY, moved: false };
    if (["edit", "dial", "word"].includes(d.act))
      svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!drag) {
      const row = event.target.closest?.("[data-row]")?.dataset.row;
      if (event.pointerType === "mouse")
        machine.hover(row === undefined ? null : Number(row));
      return;
    }
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) <= SLACK) return;
    drag.moved = true;
    const { d, start } = drag;
    if (d.act === "edit") {
      const value = dragged(start, dx, event.shiftKey);
      if (value !== valueOf(machine, d)) put(machine, d, value);
    }
    if (d.act === "dial") machine.set({ beta: turned(start, (dx - dy) * 0.8) });
    if (d.act === "word") {
      const pitch = machine.pitch();
      if (Math.abs(dy) < pitch * 0.6) return;
      moveWord(machine, Number(d.row), Math.sign(dy));
      drag.y += Math.sign(dy) * pitch;
    }
  });
  const end = (act) => {
    const ended = drag;
    drag = null;
    if (ended && !ended.moved && act) press(machine, ended.d);
  };
  svg.addEventListener("click", () => end(true));
  svg.addEventListener("pointercancel", () => end(false));
  addEventListener("pointerup", ({ target }) => {
    if (drag?.moved || !svg.contains(target)) setTimeout(() => end(false));
  }, { signal });
  svg.addEventListener("pointerleave", () => machine.hover(null));
}

/** Move the focus from a number of a stage to its neighbour. */
function moveFocus(machine, d, [down, across]) {
  const { matrix } = d;
  const [r, c] = [Number(d.r), Number(d.c)];
  const chosen = machine.chosen();
  const values = machine.values(matrix, d.head);
  const { places } = machine.results();
  const flipped = matrix === "key" && chosen.stage === "scores";
  const [byRow, byColumn] = flipped ? [across, down] : [down, across];
  const step = (at, by, count, areWords) => {
    if (!areWords) return clamp(at + by, 0, count - 1);
    return places.indexOf(clamp(places[at] + by, 0, count - 1));
  };
  const row = step(r, byRow, values.length, hasWordRows(matrix));
  const column = step(c, byColumn, values[0].length, hasWordColumns(matrix));
  if (chosen.cell && matrix === machine.resultOf(chosen.stage))
    machine.set({ cell: `${row + 1}.${column + 1}`, row });
  else if (hasWordRows(matrix)) machine.set({ row });
  machine.focusOn(matrix, row, column, true);
}

/** Act on a key at a number of a stage; return false if the key has no effect there. */
function onNumber(machine, event, d) {
  const { key } = event;
  if (ARROWS[key] && d.key) return moveFocus(machine, d, ARROWS[key]);
  if (d.act !== "edit") return false;
  const now = valueOf(machine, d);
  if (key === "+" || key === "-")
    return put(machine, d, dragged(now, key === "+" ? PIXELS : -PIXELS, false));
  return /^[\d.,]$/.test(key) ? machine.type(d, key) : false;
}

/** Choose a row, step, stage or head by a key that the focused element does not use. */
function onOtherKey(machine, event) {
  const { key } = event;
  const [state, chosen] = [machine.state(), machine.chosen()];
  const [down, across] = ARROWS[key] ?? [0, 0];
  if (down) {
    const place = clamp(machine.results().places[chosen.row] + down, 0,
      state.tokens.length - 1);
    const row = state.order[place];
    return machine.set(
      chosen.cell ? { row, cell: `${row + 1}.${chosen.cell[1] + 1}` } : { row });
  }
  if (across && !chosen.stage) {
    const last = stagesOf(state).length - 1;
    const step = chosen.step < 0 ? (across > 0 ? 0 : last) : chosen.step + across;
    return machine.set({ step: step > last ? -1 : step });
  }
  if (across) {
    const stages = openable(state);
    const next = stages[stages.indexOf(chosen.stage) + across];
    return next ? machine.open(next) : false;
  }
  const head = Number(key) - 1;
  return state.W_Q[head] ? machine.set({ head: head + 1 }) : false;
}

function onKey(machine, event) {
  const d = event.target.closest("[data-act]")?.dataset ?? {};
  const { key, altKey } = event;
  const chosen = machine.chosen();
  const [down, across] = ARROWS[key] ?? [0, 0];
  if (key === "Escape")
    return chosen.cell ? machine.set({ cell: "" }) : chosen.stage ? machine.open("")
        : false;
  if (d.act === "dial" && (down || across))
    return machine.set({ beta: turned(machine.state().beta, (across - down) * 7.5) });
  if (d.act === "word" && altKey && down) return moveWord(machine, Number(d.row), down);
  if (d.key) {
    const done = onNumber(machine, event, d);
    if (done !== false) return done;
  }
  if ((key === "Enter" || key === " ") && d.act) return press(machine, d);
  return onOtherKey(machine, event);
}

/** Let the reader act on the drawing, until `signal` aborts. */
export function followReader(machine, svg, signal) {
  onPointer(machine, svg, signal);
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || onKey(machine, event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
