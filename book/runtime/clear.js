// Clearing what the device keeps: of one figure, of this page, of the whole course. It
// asks first, and says what goes.

import { forget, writeWhatWaits } from "./device.js";
import { ask } from "./dialog.js";
import { article, element, paragraph, quietButton, status } from "./elements.js";
import { entriesBelow, listOf } from "./entries.js";
import { figures, inOrder } from "./figure.js";
import { closeEverything } from "./open.js";
import { page, store } from "./storage.js";

/** Forget every figure of this page, and all that the device keeps below `start`; the cells hear of it (book/live). */
function forgetAll(start) {
  for (const figure of figures.values()) {
    figure.isLinked = false;
    forget(figure);
  }
  for (const key of entriesBelow(start)) store(key, null);
  document.dispatchEvent(new Event("cleared"));
}

/** Each extent: its label, the entries that go, what else happens, and the act. */
const EXTENTS = {
  figure: {
    label: "One figure",
    entries: (figure) => entriesBelow(`${page}/${figure.name}.`),
    also: "The figure goes back to its first state.",
    clear: (figure) => forget(figure),
  },
  page: {
    label: "This page",
    entries: () => entriesBelow(`${page}/`),
    also: "Every figure of this page goes back to its first state.",
    clear: () => forgetAll(`${page}/`),
  },
  course: {
    label: "The whole course",
    entries: () => entriesBelow(""),
    also: "Every figure of this page goes back to its first state.",
    clear: () => {
      closeEverything();
      forgetAll("");
    },
  },
};

function choice(extent, index) {
  const input = element("input", { type: "radio", name: "clear", value: extent, checked: index === 0 });
  return element("label", {}, input, ` ${EXTENTS[extent].label}`);
}

/** Ask of what to clear; `done` is told once something has been cleared. */
function askWhat(done) {
  const named = inOrder();
  const which = element("select", { ariaLabel: "Which figure" },
    ...named.map((figure, i) => element("option", { value: i }, figure.page.title)));
  which.value = Math.max(named.findIndex((figure) => EXTENTS.figure.entries(figure).length), 0);
  const [first, ...others] = Object.keys(EXTENTS).map(choice);
  const extents = element("fieldset", {}, element("legend", {}, "Of what"), first, which, ...others);
  const goes = element("div", { className: "goes" });
  goes.setAttribute("role", "status");
  const chosen = () => ({
    extent: extents.querySelector("input:checked").value,
    figure: named[which.value],
  });
  const act = quietButton("Clear", () => {
    const { extent, figure } = chosen();
    EXTENTS[extent].clear(figure);
    dialog.close();
    done();
  });
  const update = () => {
    const { extent, figure } = chosen();
    const { entries, also } = EXTENTS[extent];
    const list = listOf(entries(figure));
    which.disabled = extent !== "figure";
    goes.replaceChildren(
      list.length ? paragraph("", "This goes:") : paragraph("", "The device keeps nothing of it."),
      ...(list.length ? [element("ul", {}, ...list)] : []), paragraph("", also));
  };
  extents.addEventListener("change", update);
  update();
  const dialog = ask("Clear what this device keeps", act, extents, goes);
}

/** The line at the end of a page that offers to clear. */
export function offerToClear() {
  if (![...figures.values()].some(({ onDevice }) => onDevice.length)) return;
  const said = status();
  const button = quietButton("Clear \u2026", () => {
    writeWhatWaits();
    askWhat(() => {
      said.textContent = "Cleared. Until you leave the page, Undo brings a figure\u2019s numbers back.";
    });
  });
  button.ariaHasPopup = "dialog";
  article().append(
    paragraph("clear", "What you enter on this page stays on this device. ", button, " ", said));
}
