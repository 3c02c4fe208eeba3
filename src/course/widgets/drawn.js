// The queries and keys that drawn.py drew, and their scores.

const rowsOf = (view, width) => Array.from({ length: view.byteLength / width }, (_, i) =>
  new Int8Array(view.buffer, view.byteOffset + i * width, width));

/** Return a . b of the first 0, 1, 2, ... entries, exact because all numbers are integers. */
function runningSums(a, b) {
  const sums = new Int32Array(a.length + 1);
  for (let i = 0; i < a.length; i++) sums[i + 1] = sums[i] + a[i] * b[i];
  return sums;
}

/**
 * Return the scores of each query with each key, for every number of entries.
 *
 * Returns { labels, widest, walks }: the names of the keys, the largest number of entries,
 * and, by query and key, q . k of the first 0, 1, 2, ... entries.
 */
export function drawnScores({ query, key, widest, per_unit }) {
  const [queries, keys] = [query, key].map((view) => rowsOf(view, widest));
  const sums = queries.map((q) => keys.map((k) => runningSums(q, k)));
  return {
    widest,
    walks: sums.map((row) => row.map((running) => Float64Array.from(running, (sum) => sum / per_unit ** 2))),
    labels: keys.map((_, i) => `key ${i + 1}`),
  };
}
