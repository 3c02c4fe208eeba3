// Runs axe-core inside a page for accessibility.py.
window.audit = {
  // Highlighted code has thousands of spans in a dozen colours. Keeps the first span of each
  // look and turns the others into plain text.
  collapseCode() {
    const seen = new Set();
    for (const span of document.querySelectorAll("pre span")) {
      const look = `${span.closest("div")?.className} ${span.className}`;
      if (span.firstElementChild) continue;
      if (seen.has(look)) span.replaceWith(...span.childNodes);
      seen.add(look);
    }
  },

  // Removes contents that no rule of axe checks, and returns a function that restores them:
  // the drawing in a picture that a screen reader skips or sees as one image (unless a part
  // can have the focus), and the markup in formulas.
  empty() {
    const pictures = [...document.querySelectorAll("svg:is([role=img], [aria-hidden=true])")]
      .filter((picture) => !picture.querySelector("a, [tabindex]"))
      .map((picture) => [picture, picture.querySelectorAll(":scope > :is(title, desc)")]);
    const formulas = [...document.querySelectorAll("math")].map((math) => [math, [math.textContent]]);
    const emptied = [...pictures, ...formulas].map(([node, left]) => [node, [...node.childNodes], left]);
    for (const [node, , left] of emptied) node.replaceChildren(...left);
    return () => emptied.forEach(([node, parts]) => node.replaceChildren(...parts));
  },

  // Returns axe's objections to a page. Without `rules`, axe uses all of its rules. Axe does
  // not fetch the stylesheets again: only an experimental rule reads them.
  async objections(rules) {
    audit.collapseCode();
    const options = { resultTypes: ["violations"], preload: { assets: ["media"] } };
    const only = rules.length ? { runOnly: rules } : {};
    const putBack = audit.empty();
    const { violations } = await axe.run(document, { ...options, ...only });
    putBack();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  },
};
