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

  // A formula's glyphs are boxes without text, hidden from screen readers, whose MathML
  // stays: one box of their size stands for them.
  collapseGlyphs() {
    [...document.querySelectorAll("mjx-math:not(:empty)")]
      .map((math) => [math, math.getBoundingClientRect()])
      .filter(([, { width }]) => width)
      .forEach(([math, { width, height }]) => {
        math.replaceChildren();
        math.style = `display: inline-block; width: ${width}px; height: ${height}px`;
      });
  },

  // Gives a function that says how a text looks, as far as its contrast goes: what is
  // painted behind it, and its own colour, size and weight.
  looks() {
    const behind = new Map([[null, ""]]);
    const paint = (node) => {
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
      return [stack(node), color, fontSize, fontWeight, position].join();
    };
  },

  shows: (node) =>
    [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()) &&
    node.checkVisibility({ visibilityProperty: true }),

  // Contrast takes milliseconds a text, and of texts that look alike it is the same: one
  // is asked about. The words of drawings are left out: axe cannot tell their background.
  sampleTexts() {
    const look = audit.looks();
    const seen = new Set();
    for (const node of document.querySelectorAll("body *")) {
      const key = audit.shows(node) ? look(node) : node;
      node.toggleAttribute("data-looks-alike", seen.has(key));
      seen.add(key);
    }
    const selector = "*:not(svg *, [data-looks-alike])";
    axe.configure({ rules: [{ id: "color-contrast", selector }] });
  },

  // What axe objects to, by all of its rules if none is named. It need not fetch the
  // stylesheets again: only an experimental rule reads them.
  async objections(rules) {
    audit.collapseCode();
    audit.collapseGlyphs();
    audit.sampleTexts();
    const options = { resultTypes: ["violations"], preload: { assets: ["media"] } };
    const only = rules.length ? { runOnly: rules } : {};
    const { violations } = await axe.run(document, { ...options, ...only });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  },
};
