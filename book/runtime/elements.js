// Makes elements of the page outside the figures, and the dialog that asks before the page
// deletes something.

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

// Return an empty element; screen readers read out each text that is put into it.
export function status() {
  const node = document.createElement("span");
  node.setAttribute("role", "status");
  return node;
}

/** Copy a text to the clipboard; return whether this worked. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no clipboard, or not allowed: the caller shows the text
  }
}

/** Return the element that holds the page's text. */
export const article = () => /** @type {HTMLElement} */ (document.querySelector("article"));

/**
 * Open and return a dialog that asks before the page deletes something. It shows the title,
 * the content, the button `act`, which deletes, and a button "Keep everything" with the focus.
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
