// Simulated readers of the sheets: careful readers, and readers who make one known mistake.
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

globalThis.sheets = (steps, judging, mistakes, kinds) => {
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

  /** Return the entries of a student. `planted(part, i, get)` may replace the values of a row. */
  function filled(sheet, student, planted = () => null) {
    const entries = {};
    const get = known(sheet, entries, student);
    const rows = new Map();
    for (const { part, i, j, id } of sheet.asked) {
      const row = `${part.key}.${i}`;
      if (!rows.has(row)) rows.set(row, planted(part, i, get));
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

  /** Return a random integer below `count`, which is the same in each run. */
  const pick = (seed, count) => (Math.imul(seed ^ (seed >>> 13), 2654435761) >>> 0) % count;

  /** Return the row that a mistake gives, by column; null if it changes no written entry. */
  function wrongRow(one, part, i, mistake, get, seed, student) {
    const formulas = mistake.formulas(part, one);
    const formula = formulas[pick(seed, formulas.length || 1)];
    if (!formula) return null;
    const own = (j) => part.entry(get, i, j);
    const columns = one.asked.filter((cell) => cell.part === part && cell.i === i).map(({ j }) => j);
    const options = columns.map((j) => formula(get, i, j));
    const wrongAt = pick(seed + 7, columns.length); // the sign is wrong in one entry only
    const values = options.map((all, at) => (mistake.key === "sign" ? all[at === wrongAt ? 1 + pick(seed + 3, all.length - 1) : 0] : all[0]));
    if (values.some((value) => !value || !Number.isFinite(value[0]))) return null;
    const middle = values.map(([low, high]) => point((low + high) / 2));
    const text = (j, value) => textOf(part, value, student);
    const isMoved = columns.some((j, at) => text(j, middle[at][0]) !== text(j, own(j)[0]));
    return isMoved ? Object.fromEntries(columns.map((j, at) => [j, middle[at]])) : null;
  }

  /**
   * Plant a mistake in a row of a sheet, and judge it; return { moved, alone, named, later }.
   *
   * moved: is an entry of the row judged wrong? alone: does no other mistake give this row?
   * named: does the judge name the mistake? later: entries of other rows judged not right
   */
  function plant(mistake, seed) {
    const one = sheet(seed);
    const student = Object.values(STUDENTS)[pick(seed, 5)];
    const rows = [...new Set(one.asked.map(({ part, i }) => `${part.key}.${i}`))];
    const possible = rows.filter((row) => {
      const [key, i] = row.split(".");
      const part = one.byKey.get(key);
      return wrongRow(one, part, Number(i), mistake, known(one, {}, {}), seed, student);
    });
    if (!possible.length) return null;
    const target = possible[pick(seed + 1, possible.length)];
    let others;
    const entries = filled(one, student, (part, i, get) => {
      if (`${part.key}.${i}` !== target) return null;
      const row = wrongRow(one, part, i, mistake, get, seed, student);
      const fits = (formula) => row && Object.entries(row).every(([j, [value]]) =>
        formula(get, i, Number(j)).some((range) => Math.abs((range[0] + range[1]) / 2 - value) < 1e-6));
      others = mistakes.filter((other) => other !== mistake && other.formulas(part, one).some(fits)).length;
      return row;
    });
    const { rows: judged } = judging.judge(one, entries);
    const row = judged.find(({ part, i }) => `${part.key}.${i}` === target);
    const moved = row.cells.some(({ state }) => state === "wrong");
    const later = judged.filter((each) => each !== row).flatMap(({ cells }) => cells).filter(({ state }) => state !== "right").length;
    return { moved, alone: others === 0, named: row.mistake?.key === mistake.key, later };
  }

  /** Return, for each mistake, how often `plant` found it planted, moved, alone and named. */
  function planted(seeds) {
    return Object.fromEntries(mistakes.map((mistake) => {
      const found = seeds.map((seed) => plant(mistake, seed)).filter(Boolean);
      const moved = found.filter((each) => each.moved);
      const alone = moved.filter((each) => each.alone);
      const count = { planted: found.length, moved: moved.length, alone: alone.length, named: alone.filter((each) => each.named).length };
      return [mistake.key, { ...count, later: found.reduce((sum, each) => sum + each.later, 0) }];
    }));
  }

  /** Return the mistake that the judge names if one product of an entry has the wrong sign. */
  function flipped(seed) {
    const one = sheet(seed);
    const get = known(one, {}, {});
    const { part, i, j, id } = one.asked.find((cell) => cell.part.pairs?.(cell.i, cell.j).length > 1) ?? {};
    if (!part) return null;
    const products = part.pairs(i, j).map(([a, b]) => get(...a)[0] * get(...b)[0]);
    const at = products.findIndex((each) => each !== 0);
    if (at < 0) return null;
    const wrong = products.reduce((sum, each, k) => (k === at ? sum - each : sum + each), 0);
    const entries = { ...filled(one, STUDENTS["all digits"]), [id]: String(wrong) };
    const row = judging.judge(one, entries).rows.find((each) => each.part === part && each.i === i);
    return row.mistake?.key ?? "none";
  }

  return { refused, planted, flipped };
};
