// What texts ask of a figure: those of a page's address, and of a notebook's links.
//
// A figure is anything with the `name`, `traits`, `codecs` and `refuses` of one, its `first`
// values for an example, and its `model` (book/runtime/figures.js).

import { valueOf, wanted } from "./values.js";

/** The value that a text gives a trait; throws the words in which it is refused. */
export function valueOfText({ traits, codecs, first }, trait, text, get) {
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

/** The traits of a figure that keys name, with their texts; those with a codec, which may read others, last. */
function textsOfTraits({ name, codecs }, texts) {
  const start = `${name}.`;
  const named = texts.filter(([key]) => key.startsWith(start)).map(([key, text]) => [key.slice(start.length), text]);
  const hasCodec = ([trait]) => Boolean(codecs[trait]?.fromText);
  return [...named.filter((each) => !hasCodec(each)), ...named.filter(hasCodec)];
}

/** What pairs of a key and a text ask of a figure, as { values }, or why it cannot be, as { refused }. */
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
