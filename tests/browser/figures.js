// Functions for tests of figures, run inside a page: they change controls as a reader would,
// and read what figures show. All are in one object, to add only one global name.
window.figures = {
  send: (input, kind) => input.dispatchEvent(new Event(kind, { bubbles: true })),

  corners: (shape) =>
    (shape.getAttribute("points") ?? "").split(" ").filter(Boolean)
      .map((corner) => corner.split(",").map(Number)),

  // Returns two opposite corners of each rectangle in one shade of a picture of weights.
  pieces: (shade) =>
    figures.corners(shade).flatMap((corner, i, all) => (i % 6 === 1 ? [[corner, all[i + 2]]] : [])),

  // For ShapeExplorer: returns the sizes of each matrix, and the drawn sizes of its box and
  // of the gaps in its sides, all as [down, across]; null for a side without a gap.
  boxes: () =>
    [...document.querySelectorAll(".abh-shape")].flatMap((product) => {
      const sizes = [...product.querySelectorAll(".abh-sizes .abh-number")];
      const extent = (node) => [node.getBBox().height, node.getBBox().width];
      return [...product.querySelectorAll(".abh-box")].map((box, k) => ({
        sizes: sizes[k].textContent.split(" × ").map(Number),
        frame: extent(box.querySelector("polygon")),
        gaps: [...box.querySelectorAll(".abh-gap")].map((gap) => (gap.getAttribute("points") ? extent(gap) : null)),
      }));
    }),

  // Returns the texts of a card (or the page), and the values of its visible controls. Without
  // the translator's lists of words, which no link sets.
  content(card) {
    const all = (selector) => [...card.querySelectorAll(selector)];
    const controls = all(".abh-body :is(input, select)")
      .filter((input) => input.checkVisibility() && !input.closest(".abh-tr-choices"));
    return [...all(".abh-drawing, .abh-reading").map((node) => node.innerText),
      ...controls.map((input) => `${input.value} ${input.checked}`)];
  },

  // Moves a knob with one arrow key; `how` (0 to 1) determines the key and the distance.
  push(node, how) {
    const key = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"][Math.floor(4 * how)];
    for (let step = 0; step < 1 + (40 * how) % 5; step++) {
      node.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
    }
  },

  // Changes one control of a card: `where` and `how` (0 to 1) determine control and value. No
  // check of visibility, which would lay the page out at each move: a test of every page
  // checks that controls without `hidden` are visible.
  moveOne(where, how, card = document) {
    const kinds = "input[type=range], select, input[type=checkbox], .abh-knob";
    const body = card.querySelector(".abh-body");
    const all = [...body.querySelectorAll(kinds)]
      .filter((input) => input.max !== "0" && !input.closest("[hidden], details:not([open])"));
    const input = all[Math.floor(where * all.length)];
    if (!input) return;
    if (input.type === "range") {
      input.value = Math.round(how * input.max);
      figures.send(input, "input");
    } else if (input.tagName === "SELECT") {
      input.selectedIndex = Math.floor(how * input.length);
      figures.send(input, "change");
    } else if (input.matches(".abh-knob")) figures.push(input, how);
    else input.click();
  },

  // Makes these moves in every card of a page; returns the numbers that are shown wrong, and
  // words that no reader should see.
  moveEvery(moves) {
    const cards = [...document.querySelectorAll(".abh-card")];
    const wrong = [];
    for (const card of cards) {
      for (const [where, how] of moves) {
        figures.moveOne(where, how, card);
        wrong.push(...displayed.wrong(card));
      }
      wrong.push(...(card.innerText.match(/NaN|undefined|Infinity/g) ?? []));
    }
    return wrong;
  },

  // Returns a card's number of controls, the tops of the parts below them, and its height.
  // If a value changes but no control appears, nothing may move.
  places(card) {
    const { top, height } = card.getBoundingClientRect();
    const below = (selector) => card.querySelector(selector).getBoundingClientRect().top - top;
    return [
      card.querySelectorAll(".abh-control:not([hidden])").length,
      Math.round(below(".abh-drawing")),
      Math.round(below(".abh-reading")),
      Math.round(height),
    ];
  },

  // Makes these moves in each card; returns all different `places` of each card.
  moveMany: (moves) =>
    [...document.querySelectorAll(".abh-card")].map((card) => {
      const seen = new Set();
      for (const [where, how] of moves) {
        figures.moveOne(where, how, card);
        seen.add(JSON.stringify(figures.places(card)));
      }
      return [...seen].map(JSON.parse);
    }),

  // Returns, for each figure, how many stops the Tab key should make in its body: a radio group
  // is one stop.
  stops: () =>
    Object.fromEntries([...document.querySelectorAll(".abh-card")].map((card) => [card.dataset.figure,
      [...card.querySelectorAll(".abh-body :is(input, select, button, summary, .abh-wall-opened):not(:disabled)")]
        .filter((input) => input.checkVisibility() && (input.type !== "radio" || input.checked)).length])),

  // Returns the figure that has the focus, and whether its body has it, with a visible ring.
  focus() {
    const at = document.activeElement;
    const shows = [at, at.closest("label") ?? at].map(getComputedStyle).some(
      (style) => style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2,
    );
    return [at.closest(".abh-card")?.dataset.figure ?? null, Boolean(at.closest(".abh-body")), shows];
  },

  // Returns the elements that stick out of their card.
  outside: () =>
    [...document.querySelectorAll(".abh-card")].flatMap((card) => {
      const { left, right } = card.getBoundingClientRect();
      return [...card.querySelectorAll("*")]
        .filter((node) => {
          if (node.closest(".abh-arc-words, .abh-wall-opened > *") !== null) return false; // they scroll
          const box = node.getBoundingClientRect();
          return box.width && (box.left < left - 1 || box.right > right + 1);
        })
        .map((node) => node.outerHTML.slice(0, 120));
    }),

  smallTargets: () =>
    [...document.querySelectorAll(".abh-card :is(input, select, button)")]
      .map((input) => (input.matches("[type=radio], [type=checkbox]") ? input.closest("label") : input))
      .filter((target) => target.offsetParent)
      .filter((target) => Math.min(target.offsetWidth, target.offsetHeight) < 24)
      // A letter in a row of letters may be narrow if the card has a list for the same choice:
      // the list must have the full size (WCAG 2.5.8, equivalent).
      .filter((target) => !(target.matches(".abh-grow-letter") && target.offsetHeight >= 24
        && target.closest(".abh-card").querySelector('[data-trait="place"] select')))
      .map((target) => target.outerHTML),
};
