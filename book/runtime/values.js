// Values of traits: when two are the same, how one is written, which are allowed.

export const isObject = (value) => typeof value === "object" && value !== null;

export const isFunction = (value) => typeof value === "function";

export function equal(a, b) {
  if (Object.is(a, b)) return true;
  if (a instanceof DataView || b instanceof DataView) return false;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((n) => n in b && equal(a[n], b[n]));
}

// Put each binary buffer of a saved model back at its path, as a DataView.
export function withBuffers({ state, buffers = [] }) {
  for (const { path, data } of buffers) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const holder = path.slice(0, -1).reduce((place, name) => place[name], state);
    holder[path.at(-1)] = new DataView(bytes.buffer);
  }
  return state;
}

export const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

export function fromText(text, initial) {
  if (typeof initial === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A kept value counts only if it is of the kind that Python gave the trait.
function fits(value, initial, limits) {
  if (typeof value !== typeof initial || Array.isArray(value) !== Array.isArray(initial)) return false;
  if (typeof value === "number") {
    const [low, high, whole] = limits ?? [];
    if (whole && !Number.isInteger(value)) return false;
    return Number.isFinite(value) && value >= (low ?? value) && value <= (high ?? value);
  }
  if (typeof value === "string") return limits?.one_of?.includes(value) ?? true;
  if (!Array.isArray(value)) return isObject(value) === isObject(initial);
  if (initial.length && value.length !== initial.length) return false;
  return value.every((item) => fits(item, initial.length ? initial[0] : item, limits));
}

/** The value of a text; undefined where a trait that was `initial` cannot have it. */
export function valueOf(text, initial, limits) {
  const value = fromText(text, initial);
  return value !== undefined && fits(value, initial, limits) ? value : undefined;
}

// What a value should have been, for a reader.
export function wanted(initial, limits) {
  if (limits?.one_of) return `one of ${limits.one_of.join(", ")}`;
  if (typeof initial === "number") {
    const [low, high, whole] = limits ?? [];
    const range = [low != null && `from ${low}`, high != null && `to ${high}`].filter(Boolean).join(" ");
    return `a ${whole ? "whole " : ""}number ${range}`.trim();
  }
  return `of the form ${asText(initial)}`;
}
