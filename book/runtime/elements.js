// Elements that stand on the page beside the figures, and the dialog that asks before
// something goes.

// Elements that stand on the page beside the figures.

export function element(tag, props = {}, ...content) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...content);
  return node;
}

export const paragraph = (className, ...content) => element("p", { className }, ...content);

export function quietButton(text, act) {
  const button = element("button", { type: "button", className: "quiet" }, text);
  button.addEventListener("click", act);
  return button;
}

// Words that appear are read out.
export function status() {
  const node = document.createElement("span");
  node.setAttribute("role", "status");
  return node;
}

/** Whether a text could be put on the clipboard. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no clipboard, or not allowed: the text is shown, to be selected by hand
  }
}

/** The element that holds the page's text. */
export const article = () => /** @type {HTMLElement} */ (document.querySelector("article"));

// The dialog that asks before something goes.

/**
 * Open it and give it: its title, its content, then `act`, the button that does it, and
 * one that keeps everything, which has the focus.
 */
export function ask(title, act, ...content) {
  const keep = quietButton("Keep everything", () => dialog.close());
  const dialog = element("dialog", { className: "clearing", ariaLabel: title },
    paragraph("clearing-title", title), ...content, paragraph("clearing-acts", act, keep));
  dialog.addEventListener("close", () => dialog.remove());
  article().append(dialog);
  dialog.showModal();
  keep.focus();
  return dialog;
}
