// Sentences of one pattern, the frame: each place has one word, or one word of a list.

import { alike } from "../card/spelling.js";

/** Return the words of a typed sentence in the spelling of the frame. */
export const split = (text) => text.toLowerCase().match(/[^\s.,;:!?]+/g) ?? [];

const quoted = (words) => words.map((word) => `“${word}”`);

/** Return the reason why words are no sentence of the frame, as a text; "" for a sentence. */
export function refusal(words, frame) {
  const known = [...new Set(frame.flat())];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) {
    const at = words.indexOf(unknown);
    const near = alike(unknown, known, frame[at] ?? []);
    const hint = near.length ? ` Did you mean ${quoted(near).join(" or ")}?` : "";
    return `“${unknown}” is not among the ${known.length} words that these models know.${hint}`;
  }
  const wrong = words.findIndex((word, i) => !frame[i]?.includes(word));
  if (wrong >= 0 && wrong < frame.length) {
    const listed = frame[wrong].slice(0, 4).join(", ") + (frame[wrong].length > 4 ? ", …" : "");
    return `These models know one kind of sentence: word ${wrong + 1} is ${frame[wrong].length > 1 ? "one of " : ""}${listed}, not “${words[wrong]}”.`;
  }
  return words.length === frame.length ? "" : `These models know sentences of ${frame.length} words; this one has ${words.length}.`;
}
