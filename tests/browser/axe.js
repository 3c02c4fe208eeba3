// What conftest.py does inside a page with axe-core: ask it for all that it objects to,
// and spare it what it could not object to more than once (nine tenths of its time).
window.audit = {
  // Highlighted code is thousands of spans in a dozen colours: of those that look alike
  // one is kept, the others become plain text.
  collapseCode() {
    const seen = new Set();
    for (const span of document.querySelectorAll("pre span")) {
      const look = `${span.closest("div")?.className} ${span.className}`;
      if (span.firstElementChild) continue;
      if (seen.has(look)) span.replaceWith(...span.childNodes);
      seen.add(look);
    }
  },

  // A formula's glyphs are boxes without text, hidden from screen readers: one box of
  // their size stands for them. Of its MathML, to which no rule applies, the text stays.
  collapseFormulas() {
    for (const math of document.querySelectorAll("mjx-assistive-mml > math")) {
      if (math.firstElementChild) math.replaceChildren(math.textContent);
    }
    [...document.querySelectorAll("mjx-math:not(:empty)")]
      .map((math) => [math, math.getBoundingClientRect()])
      .filter(([, { width }]) => width)
      .forEach(([math, { width, height }]) => {
        math.replaceChildren();
        math.style = `display: inline-block; width: ${width}px; height: ${height}px`;
      });
  },

  // What is in a picture that is one image to a screen reader, or hidden from it, is looked
  // at by no rule unless it can have the focus. Gives a function that puts it back.
  emptyPictures() {
    const pictures = [...document.querySelectorAll("svg:is([role=img], [aria-hidden=true])")]
      .filter((picture) => !picture.querySelector("a, [tabindex]"))
      .map((picture) => [picture, [...picture.childNodes]]);
    for (const [picture, parts] of pictures) {
      picture.replaceChildren(...parts.filter((part) => part.matches?.("title, desc")));
    }
    return () => pictures.forEach(([picture, parts]) => picture.replaceChildren(...parts));
  },

  // Gives a function that says how a text looks, as far as its contrast goes: what is
  // painted behind it, its own colour, and whether it is large (WCAG 2.2, 1.4.3). The
  // colours of cells count as one: test_look.py reckons each of them.
  looks() {
    const behind = new Map([[null, ""]]);
    const paint = (node) => {
      if (node.matches("td .abh-number") && node.style.backgroundColor) return " > cell";
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(node);
      const own = [backgroundColor, backgroundImage, opacity].join();
      return own === "rgba(0, 0, 0, 0),none,1" ? "" : ` > ${own}`;
    };
    const stack = (node) => {
      if (!behind.has(node)) behind.set(node, stack(node.parentElement) + paint(node));
      return behind.get(node);
    };
    return (node) => {
      const { color, fontSize, fontWeight, position } = getComputedStyle(node);
      const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
      return [stack(node), color, isLarge, position].join();
    };
  },

  shows: (node) =>
    [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()) &&
    node.checkVisibility({ visibilityProperty: true }),

  // Contrast takes milliseconds a text, and of texts that look alike it is the same: one
  // is asked about. The words of drawings are left out: axe cannot tell their background.
  sampleTexts(parts) {
    const look = audit.looks();
    const seen = new Set();
    for (const node of document.querySelectorAll(`:is(${parts ?? "body"}) *:not(svg *)`)) {
      const isText = audit.shows(node) || node.matches("input, select, textarea");
      const key = isText && look(node);
      node.toggleAttribute("data-first-of-its-look", isText && !seen.has(key));
      seen.add(key);
    }
    axe.configure({ rules: [{ id: "color-contrast", selector: "[data-first-of-its-look]" }] });
  },

  // What axe objects to in a page or in parts of it, by all of its rules if none is named.
  // It need not fetch the stylesheets again: only an experimental rule reads them.
  async objections([rules, parts]) {
    audit.collapseCode();
    audit.collapseFormulas();
    audit.sampleTexts(parts);
    const options = { resultTypes: ["violations"], preload: { assets: ["media"] } };
    const only = rules.length ? { runOnly: rules } : {};
    const where = parts ? { include: [parts] } : document;
    const putBack = audit.emptyPictures();
    const { violations } = await axe.run(where, { ...options, ...only });
    putBack();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  },
};
