// What cards and drawn figures say, a line for each piece of text. Whole numbers stay,
// since they name things ("head 2"); what may have been measured is "#", but in readings
// and in what an author has typed of a drawing.
// The foot of a card, alike in all, is looked at by itself.
(() => {
  const NAMING = ["aria-label", "aria-valuetext", "title", "placeholder"];
  const spaced = (text) => text.replace(/\s+/g, " ").trim();
  const bare = (text) => spaced(text).replace(/\d+([.,]\d+)+|\d+(?=\s?%)/g, "#");
  const worded = (text) => /\p{L}/u.test(text) || /10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(text);
  const colour = (node) => /--abh-([\w-]+)/.exec(node.getAttribute("style") || "")?.[1] ?? "";

  function* said(node) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (worded(node.data)) yield bare(node.data);
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches("script, style, metadata, .abh-foot")) return;
    if (node.dataset.tex) {
      yield node.dataset.tex;
      return;
    }
    if (node.matches(".abh-reading")) {
      yield node.textContent.trim();
      return;
    }
    for (const name of NAMING) {
      const text = node.getAttribute(name) || "";
      if (worded(text) && text !== node.textContent) yield `${name}: ${bare(text)}`;
    }
    if (node.matches(".abh-shown, .abh-chosen, [aria-selected=true]")) yield "(marked:)";
    if (node.matches("select")) {
      yield `options: ${[...node.options].map((option) => bare(option.text)).join(" | ")}`;
      return;
    }
    for (const child of node.childNodes) yield* said(child);
  }

  // A drawn figure's name, and its words: those of one colour, as long as they follow.
  function* drawn(svg) {
    yield `== ${spaced(svg.getAttribute("aria-label"))}`;
    let run = [];
    let shared = null;
    const line = () => `${run.join(" · ")}${shared && ` (${shared})`}`;
    for (const node of svg.querySelectorAll("text")) {
      if (!worded(node.textContent)) continue;
      const other = colour(node) !== shared;
      if (other && run.length) yield line();
      if (other) run = [];
      shared = colour(node);
      run.push(bare(node.textContent));
    }
    if (run.length) yield line();
  }

  // In each matrix of a worksheet, a cell above the diagonal and one below.
  function* explained(card) {
    for (const grid of card.querySelectorAll("table[data-matrix]")) {
      if (!grid.checkVisibility()) continue;
      for (const [row, column] of [[0, 1], [1, 0]]) {
        const place = `td[data-row="${row}"][data-column="${column}"][tabindex]`;
        const cell = grid.querySelector(place);
        if (!cell) continue;
        cell.click();
        for (const part of card.querySelectorAll(".abh-ws-title, .abh-ws-note")) {
          if (worded(part.textContent)) yield `explained: ${bare(part.textContent)}`;
        }
      }
    }
  }

  // Of the translator every kind of part, in its last layer, and there the second head:
  // each matrix, and in it a cell above the diagonal and one below.
  function* inTheMachine(card) {
    const stacks = [...card.querySelectorAll(".abh-tr-stack")];
    const last = stacks.map((stack) => [...stack.querySelectorAll(".abh-tr-layer")].at(-1));
    const chosen = (part) => {
      const layer = part.closest(".abh-tr-layer");
      const heads = part.closest(".abh-tr-heads")?.children;
      return (!layer || last.includes(layer)) && (!heads || [heads[1], [...heads].at(-1)].includes(part));
    };
    for (const part of [...card.querySelectorAll(".abh-tr-part")].filter(chosen)) {
      part.click();
      const tabs = () => card.querySelectorAll(".abh-tr-tabs button");
      for (let at = 0; at < tabs().length; at += 1) {
        tabs()[at].click();
        yield* ofMatrix(card);
      }
    }
  }

  function* ofMatrix(card) {
    const words = (selector) => [...card.querySelectorAll(selector)].map((node) => bare(node.textContent));
    const [place] = words(".abh-tr-place");
    yield `matrix: ${place}: ${words(".abh-tr-inspector .abh-tr-note").join(" ")}`;
    yield `rows: ${words(".abh-tr-sheet tbody th").join(", ")}`;
    yield `columns: ${words(".abh-tr-sheet thead th").join(", ")}`;
    const [first, second] = card.querySelectorAll(".abh-tr-sheet tbody tr");
    for (const cell of [first.lastElementChild, second?.querySelector("td")]) {
      if (!cell) continue;
      cell.click();
      for (const line of words(".abh-tr-explained > p")) yield `explained: ${line}`;
    }
  }

  // What is said of one cell as of another is said once, whatever the sign.
  const once = (lines) => [...new Set(lines.map((line) => line.replace(/\(−#\)|−#/g, "#")))];

  return (selector) => [...document.querySelectorAll(selector)].flatMap((node) =>
    node.matches("svg") ? [...drawn(node)]
      : [...[...node.childNodes].flatMap((child) => [...said(child)]), ...once([...explained(node), ...inTheMachine(node)])]);
})()
