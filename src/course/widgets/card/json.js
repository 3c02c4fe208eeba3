// Reads JSON without exceptions.

/** Return the value of a JSON text; undefined if the text is not JSON. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
