// Parts that are on or off; a trait holds the names of the parts that are off. Also compares
// two lists of words.

/**
 * Return functions that read and change which parts are off.
 *
 * trait: holds the names of parts that are off; names: all parts that can be off, in order
 * Returns { off(), toggle(parts), allBut(part, among), allOn() }: `toggle` switches several
 * parts off, or on if all are off; `allBut` switches off all parts of `among` except `part`.
 */
export function switchesOf({ model, put }, trait, names) {
  const off = () => model.get(trait);
  const set = (wanted) => put(trait, names.filter((name) => wanted.has(name)));
  const toggle = (parts) => {
    const wanted = new Set(off());
    const areOff = parts.every((part) => wanted.has(part));
    for (const part of parts) wanted[areOff ? "delete" : "add"](part);
    set(wanted);
  };
  const allBut = (part, among) => {
    const others = off().filter((name) => !among.includes(name));
    set(new Set([...others, ...among.filter((name) => name !== part)]));
  };
  return { off, toggle, allBut, allOn: () => off().length && put(trait, []) };
}

/**
 * Compare two lists of words by their longest common subsequence. Returns { isNew, isGone }: for
 * each word of `now` whether the word is new, for each word of `before` whether the word is gone.
 */
export function changes(before, now) {
  const table = Array.from({ length: before.length + 1 }, () => Array(now.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      table[i][j] = before[i] === now[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  const [isNew, isGone] = [now.map(() => true), before.map(() => true)];
  for (let i = 0, j = 0; i < before.length && j < now.length;) {
    if (before[i] === now[j]) [isGone[i++], isNew[j++]] = [false, false];
    else if (table[i + 1][j] >= table[i][j + 1]) i++;
    else j++;
  }
  return { isNew, isGone };
}
