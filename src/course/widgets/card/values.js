// Values of traits: comparing them, writing them as text, checking them by a schema.

/** @import { Schema } from "../contract.d.ts" */

/** Return the value of a JSON text; undefined if the text is not JSON. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value) => typeof value === "object" && value !== null;

/** Whether two values of traits have equal contents; a DataView equals only itself. */
export function equal(a, b) {
  if (a === b || Object.is(a, b)) return true;
  if (a instanceof DataView || b instanceof DataView) return false;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((n) => n in b && equal(a[n], b[n]));
}

/** Return the bytes of a text in base 64. */
export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Return the number of half precision that has these 16 bits. */
export function half(bits) {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

/** Put each binary buffer of a saved model back at its path, as a DataView. */
export function withBuffers({ state, buffers = [] }) {
  for (const { path, data } of buffers) {
    const holder = path.slice(0, -1).reduce((place, name) => place[name], state);
    holder[path.at(-1)] = new DataView(bytesOf(data).buffer);
  }
  return state;
}

/** Return a value as it stands in an address: a text as it is, anything else as JSON. */
export const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

const within = (value, low = -Infinity, high = Infinity) => value >= low && value <= high;

/** @type {Record<string, (value: any, schema: Schema) => boolean>} */
const FITS = {
  boolean: (value) => typeof value === "boolean",
  number: (value, { minimum, maximum }) => Number.isFinite(value) && within(value, minimum, maximum),
  integer: (value, schema) => Number.isInteger(value) && FITS.number(value, schema),
  string: (value, schema) => typeof value === "string" && (schema.enum?.includes(value) ?? true),
  array: (value, { items, minItems, maxItems }) =>
    Array.isArray(value) && within(value.length, minItems, maxItems) && value.every((item) => fits(item, items ?? {})),
  object: (value, { additionalProperties: each = {} }) =>
    isObject(value) && !Array.isArray(value) && Object.values(value).every((item) => fits(item, each)),
};

/**
 * Whether a value satisfies a JSON schema; supports the keywords that contract.py uses.
 *
 * @type {(value: unknown, schema: Schema) => boolean}
 */
export const fits = (value, schema) => !schema.type || FITS[schema.type](value, schema);

/**
 * Return the value of a text; undefined if the schema does not allow the value.
 *
 * @type {(text: string, schema: Schema) => any}
 */
export function valueOf(text, schema) {
  const value = schema.type === "string" ? text : parsed(text);
  return value !== undefined && fits(value, schema) ? value : undefined;
}

/**
 * Describe the allowed values to a reader; `example` is an allowed value.
 *
 * @type {(schema: Schema, example: unknown) => string}
 */
export function wanted(schema, example) {
  if (schema.enum) return `one of ${schema.enum.filter(Boolean).join(", ")}`;
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "array") return `a list, for example ${asText(example)}`;
  if (schema.type === "number" || schema.type === "integer") {
    const { minimum: low, maximum: high } = schema;
    const range = [low !== undefined && `from ${low}`, high !== undefined && `to ${high}`].filter(Boolean).join(" ");
    return `a ${schema.type === "integer" ? "whole " : ""}number ${range}`.trim();
  }
  return `written like ${asText(example)}`;
}
