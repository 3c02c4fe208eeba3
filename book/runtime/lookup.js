// Gives lookup tables a field that filters the rows, and headings that sort the rows.

import { element, status } from "./elements.js";

const { compare } = new Intl.Collator("en", { numeric: true });
const textOf = (node) => node.textContent.trim().replaceAll("\u2212", "-");

// Return the number at the start of a cell, or NaN. At most two other characters, such as "$", may
// stand before the number. The text of a power of ten is "4×10-34".
const numberIn = (text) =>
  Number.parseFloat(text.replace(/^[^\d-]{0,2}/, "").replace(/^(-?[\d.]+)\s*×\s*10/, "$1e"));

function inOrder(a, b) {
  const difference = numberIn(a) - numberIn(b);
  return Number.isNaN(difference) || difference === 0 ? compare(a, b) : difference;
}

function searchField(rows) {
  const field = element("input", { type: "search", autocomplete: "off" });
  const said = status();
  field.addEventListener("input", () => {
    const words = field.value.replaceAll("\u2212", "-").toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = textOf(row).toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    said.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  });
  said.textContent = `${rows.length} rows`;
  return element("p", { className: "lookup-search" }, element("label", {}, "Search ", field), " ", said);
}

function offerToSort(table, rows) {
  const heads = [...table.tHead.rows[0].cells];
  for (const [column, head] of heads.entries()) {
    if (!textOf(head)) continue;
    const button = element("button", { type: "button", className: "lookup-sort" });
    button.append(...(head.querySelector("p") ?? head).childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sorted = rows.toSorted((a, b) => inOrder(textOf(a.cells[column]), textOf(b.cells[column])));
      table.tBodies[0].append(...(down ? sorted.reverse() : sorted));
    });
  }
}

// On a phone each row is shown as a block, so each cell needs the name of its column.
function nameCells(table, rows) {
  const names = [...table.tHead.rows[0].cells].map(textOf);
  for (const row of rows) for (const [column, cell] of [...row.cells].entries()) cell.dataset.head = names[column];
}

/** Give each table of the class `lookup` a search field and headings that sort. */
export function offerToLookUp() {
  for (const box of document.querySelectorAll(".lookup")) {
    const table = /** @type {HTMLTableElement} */ (box.querySelector("table"));
    const rows = [...table.tBodies[0].rows];
    nameCells(table, rows);
    offerToSort(table, rows);
    box.prepend(searchField(rows));
  }
}
