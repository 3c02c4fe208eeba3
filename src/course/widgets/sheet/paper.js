// Prints sheets, each on a separate page, and then their keys.

import { html } from "../card/elements.js";
import { prose } from "../card/prose.js";
import { printed, shownParts, sheetOf, taskOf, upTo } from "./steps.js";
import { listOfPowers, printedCell, tableOf } from "./tables.js";

const MARKING = "One point for each entry that follows from the entries before it: a mistake counts once.";

/** Return the address at which a figure of this page shows these values. */
function addressOf(name, values) {
  const url = new URL(document.querySelector("link[rel=canonical]")?.getAttribute("href") ?? location.href, location.href);
  url.hash = "";
  url.search = Object.entries(values).map(([trait, value]) => `${name}.${trait}=${value}`).join("&");
  return url.href;
}

const line = (label) => html("span", { class: "abh-paper-line" }, label);

const isAsked = (sheet, { key }) => sheet.asked.some(({ part }) => part.key === key);

/** Limit a step to its asked rows and, for two heads, to a short title. K and V keep all rows: later steps read them. */
function shortOf(sheet, whole) {
  if (!isAsked(sheet, whole)) return whole;
  const part = sheet.sizes.heads > 1 ? { ...whole, title: whole.title.split(":")[0] } : whole;
  if (["K", "V"].includes(part.step)) return part;
  return { ...part, rows: part.rows.filter((i) => upTo(part.width).some((j) => sheet.asks(part, i, j))) };
}

/** Build the tables of some matrices; `cellOf(part, i, j)` returns the content of an asked cell. */
const matrices = (sheet, parts, cellOf) => parts.map((whole) => {
  const part = shortOf(sheet, whole);
  const cell = (i, j) => (sheet.asks(part, i, j) ? cellOf(part, i, j) : printedCell(sheet, part, i, j));
  const isLong = isAsked(sheet, part) && part.pairs; // the reader writes out the sum of products below
  return html("div", { class: isLong ? "abh-paper-step abh-paper-long" : "abh-paper-step" }, tableOf(part, sheet, cell));
});

function sheetPage(sheet, title, address) {
  return html("section", {},
    html("p", { class: "abh-paper-head" }, html("b", {}, title), line("Name"), line("Date")),
    html("p", {}, ...prose(taskOf(sheet))),
    html("p", {}, `Points: ____ of ${sheet.asked.length}. ${MARKING}`),
    html("p", {}, "Check it on the page: ", address),
    listOfPowers(sheet),
    html("div", { class: "abh-across abh-paper-steps" }, ...matrices(sheet, shownParts(sheet), () => html("span", { class: "abh-paper-blank" }))));
}

const keyPage = (sheet, title) => html("section", {},
  html("p", { class: "abh-paper-head" }, html("b", {}, `Key: ${title}`)),
  html("div", { class: "abh-across abh-paper-steps" },
    ...matrices(sheet, sheet.parts.filter((part) => isAsked(sheet, part)), (part, i, j) => html("b", {}, printed(sheet, part, i, j)))),
  html("p", {}, `${sheet.asked.length} points. ${MARKING}`));

/** Print `count` sheets, numbered from `seed` on, and their keys; sheet 1 follows sheet `largest`. */
export function print({ model }, count, largest) {
  const [kinds, kind, seed, blanks] = ["kinds", "kind", "seed", "blanks"].map((trait) => model.get(trait));
  const all = Array.from({ length: count }, (_, k) => {
    const number = ((seed - 1 + k) % largest) + 1;
    const title = `Attention by Hand. ${kinds[kind].name}, sheet ${number}`;
    const address = addressOf(model.get("_page").name, { kind, seed: number, blanks });
    return { sheet: sheetOf(kinds, kind, number, blanks), title, address };
  });
  const paper = html("div", { class: "abh-card abh-paper" },
    ...all.map(({ sheet, title, address }) => sheetPage(sheet, title, address)), ...all.map(({ sheet, title }) => keyPage(sheet, title)));
  document.body.append(paper);
  addEventListener("afterprint", () => paper.remove(), { once: true });
  globalThis.print();
}
