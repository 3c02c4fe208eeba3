// Reads and writes the course's entries on the reader's device (localStorage). An entry is a
// text. Every key begins with `attention-by-hand/`:
//   <page>/<figure>.<trait>    the value of a trait that course.widgets.contract declares to be
//                              kept: a string as it is, a value of any other type as JSON
//   <page>/cell-<name>.code    the reader's code of a cell
//   <page>/cell-<name>.verdict `right` or `wrong`, of an exercise in code
//   place                      ["<page>", "<id of the section>", "<its heading>"], read last
//   open                       `1` while "Skip predictions" is on
//   version                    the version of this format. If it differs from `VERSION`, no page
//                              marks progress in the contents, or reads or writes `place`.
// An export holds these entries: `{"format": "attention-by-hand", "version": 1, "saved": <when>,
// "entries": {<key without its beginning>: <text>}}`. If you change the format, raise `VERSION`.

export const PREFIX = "attention-by-hand/";
export const VERSION = 1;

// The address of the site's root folder, and the page's name in the site.
export const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
export const page = location.pathname.replace(root.pathname, "").replace(/\.html$/, "");

/** Return the text of an entry; null if there is none or the browser denies storage. */
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Write an entry, or remove it if the text is null; return why this failed, or "".
 *
 * After a success the document receives an event `kept`.
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

/**
 * Compare entries on the device with those of this tab. Return "" if no other tab has changed
 * them, "follow" if this tab can show the change, and "ask" if the reader has to choose.
 *
 * @param {{ known: string | null, there: string | null, here: string | null }[]} entries Texts:
 *   when this tab last read or wrote the entry, on the device now, and as this tab shows it.
 * @param {boolean} isTouched Whether the reader has changed something in this tab.
 */
export function compare(entries, isTouched) {
  if (entries.every(({ known, there, here }) => there === known || there === here)) return "";
  return isTouched ? "ask" : "follow";
}

/** Return the keys of all entries of the course. */
export function keys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}
