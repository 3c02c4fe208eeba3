// The texts that a reader wrote into sheets: one object, with keys like `<sheet>.<cell>`.

/** Return whether a key is `start`, or begins with `start` and a dot. */
export const isBelow = (key, start) => `${key}.`.startsWith(`${start}.`);

/** Return the texts of one sheet, by cell. */
export const entriesOf = (all, sheet) => Object.fromEntries(
  Object.entries(all).filter(([key]) => isBelow(key, sheet)).map(([key, text]) => [key.slice(sheet.length + 1), text]));

/** Return all texts without those of one sheet, or without the text of one cell. */
export const without = (all, start) => Object.fromEntries(Object.entries(all).filter(([key]) => !isBelow(key, start)));

/** Return all texts with a new text at `key`; an empty text is left out. */
export const withEntry = (all, key, text) => ({ ...without(all, key), ...(text ? { [key]: text } : {}) });
