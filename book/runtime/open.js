// One button skips the question of every figure, here and on the
// pages to come.

import { setInAddress } from "./address.js";
import { article, paragraph, quietButton } from "./elements.js";
import { figures } from "./figure.js";
import { models } from "./model.js";
import { PREFIX, store, stored } from "./storage.js";

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
export function closeEverything() {
  if (button) set(false);
}
