// What a step shows, in one line: nothing of what a later step reveals.

import { finite, labels, shortNumber } from "./explain.js";
import { nameText } from "./grid.js";
import { matrixId, splitId } from "./model.js";

/** The line below a sheet; of many tokens it speaks of the selected one. */
export function readingOf({ state, values, selected }) {
  const [inputs, step, head] = [state.inputs(), state.step(), state.head()];
  if (["weights", "head", "concat", "output", "sheet"].includes(step.id)) {
    return whoLooksAtWhom(inputs, values, head, selected);
  }
  const id = matrixId(step.result, head);
  const shown = finite(values[id].flat());
  if (!shown.length) return `${nameText(inputs, id)}: every cell is masked.`;
  const [low, high] = [Math.min(...shown), Math.max(...shown)].map((x) => shortNumber(x, 4));
  return `${nameText(inputs, id)}: numbers from ${low} to ${high}.`;
}

/** Who looks most at whom in the head shown. */
function whoLooksAtWhom(inputs, values, head, selected) {
  const name = inputs.W_Q.length > 1 ? `Head ${head + 1}: ` : "";
  const weights = values[`weights.${head}`];
  const one = labels(inputs, splitId(selected.id).kind)[0] === inputs.tokens ? selected.row : 0;
  const rows = weights.length > 5 ? [one] : weights.map((_, i) => i);
  return `${name}${rows.map((i) => favourite(inputs.tokens, weights[i], i)).join("; ")}.`;
}

function favourite(tokens, row, index) {
  const top = Math.max(...row);
  const from = `\u201c${tokens[index]}\u201d`;
  if (top === 0) return `${from} looks at nobody, every key is masked`;
  if (row.filter((weight) => top - weight < 1e-12).length > 1) return `${from} has no favourite`;
  return `${from} looks most at \u201c${tokens[row.indexOf(top)]}\u201d (${shortNumber(100 * top, 1)}%)`;
}
