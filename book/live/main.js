// Adds the buttons of a page's open cells. Their code (cell.js) is loaded at the first press of
// a button, or at once if the device keeps changed code.

import { loadScript } from "./load.js";
import { element, paragraph, quietButton, status } from "../runtime/elements.js";
import { PREFIX, keys, page } from "../runtime/storage.js";

const { cellScript, megabytes } = globalThis.abhLive;

// A page opened from disk can neither fetch files nor start a worker.
const canRun = location.protocol.startsWith("http")
  && [typeof WebAssembly, typeof Worker, typeof DecompressionStream].every((type) => type !== "undefined");

const NO_PYTHON = location.protocol === "file:"
  ? "This page was opened from disk, so its code does not run here. The code runs on a web server, and in the notebook (the link is at the top of this page)."
  : "This browser lacks what Python in the page needs (WebAssembly). The code runs in the notebook (the link is at the top of this page).";

const nodes = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".cell.live")]);
let cells; // a promise of the `LiveCell`s that cell.js makes

function loadCells() {
  cells ??= loadScript(cellScript).catch(() => {
    cells = undefined;
    throw new Error("nothing came from the site");
  }).then(() => globalThis.abhLive.cells(parts));
  return cells;
}

function part(node, index) {
  const said = status({ className: "live-said" });
  const ask = (act) => () => loadCells().then((all) => all[index][act]())
    .catch(({ message }) => said.replaceChildren(`It cannot run now: ${message}.`));
  const run = quietButton("Run", ask("press"));
  run.ariaLabel = `Run cell ${index + 1}`;
  const size = element("span", { className: "live-size" }, `The first run fetches Python: ${megabytes} MB`);
  size.hidden = index > 0; // only the first cell shows the size
  const edit = quietButton("Edit", ask("edit"));
  edit.ariaLabel = `Edit cell ${index + 1}`;
  const bar = element("div", { className: "live-bar", role: "group", ariaLabel: `Cell ${index + 1}` }, run, edit, size, said);
  const code = node.querySelector(".cell_input");
  code.after(bar);
  code.addEventListener("click", ({ target }) => {
    if (!target.closest("button, .live-editor") && getSelection().isCollapsed) edit.click();
  });
  return { node, index, bar, run, edit, size, said };
}

let parts = [];
if (!canRun) nodes[0]?.append(paragraph("live-note", NO_PYTHON));
else {
  parts = nodes.map(part);
  const isChanged = keys().some((key) => key.startsWith(`${PREFIX}${page}/cell-`) && key.endsWith(".code"));
  if (isChanged) loadCells();
}
