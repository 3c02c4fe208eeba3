// What test_worksheet.py does inside a page: work a worksheet as a reader would, and read
// what it shows. Everything hangs on one object, so that the view sees nothing new.
window.sheet = {
  root: document, // or the one card of several that is meant

  all: (selector) => [...sheet.root.querySelectorAll(selector)],

  // What a function gives for each card of the page, asked of that card alone.
  ofEach(ask) {
    const given = [...document.querySelectorAll(".abh-card")].map((card, i) => ask((sheet.root = card), i));
    sheet.root = document;
    return given;
  },

  // One of several, by a number from 0 to 1.
  one: (list, where) => list[Math.floor(where * list.length)],

  send(input, kind, value) {
    input.focus();
    input.value = value;
    input.dispatchEvent(new Event(kind, { bubbles: true }));
  },

  // The whole number behind a cell, which must show it rounded (displayed.js).
  whole(td) {
    const stored = td.dataset.value;
    if (!displayed.shows(td)) throw new Error(`shows ${displayed.text(td)} for ${stored}`);
    return stored;
  },

  // The rows of a matrix, which may be shown transposed.
  rowsOf(table) {
    const rows = [];
    for (const td of table.querySelectorAll("tbody td")) {
      (rows[td.dataset.row] ??= [])[td.dataset.column] = sheet.whole(td);
    }
    return rows;
  },

  // Every matrix that is shown, but those seen before: its cells as text, by its name.
  grids: (before = {}) =>
    Object.fromEntries(
      sheet.all("table.abh-ws-grid")
        .filter((table) => !(table.dataset.matrix in before))
        .map((table) => [table.dataset.matrix, sheet.rowsOf(table)]),
    ),

  // All matrices and inputs: what is shown as it stands once no number is being typed, then
  // the matrices of the other heads one after the other, as a reader would look.
  read() {
    document.activeElement.blur();
    const grids = sheet.grids();
    for (const tab of sheet.all(".abh-ws-heads button[aria-pressed=false]")) {
      tab.click();
      Object.assign(grids, sheet.grids(grids));
    }
    const causal = sheet.all(".abh-ws-panels label").find((label) => label.textContent.startsWith("Causal"));
    return {
      grids,
      tokens: sheet.all(".abh-ws-tokens input[type=text]").map((name) => name.value),
      padding: sheet.all(".abh-ws-tokens input[type=checkbox]").map((box) => box.checked),
      causal: causal.querySelector("input").checked,
    };
  },

  // What a reader can do, by numbers from 0 to 1 that say to which of several.
  moves: {
    preset(where) {
      const chooser = sheet.all("label").find((label) => label.textContent === "Start from").control;
      sheet.send(chooser, "change", sheet.one(chooser.options, where).value);
    },
    step(where) {
      const [all] = sheet.all(".abh-ws-marks > button"); // all matrices, or no longer
      if (where < 0.1 || (all.ariaPressed === "true" && where < 0.9)) all.click();
      if (where >= 0.1) sheet.one(sheet.all(".abh-ws-progress button"), (where - 0.1) / 0.9).click();
    },
    shape(kind, where) {
      const controls = sheet.all(`.abh-ws-panels ${kind < 0.7 ? "button" : "input[type=checkbox]"}`);
      sheet.one(controls.filter((control) => control.ariaDisabled !== "true"), where).click();
    },
    edit(where, text) {
      const field = sheet.one(sheet.all("td.abh-ws-input input"), where);
      if (field) sheet.send(field, "input", text);
    },
    tab: (where) => sheet.one(sheet.all(".abh-ws-heads:not([hidden]) button"), where)?.click(),
    decimals(where) {
      const chooser = sheet.all("label").find((label) => label.textContent === "Decimals").control;
      sheet.send(chooser, "change", sheet.one(chooser.options, where).value);
    },
    follow: () => sheet.all(".abh-ws-follow")[0]?.click(),
    key(where, key) {
      sheet.one(sheet.all(".abh-ws-grid td[tabindex]"), where)?.focus();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    },
  },

  make: ([kind, ...how]) => sheet.moves[kind](...how),

  // What is read after each of some moves.
  readAfterEach: (moves) => moves.map((move) => (sheet.make(move), sheet.read())),
};

// What a reader can do to the inputs, named as test_undo.py's model of the sheet names it.
Object.assign(sheet, {
  acts: {
    field([kind, head, row, column]) {
      if (head !== null) sheet.all(".abh-ws-heads button")[head]?.click();
      const id = head === null ? kind : `${kind}.${head}`;
      return document.querySelector(`table[data-matrix="${id}"] td[data-row="${row}"][data-column="${column}"] input`);
    },
    type(place, texts) {
      const field = sheet.acts.field(place);
      for (const text of texts) sheet.send(field, "input", text);
      field.blur();
    },
    paste(place, block) {
      const field = sheet.acts.field(place);
      field.focus();
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", block.map((row) => row.join("\t")).join("\n"));
      clipboardData.setData("text/html", "<td>");
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      field.blur();
    },
    press: (selector, index = 0) => sheet.all(selector)[index].click(),
    reset: () => sheet.acts.press(".abh-ws-footer button"),
    size(name, by) {
      const steppers = sheet.all(".abh-ws-stepper");
      const place = ["d_model", "d_k", "d_v", "heads"].indexOf(name);
      steppers[place].querySelectorAll("button")[by < 0 ? 0 : 1].click();
    },
    add: () => sheet.acts.press(".abh-ws-add button"),
    remove: (index) => sheet.acts.press(".abh-ws-tokens button", index),
    rename(index, name) {
      const field = sheet.all(".abh-ws-tokens input[type=text]")[index];
      sheet.send(field, "input", name);
      sheet.send(field, "change", name);
      field.blur();
    },
    pad: (index) => sheet.acts.press(".abh-ws-tokens input[type=checkbox]", index),
    causal: () => sheet.acts.press(".abh-ws-panels fieldset:last-child input[type=checkbox]", 0),
    projection: () => sheet.acts.press(".abh-ws-panels fieldset:last-child input[type=checkbox]", 1),
    example: (name) => sheet.send(sheet.all("label").find((l) => l.textContent === "Start from").control, "change", name),
    history(button, shiftKey, byKey) {
      const key = new KeyboardEvent("keydown", { key: shiftKey ? "Z" : "z", ctrlKey: true, shiftKey, bubbles: true });
      if (byKey) document.querySelector(".abh-ws-grid td").dispatchEvent(key);
      else sheet.all(".abh-foot button").find((each) => each.textContent === button).click();
    },
    undo: (byKey) => sheet.acts.history("Undo", false, byKey),
    redo: (byKey) => sheet.acts.history("Redo", true, byKey),
  },

  // What is there after some acts, and whether there is more to take back and again.
  after(acts) {
    for (const [kind, ...how] of acts) sheet.acts[kind](...how);
    const can = sheet.all(".abh-foot button").slice(0, 2).map((button) => button.ariaDisabled === "false");
    return [sheet.read(), can];
  },
});

// What test_worksheet.py measures in every step of every preset.
Object.assign(sheet, {
  box: (node) => node.getBoundingClientRect(),

  // Matrices of which the arithmetic covers a part.
  covered() {
    const panel = document.querySelector(".abh-ws-arithmetic");
    const bar = sheet.box(panel);
    // At the window's lower edge it stands over other matrices, never over its cell (test_worksheet_flow.py).
    if (getComputedStyle(panel).position === "sticky" && bar.bottom > innerHeight - 2) return [];
    return sheet.all(".abh-ws-matrix").map(sheet.box).filter((box) =>
      box.bottom > bar.top + 1 && box.top < bar.bottom - 1 && box.right > bar.left + 1 && box.left < bar.right - 1);
  },

  // What is wrong with the boxes of matrices: one that scrolls says so, shows whole
  // columns only, and no digit comes near the right end of its cell.
  cut() {
    const wrong = [];
    for (const frame of sheet.all(".abh-ws-matrix")) {
      const name = frame.querySelector("table").dataset.matrix;
      const { content, fontSize } = getComputedStyle(frame.querySelector(".abh-ws-shape"), "::after");
      const says = parseFloat(fontSize) >= 12 && content.includes("scrolls");
      const scrolls = frame.scrollWidth > frame.clientWidth + 1;
      if (scrolls !== says) wrong.push(`${name} scrolls: ${scrolls}, its sign: ${content}, ${fontSize}`);
      const end = sheet.box(frame).right;
      const crosses = ({ left, right }) => left < end - 2 && right > end + 2;
      if (sheet.box(frame.closest(".abh-ws-stage")).right < end - 1) wrong.push(`${name} sticks out`);
      if ([...frame.querySelectorAll("thead th")].map(sheet.box).some(crosses)) wrong.push(`${name} is cut`);
      for (const number of frame.querySelectorAll("td:last-child .abh-number")) {
        const range = document.createRange();
        range.selectNodeContents(number);
        const room = sheet.box(number.parentNode).right - sheet.box(range).right;
        if (room < 4) wrong.push(`${name}: ${number.textContent} ends ${room} before the bracket`);
      }
    }
    return wrong;
  },

  // Complaints of every step of every preset, with the first cell of one matrix selected,
  // the last cell of the next; in another turn it is the other way round.
  everyStep(turn) {
    const wrong = [];
    const chooser = sheet.all("label").find((label) => label.textContent === "Start from").control;
    for (const { value } of Array.from(chooser.options)) {
      sheet.send(chooser, "change", value);
      const [all] = sheet.all(".abh-ws-marks > button");
      if (all.ariaPressed === "true") all.click();
      for (let i = 0; i <= sheet.all(".abh-ws-progress button").length; i++) {
        (sheet.all(".abh-ws-progress button")[i] ?? all).click();
        const at = `${value}, step ${i + 1}: `;
        wrong.push(...sheet.cut().map((what) => at + what));
        for (const [place, table] of sheet.all("table.abh-ws-grid").entries()) {
          const cells = [...table.querySelectorAll("td[tabindex], td input")];
          cells.at((place + turn) % 2 ? -1 : 0).focus({ preventScroll: true });
          if (sheet.covered().length) wrong.push(`${at}the arithmetic covers a matrix`);
        }
      }
    }
    return [...new Set(wrong)];
  },
});
