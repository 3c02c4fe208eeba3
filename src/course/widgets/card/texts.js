// Reads values of a figure's traits from texts: a page's address or a link in a notebook.
//
// A figure is any object with `name`, `traits`, `codecs`, `refuses`, `model` and `first`: the
// initial values, which error messages use as examples (book/runtime/figures.js).

import { valueOf, wanted } from "./values.js";

/**
 * Parse the text of a trait; throw an error whose message completes "The address asks for ...".
 * `get(name)` returns the value of another trait.
 */
function valueOfText({ traits, codecs, first }, trait, text, get) {
  if (!traits[trait]?.link) throw new Error(`\u201c${trait}\u201d, which this figure does not have`);
  if (text === null) throw new Error(`no ${trait}`);
  const shortened = text.length > 60 ? `${text.slice(0, 60)}\u2026` : text;
  const refuse = (why) => {
    throw new Error(`${trait} = \u201c${shortened}\u201d; ${why}`);
  };
  if (codecs[trait]?.fromText) {
    try {
      return codecs[trait].fromText(text, get);
    } catch ({ message }) {
      return refuse(message);
    }
  }
  const { schema } = traits[trait];
  const value = valueOf(text, schema);
  return value === undefined ? refuse(`it should be ${wanted(schema, first[trait])}`) : value;
}

/** Return a figure's [trait, text] pairs; traits with a codec come last, as a codec may read other traits. */
function textsOfTraits({ name, codecs }, texts) {
  const start = `${name}.`;
  const named = texts.filter(([key]) => key.startsWith(start)).map(([key, text]) => [key.slice(start.length), text]);
  const hasCodec = ([trait]) => Boolean(codecs[trait]?.fromText);
  return [...named.filter((each) => !hasCodec(each)), ...named.filter(hasCodec)];
}

/** Parse [key, text] pairs; return { values } by trait, or { refused: the reason }. */
export function resolved(figure, texts) {
  const values = {};
  const get = (trait) => values[trait] ?? figure.model.get(trait);
  try {
    for (const [trait, text] of textsOfTraits(figure, texts)) values[trait] = valueOfText(figure, trait, text, get);
    const refused = Object.keys(values).length ? figure.refuses(get, values) : "";
    return refused ? { refused } : { values };
  } catch ({ message }) {
    return { refused: message };
  }
}
