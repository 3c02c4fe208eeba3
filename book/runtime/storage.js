// What the reader's device keeps: entries of text, by keys that begin alike. A figure's
// trait is kept under `attention-by-hand/<page>/<figure>.<trait>`.

export const PREFIX = "attention-by-hand/";

// Where the page lies in the site.
export const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
export const page = location.pathname.replace(root.pathname, "").replace(/\.html$/, "");

/** The text of an entry; null where there is none, or storage is closed to this page. */
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Write an entry, or remove it with null; gives why it could not be, or "".
 *
 * The document hears of it: an event `kept`.
 */
export function store(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    document.dispatchEvent(new Event("kept"));
    return "";
  } catch (error) {
    return error.name === "QuotaExceededError"
      ? "this browser has no more room for what this site keeps"
      : "this browser does not let this site keep anything";
  }
}

/** Keys of all entries, of this page and of the others. */
export function keys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}
