// Buttons of the page: skip all predictions, copy a figure's link, show the figures on the whole
// screen, clear the device's entries.

import { linkTo, setInAddress } from "./address.js";
import { flush } from "./device.js";
import { article, ask, copied, element, paragraph, quietButton, status } from "./elements.js";
import { entriesBelow, listOf } from "./entries.js";
import { figures, inOrder, models } from "./figures.js";
import { PREFIX, page, store, stored } from "./storage.js";

// "Skip predictions": opens every figure that asks a question first, on this and on later pages.

const OPEN = `${PREFIX}open`;
const asking = () => [...models.values()].filter((model) => model.get("_page")?.opened);
let button;

function show(open) {
  button.ariaPressed = String(open);
  for (const model of asking()) model.set(model.get("_page").opened, open || Boolean(figures.get(model)?.isLinked));
}

function set(open) {
  store(OPEN, open ? "1" : null);
  setInAddress({ open: open ? "everything" : null });
  show(open);
}

export function offerToOpenEverything() {
  if (!asking().length) return;
  button = quietButton("Skip predictions", () => set(button.ariaPressed !== "true"));
  button.title = "Show every figure of the course without its question";
  button.classList.add("open-everything");
  const strap = document.querySelector(".strap");
  if (strap) strap.append(button);
  else article().prepend(paragraph("strap", button));
  show(stored(OPEN) !== null || new URLSearchParams(location.search).get("open") === "everything");
}

/** Ask for predictions again, on every page. */
function closeEverything() {
  if (button) set(false);
}

// "Copy link", in every card.

const LONG = 2000; // characters: some programs cut longer links

/** Give a figure's card a button that copies a link to the figure in its present state. */
export function offerLink(figure, place) {
  const card = place.querySelector(".abh-card");
  if (!card || !figure.page.figure) return;
  const foot = card.querySelector(".abh-foot") ?? card.appendChild(document.createElement("div"));
  foot.classList.add("abh-note", "abh-foot");
  const said = status();
  const button = quietButton("Copy link", async () => {
    const link = linkTo(figure);
    const long = link.length > LONG
      ? ` It is ${link.length.toLocaleString("en")} characters long; some programs cut links at ${LONG.toLocaleString("en")}.`
      : "";
    said.textContent = (await copied(link)) ? `Copied: a link to this figure.${long}` : link;
  });
  foot.prepend(said);
  foot.append(button);
}

// "Present": shows the figures of a page on the whole screen, one after another, for a class. Page
// Down shows the next figure, Page Up the previous one; a presenter's remote control sends these
// keys too.

const STEPS = { PageDown: 1, PageUp: -1 };
const presentable = () => [...document.querySelectorAll("main .abh-card[data-fills]")].filter((card) => card.checkVisibility());
const fill = (card) => card?.dispatchEvent(new Event("fill"));

/** Return the first figure whose bottom edge is below the top of the window. */
const nearest = () => presentable().find((card) => card.getBoundingClientRect().bottom > 0);

export function offerToPresent() {
  const button = document.querySelector(".present");
  button?.addEventListener("click", () => fill(nearest() ?? presentable().at(-1)));
  document.addEventListener("keydown", (event) => {
    const shown = STEPS[event.key] && (document.fullscreenElement ?? document.querySelector(".abh-filled"));
    if (!shown) return;
    const all = presentable();
    const now = all.findIndex((card) => card === shown);
    if (now < 0) return;
    event.preventDefault();
    fill(all[now + STEPS[event.key]]);
  });
}

// "Clear": deletes the entries of one figure, of this page or of the whole course. A dialog
// first lists the entries to be deleted.

/**
 * Set every figure of this page to its first state, and delete all entries below `start`. The
 * event `cleared` lets the page's cells (book/live) go back to the course's code.
 */
function forgetAll(start) {
  for (const { storage } of figures.values()) storage.forget();
  for (const key of entriesBelow(start)) store(key, null);
  document.dispatchEvent(new Event("cleared"));
}

/** What a reader can clear: label, entries to delete, a note on other effects, the function. */
const EXTENTS = {
  figure: {
    label: "One figure",
    entries: (figure) => entriesBelow(`${page}/${figure.name}.`),
    also: "The figure goes back to its first state.",
    clear: ({ storage }) => storage.forget(),
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
      forgetAll("");
      closeEverything();
    },
  },
};

function choice(extent, index) {
  const input = element("input", { type: "radio", name: "clear", value: extent, checked: index === 0 });
  return element("label", {}, input, ` ${EXTENTS[extent].label}`);
}

/** Open the dialog that asks what to clear; `done` is called after the deletion. */
function askWhat(done) {
  const named = inOrder();
  const which = element("select", { ariaLabel: "Which figure" },
    ...named.map((figure, i) => element("option", { value: i }, figure.page.title)));
  which.value = Math.max(named.findIndex((figure) => EXTENTS.figure.entries(figure).length), 0);
  const [first, ...others] = Object.keys(EXTENTS).map(choice);
  const extents = element("fieldset", {}, element("legend", { className: "unseen" }, "Of what"), first, which, ...others);
  const preview = element("div", { className: "goes", role: "status" });
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
    preview.replaceChildren(
      list.length ? paragraph("", "This will be deleted:") : paragraph("", "This device keeps nothing of it."),
      ...(list.length ? [element("ul", {}, ...list)] : []), paragraph("", also));
  };
  extents.addEventListener("change", update);
  update();
  const dialog = ask("Clear what this device keeps", act, extents, preview);
}

/** Add the line with the button "Clear" at the end of the page. */
export function offerToClear() {
  if (![...figures.values()].some(({ onDevice }) => onDevice.length)) return;
  const said = status();
  const button = quietButton("Clear \u2026", () => {
    flush();
    askWhat(() => {
      said.textContent = "Cleared. Until you leave the page, Undo brings a figure\u2019s numbers back.";
    });
  });
  button.ariaHasPopup = "dialog";
  article().append(
    paragraph("clear", "What you enter on this page stays on this device. ", button, " ", said));
}
