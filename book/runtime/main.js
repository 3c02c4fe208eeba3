// Gives the widgets of a static page their models, with no kernel and no server.
//
// The page holds what Jupyter wrote: the state of each model and a place for each
// view. The course's views are scripts of the site (book/widgets.py), named in `_esm`.
// The state of any other widget holds the code of its view. Each view gets a model with
// the methods of anywidget's front end that the course's views use (get, set, on, off,
// save_changes, widget_manager), so the same view also runs in a notebook.
//
// The runtime also keeps the reader's changes in the address and on the device
// (address.js, device.js) and adds the page's buttons (page_buttons.js), the results,
// the progress, the search in lookup tables, and the access of cells' code to figures.

import { followTheReader, takeFromAddress } from "./address.js";
import { FigureStorage, followOtherTabs } from "./device.js";
import { article, element } from "./elements.js";
import { Figure, Model, figures, followCode, models, show } from "./figures.js";
import { offerLink, offerToClear, offerToOpenEverything, offerToPresent } from "./page_buttons.js";
import { showResults } from "./page_results.js";
import { followProgress } from "./progress.js";
import { offerToLookUp } from "./lookup.js";
import { anchorIn, keysIn } from "./query.js";
import { withBuffers } from "../../src/course/widgets/card/values.js";

const STATE = "application/vnd.jupyter.widget-state+json";
const VIEW = "application/vnd.jupyter.widget-view+json";

function read() {
  for (const script of document.querySelectorAll(`script[type="${STATE}"]`)) {
    const all = JSON.parse(script.textContent).state;
    for (const [id, saved] of Object.entries(all)) {
      models.set(id, new Model(withBuffers(saved)));
    }
  }
}

// A figure is set to the state on the device first, then to the state in the address. So a
// reader who opens a link sees the link's state.
function prepare(model, widget) {
  if (!model.get("_page")?.traits) return; // a widget that is no card
  const figure = new Figure(model, widget);
  figures.set(model, figure);
  figure.storage = new FigureStorage(figure);
  takeFromAddress(figure);
  figure.storage.begin();
}

/** Return a promise that lets the browser draw and answer the reader before the next task. */
const aPause = () => globalThis.scheduler?.yield?.() ?? new Promise((go) => setTimeout(go));

async function showIn(place, model) {
  try {
    await show(model, place, prepare);
  } catch (error) {
    place.textContent = "This figure could not start.";
    console.error(error);
  }
  const figure = figures.get(model);
  if (figure) offerLink(figure, place);
  return [figure, place];
}

// Each figure is a separate task, so that a slow phone can answer between two figures.
async function showAll() {
  const shown = [];
  for (const script of document.querySelectorAll(`script[type="${VIEW}"]`)) {
    await aPause();
    const model = models.get(JSON.parse(script.textContent).model_id);
    const place = /** @type {HTMLElement} */ (script.closest(".widget"));
    shown.push(await showIn(place, model));
  }
  return shown;
}

// Show a note for each figure that the address names and the page does not have.
function refuseUnknownFigures() {
  const known = new Set([...models.values()].map((model) => model.get("_page")?.name));
  const named = new Set(keysIn(location).map((key) => key.match(/^([\w-]+)\.\w+$/)?.[1]));
  for (const name of named) {
    if (!name || known.has(name)) continue;
    const said = element("p", { className: "refused", role: "status" }, `The address names a figure \u201c${name}\u201d, and this page has none of that name.`);
    article().prepend(said);
  }
}

// Scroll again to the anchor in the address, or else to the first figure that the address
// sets: figures have their final height only now.
function goToWhatIsNamed(shown) {
  const [, first] = shown.find(([figure]) => figure?.isLinked) ?? [];
  const anchor = anchorIn(location);
  (anchor ? document.getElementById(anchor) : first)?.scrollIntoView();
}

read();
refuseUnknownFigures();
const shown = showAll();
offerToOpenEverything();
offerToPresent();
followTheReader();
followOtherTabs();
followProgress();
offerToLookUp();
followCode();
shown.then((all) => {
  showResults();
  offerToClear();
  goToWhatIsNamed(all);
});
