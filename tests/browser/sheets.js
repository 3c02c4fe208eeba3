// Simulated readers of the sheets: careful readers, and readers who make one mistake.
// `sheets` takes modules of the widgets (test_sheets.py) and returns the functions below.

/** Return a number as a text with `decimals` decimals; halves go up, or to the even digit. */
function rounded(value, decimals, toEven) {
  const scaled = value * 10 ** decimals;
  const below = Math.floor(scaled);
  const isHalf = Math.abs(scaled - below - 0.5) < 1e-9;
  const whole = isHalf ? below + (toEven ? Math.abs(below % 2) : 1) : Math.round(scaled);
  return (whole / 10 ** decimals).toFixed(decimals);
}

const ALL_DIGITS = 15;

/** Eight kinds of careful students, who round in different ways. */
const STUDENTS = {
  "all digits": { decimals: ALL_DIGITS },
  "two decimals": { decimals: 2 },
  "three decimals": { decimals: 3 },
  "four decimals": { decimals: 4 },
  "halves to even": { decimals: 2, toEven: true },
  "root 1.41": { decimals: 2, root: 2 },
  "root 1.414": { decimals: 3, root: 3 },
  "powers from a table": { decimals: 2, table: 3 },
};

globalThis.sheets = (steps, judging, kinds) => {
  const point = (x) => [x, x];

  function valueOf(text) {
    const [above, below = 1] = text.replace("\u2212", "-").split("/").map(Number);
    return above / below;
  }

  /** Return the text that a student writes into a cell for a number. */
  function textOf(part, value, { decimals, toEven }) {
    if (part.form === "fraction" && Math.abs(valueOf(steps.written(part, value)) - value) < 1e-9) return steps.written(part, value);
    return part.form === "decimal" && decimals < ALL_DIGITS ? rounded(value, decimals, toEven) : String(value);
  }

  /** Return a function that gives the number in a cell: the student's entry, or else the exact number. */
  function known(sheet, entries, { root }) {
    const exactRoot = Math.sqrt(sheet.sizes.d_k);
    return function get(key, i, j) {
      if (key === "root") return point(root ? Number(exactRoot.toFixed(root)) : exactRoot);
      const text = entries[`${key}.${i}.${j}`];
      if (text === undefined) return point(sheet.exact(key, i, j));
      return point(valueOf(text));
    };
  }

  /** Return the entries of a student. `planted(part, i)` may replace the values of a row. */
  function filled(sheet, student, planted = () => null) {
    const entries = {};
    const get = known(sheet, entries, student);
    const rows = new Map();
    for (const { part, i, j, id } of sheet.asked) {
      const row = `${part.key}.${i}`;
      if (!rows.has(row)) rows.set(row, planted(part, i));
      const [value] = rows.get(row)?.[j] ?? part.entry(get, i, j);
      const lookedUp = part.step === "powers" && student.table ? Number(value.toFixed(student.table)) : value;
      entries[id] = textOf(part, lookedUp, student);
    }
    return entries;
  }

  const sheet = (seed) => steps.sheetOf(kinds, seed % kinds.length, seed, Math.floor(seed / kinds.length) % 3);

  /** Return, for each student, the seeds whose sheet is judged wrong, though filled in correctly. */
  function refused(seeds) {
    const isRefused = (student) => (seed) => {
      const one = sheet(seed);
      return judging.judge(one, filled(one, student)).cells.some(({ state }) => state !== "right");
    };
    const students = Object.entries(STUDENTS);
    return Object.fromEntries(students.map(([name, student]) => [name, seeds.filter(isRefused(student))]));
  }

  /**
   * Judge a sheet in which row i of the matrix `key` has other values, and later entries follow
   * from them; null if the sheet does not ask for the row.
   *
   * named: the mistake that the judge names; ofOne: the mistake if the row has only one entry
   * isWrong: is an entry of the row judged wrong? isPunished: is an entry of another row?
   */
  function slip([kind, seed, key, i, values]) {
    const one = steps.sheetOf(kinds, kind, seed, 2);
    const isAsked = (each) => each.part.key === key && each.i === i;
    const first = one.asked.find(isAsked);
    if (!first) return null;
    const entries = filled(one, STUDENTS["all digits"], (part, row) => (isAsked({ part, i: row }) ? values.map(point) : null));
    const rowOf = ({ rows }) => rows.find(isAsked);
    const judged = judging.judge(one, entries);
    const row = rowOf(judged);
    const others = judged.cells.filter((cell) => !isAsked(cell));
    return {
      named: row.mistake?.key ?? null,
      ofOne: rowOf(judging.judge(one, { [first.id]: entries[first.id] })).mistake,
      isWrong: row.cells.some(({ state }) => state === "wrong"),
      isPunished: others.some(({ state }) => state !== "right"),
    };
  }

  return { refused, slip };
};
