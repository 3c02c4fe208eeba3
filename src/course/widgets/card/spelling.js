// Suggests known words for a word that is not known.

/** Return how many letters to change, add, leave out or swap to turn one word into another. */
function distance(one, other) {
  const [a, b] = [[...one], [...other]]; // an emoji is one letter
  const table = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    table.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const changed = table[i - 1][j - 1] + Number(a[i - 1] !== b[j - 1]);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? table[i - 2][j - 2] + 1 : Infinity;
      table[i].push(Math.min(table[i][j - 1] + 1, table[i - 1][j] + 1, changed, swapped));
    }
  }
  return table[a.length][b.length];
}

/** Return at most three known words of similar spelling; among equals, `favoured` words first. */
export function alike(unknown, known, favoured = []) {
  const limit = Math.min(2, Math.ceil(unknown.length / 3));
  const rank = (word) => distance(word, unknown) - (favoured.includes(word) ? 0.5 : 0);
  const found = known.filter((word) => distance(word, unknown) <= Math.min(limit, word.length - 1));
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, 3);
}
