// Makes elements outside the figures, copies text, and opens the dialog that asks before the
// page deletes something.

export function element(tag, props = {}, ...content) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...content);
  return node;
}

export const paragraph = (className, ...content) => element("p", { className }, ...content);

export const quietButton = (text, act) => element("button", { type: "button", className: "quiet", onclick: act }, text);

// Return an empty element. Screen readers read out each text that a script puts into it.
export const status = (props = {}) => element("span", { role: "status", ...props });

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
  dialog.onclose = () => dialog.remove();
  article().append(dialog);
  dialog.showModal();
  keep.focus();
  return dialog;
}
