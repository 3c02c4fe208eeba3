// The figures of the page, for the code of its cells. The page's runtime has them
// (runtime/figures.js), another script; where there is none, the page has no figure.

/** What the figures are set to, by figure: the texts of their traits, and which of them the reader has changed. */
export function shownFigures() {
  const detail = {};
  document.dispatchEvent(new CustomEvent("code-looks", { detail }));
  return detail;
}

/**
 * Set a figure to what code asks for, or hear why not.
 *
 * @param {string} name
 * @param {Record<string, string>} texts By trait.
 * @param {boolean} isMade Whether the cell that the reader ran has made the figure.
 * @returns {{ refused?: string, isChanged?: boolean, isUndone?: boolean }} `isUndone`: whether Undo takes all of it back.
 */
export function setFigure(name, texts, isMade) {
  const detail = { name, texts, isMade, refused: "this page has no figure of that name" };
  document.dispatchEvent(new CustomEvent("code-sets", { detail }));
  return detail;
}
