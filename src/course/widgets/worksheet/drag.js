// Numbers that one drags: a handle in the number that has the focus or is pointed at.

import { html } from "../card/elements.js";
import { cellTitle, inputDecimals, inputNumber } from "./explain.js";
import { eventCell } from "./stage.js";

const PIXELS = 6; // of a drag, that are one last digit

/** A number changed by so many of its last digits as it is shown among others. */
export function moved(value, steps, others) {
  const shown = inputNumber(value, inputDecimals(others)).replace("\u2212", "-");
  const [, fraction = "", exponent = "0"] = /(?:\.(\d+))?(?:e(.*))?$/.exec(shown) ?? [];
  const power = Number(exponent.replace("\u2212", "-")) - fraction.length;
  return Number((value + steps * 10 ** power).toFixed(Math.min(100, Math.max(0, -power))));
}

/**
 * Let the reader drag the inputs of a sheet.
 *
 * set(cell, value, act): changes a number as a part of an act
 * settle(): draws what has not yet followed
 */
export function dragging(sheet, set, settle) {
  const handle = html("span", { class: "abh-ws-handle", role: "slider", tabindex: "-1", title: "Drag sideways" });
  /** @type {any} */
  let drag = null; // where it began, of which cell and number
  const cellOf = () => eventCell({ target: handle });
  /** Put the handle into a cell of an input; of another cell it is nowhere. */
  const place = (td) => {
    if (drag || handle.parentNode === td) return;
    if (td) td.append(handle);
    else handle.remove();
    tell();
  };
  const tell = () => {
    const cell = cellOf();
    if (!cell) return;
    handle.setAttribute("aria-label", `Drag ${cellTitle(sheet.state.inputs(), cell)}`);
    handle.setAttribute("aria-valuenow", String(sheet.value(cell)));
  };
  const inputOf = (node) => node?.closest?.("td.abh-ws-input") ?? null;
  const focused = () => inputOf(sheet.node.contains(document.activeElement) ? document.activeElement : null);

  const change = (cell, value, act) => {
    set(cell, value, act);
    tell();
  };
  handle.addEventListener("pointerdown", (event) => {
    const cell = cellOf();
    if (event.button !== 0 || !cell) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    drag = { x: event.clientX, steps: 0, value: sheet.value(cell), others: sheet.values[cell.id], cell, act: {} };
  });
  handle.addEventListener("pointermove", ({ clientX }) => {
    if (!drag) return;
    const steps = Math.round((clientX - drag.x) / PIXELS);
    if (steps === drag.steps) return;
    drag.steps = steps;
    sheet.dragged = drag.cell;
    change(drag.cell, moved(drag.value, steps, drag.others), drag.act);
  });
  for (const type of ["pointerup", "pointercancel"]) {
    handle.addEventListener(type, () => {
      drag = null;
      settle();
    });
  }
  handle.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const cell = cellOf();
    if (!cell || !steps || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // no arrow goes on to another cell
    change(cell, moved(sheet.value(cell), steps, sheet.values[cell.id]));
  });
  handle.addEventListener("click", (event) => event.stopPropagation());

  const { node } = sheet;
  node.addEventListener("focusin", ({ target }) => place(inputOf(target)));
  node.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "mouse" && !handle.matches(":focus")) place(inputOf(target) ?? focused());
  });
  node.addEventListener("pointerleave", () => handle.matches(":focus") || place(focused()));
  handle.addEventListener("blur", () => queueMicrotask(() => place(focused())));
}
