// The dialog that asks before something goes.

import { article, element, paragraph, quietButton } from "./elements.js";

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
