// Loads a script of the site when a reader needs it.

import { element } from "../runtime/elements.js";
import { root } from "../runtime/storage.js";

/** Load a script of the site. If this fails, the caller can call the function again. */
export function loadScript(address) {
  return new Promise((resolve, reject) => {
    const src = new URL(address, root).href;
    document.head.append(element("script", { src, onload: resolve, onerror: reject }));
  });
}
