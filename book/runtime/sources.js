// The files of views, which are scripts of the site (book/widgets.py).

const made = {};

/** The exports of one of them, which runs when first needed. */
export const needed = (name) => (made[name] ??= globalThis.abhSources[name](needed));
