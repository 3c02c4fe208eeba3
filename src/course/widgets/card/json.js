// Texts as JSON.

/** What a JSON text says; undefined where it is none. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
