// What a page's figures say, a line for each piece of text. Whole numbers stay, since
// they name things ("head 2"); what may have been measured is "#", but in what an author
// has typed of a drawing.
(() => {
  const NAMING = ["aria-label", "aria-valuetext", "title", "placeholder"];
  const spaced = (text) => text.replace(/\s+/g, " ").trim();
  const bare = (text) => spaced(text).replace(/\d+([.,]\d+)+|\d+(?=\s?%)/g, "#");
  const worded = (text) => /\p{L}/u.test(text) || /10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(text);
  const drawn = (node) => {
    const [, role] = /--abh-([\w-]+)/.exec(node.getAttribute("style") || "") ?? [];
    return node.localName === "text" && role ? ` (${role})` : "";
  };

  function* said(node) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (worded(node.data)) yield `${bare(node.data)}${drawn(node.parentElement)}`;
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches("script, style, metadata")) return;
    if (node.dataset.tex) {
      yield node.dataset.tex;
      return;
    }
    for (const name of node.matches("svg[role=img]") ? [] : NAMING) {
      const text = node.getAttribute(name) || "";
      if (worded(text)) yield `${name}: ${bare(text)}`;
    }
    if (node.matches(".abh-shown, .abh-chosen, [aria-selected=true]")) yield "(marked:)";
    for (const child of node.childNodes) yield* said(child);
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

  return [...document.querySelectorAll("main .widget[id], main svg[role=img]")]
    .filter((node) => !node.parentElement.closest(".widget[id]"))
    .flatMap((node) => [
      `== ${node.id || spaced(node.getAttribute("aria-label"))}`,
      ...said(node),
      ...explained(node),
      ...inTheMachine(node),
    ]);
})()
