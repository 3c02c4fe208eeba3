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
