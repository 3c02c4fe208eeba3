// Lets the code of a page's cells read and set the page's figures. The figures belong to
// another script, runtime/figures.js, so this file asks by an event; the listener writes
// its answer into the event's `detail`. A page without figures has no listener.

/** Return, for each figure's name, `shown` (the texts of its traits) and `own` (the traits that the reader has changed). */
export function shownFigures() {
  const detail = {};
  document.dispatchEvent(new CustomEvent("code-reads", { detail }));
  return detail;
}

/**
 * Set a figure, or return in `refused` the reason why it was not set.
 *
 * @param {string} name
 * @param {Record<string, string>} texts The new values, by trait.
 * @param {boolean} isMade Whether the cell that the reader ran also makes the figure.
 * @returns {{ refused?: string, isChanged?: boolean, canUndo?: boolean }} `canUndo`: whether Undo can take every change back.
 */
export function setFigure(name, texts, isMade) {
  // This reason stays if no listener answers.
  const detail = { name, texts, isMade, refused: "this page has no figure of that name" };
  document.dispatchEvent(new CustomEvent("code-sets", { detail }));
  return detail;
}
