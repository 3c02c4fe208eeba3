// Clearing what the device keeps: of one figure, of this page, of the whole course. It
// asks first, and says what goes.

import { PREFIX, forget, keys, page, store } from "./device.js";
import { element, paragraph, quietButton, status } from "./elements.js";
import { figures } from "./figure.js";
import { closeEverything } from "./open.js";

// What the traits of figures are, for a reader: one and several.
const KINDS = {
  answer: ["prediction", "predictions"],
  picked: ["quiz", "quizzes"],
  entry: ["exercise", "exercises"],
  marks: ["exercise", "exercises"],
  helped: ["exercise", "exercises"],
  edits: ["worksheet with numbers of your own", "worksheets with numbers of your own"],
};
const OTHER = ["setting", "settings"];

const joined = (list) => list.join(", ").replace(/, ([^,]*)$/, " and $1");

/** What some entries are: "2 predictions and 1 quiz". */
export function inWords(entries) {
  const found = new Map();
  for (const entry of entries) {
    const [, figure, trait] = entry.match(/^(.*)\.(\w+)$/) ?? [null, entry, ""];
    const kind = KINDS[trait] ?? OTHER;
    found.set(kind, (found.get(kind) ?? new Set()).add(kind === OTHER ? entry : figure));
  }
  return joined([...found].map(([[one, several], { size }]) => `${size} ${size === 1 ? one : several}`));
}

const below = (start) => keys().filter((key) => key.startsWith(`${PREFIX}${start}`));

const pageOf = (key) => key.slice(PREFIX.length).match(/^(.*)\/[^/]*$/)?.[1] ?? "";

/** A page's title, as the table of contents has it. */
function titleOf(name) {
  const links = [...document.querySelectorAll("#contents a[href]")];
  const found = links.find((link) => link.href.split(/[?#]/)[0].endsWith(`/${name}.html`) || (name === page && link.ariaCurrent === "page"));
  return found?.textContent.trim().replace(/\s+/g, " ") ?? name;
}

function forgetAll(those) {
  closeEverything();
  for (const figure of those) forget(figure);
}

/** Each extent: its label, the entries that go, what else happens, and the act. */
const EXTENTS = {
  figure: {
    label: "One figure",
    entries: (figure) => below(`${page}/${figure.name}.`),
    also: "The figure goes back to its first state.",
    clear: (figure) => forget(figure),
  },
  page: {
    label: "This page",
    entries: () => below(`${page}/`),
    also: "Every figure of this page goes back to its first state.",
    clear: () => forgetAll(figures.values()),
  },
  course: {
    label: "The whole course",
    entries: () => below(""),
    also: "Every figure of this page goes back to its first state.",
    clear: () => {
      forgetAll(figures.values());
      for (const key of keys()) store(key, null);
    },
  },
};

/** What goes, as a list: one line a page. */
function listOf(entries) {
  const names = [...new Set(entries.map(pageOf))];
  const pages = names.map((name) => [name, entries.filter((entry) => pageOf(entry) === name)]);
  return pages.map(([name, own]) =>
    element("li", {}, `${name ? `${titleOf(name)}: ` : ""}${inWords(own)}`));
}

function choice(extent, index) {
  const input = element("input", { type: "radio", name: "clear", value: extent, checked: index === 0 });
  return element("label", {}, input, ` ${EXTENTS[extent].label}`);
}

/** The dialog; `done` is told once something has been cleared. */
function dialogOf(done) {
  const named = [...figures.values()];
  const which = element("select", { ariaLabel: "Which figure" },
    ...named.map((figure, i) => element("option", { value: i }, figure.model.get("title") ?? figure.name)));
  const choices = Object.keys(EXTENTS).map(choice);
  choices[0].after(which);
  const goes = element("div", { className: "goes" });
  goes.setAttribute("role", "status");
  const act = quietButton("Clear", () => {
    const { extent, figure } = chosen();
    EXTENTS[extent].clear(figure);
    dialog.close();
    done(extent);
  });
  const keep = quietButton("Keep everything", () => dialog.close());
  const dialog = element("dialog", { className: "clearing", ariaLabel: "Clear what this device keeps" },
    element("p", { className: "clearing-title" }, "Clear what this device keeps"),
    element("fieldset", {}, element("legend", {}, "Of what"), choices[0], which, ...choices.slice(1)),
    goes, paragraph("clearing-acts", act, keep));
  const chosen = () => ({
    extent: dialog.querySelector("input:checked").value,
    figure: named[which.value],
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
  dialog.addEventListener("change", update);
  dialog.addEventListener("close", () => dialog.remove());
  return { dialog, update, keep };
}

/** The line at the end of a page that offers to clear. */
export function offerToClear() {
  if (![...figures.values()].some(({ device }) => device.length)) return;
  const said = status();
  const button = quietButton("Clear \u2026", () => {
    const { dialog, update, keep } = dialogOf(() => {
      said.textContent = "Cleared. Until you leave the page, Undo brings a figure\u2019s numbers back.";
    });
    document.querySelector("article").append(dialog);
    update();
    dialog.showModal();
    keep.focus();
  });
  button.ariaHasPopup = "dialog";
  document.querySelector("article").append(
    paragraph("clear", "What you enter on this page stays on this device. ", button, " ", said));
}
