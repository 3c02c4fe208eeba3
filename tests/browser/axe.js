// Runs axe-core inside a page for accessibility.py and returns its objections. Of parts with the
// same style, axe checks only one: this saves nine tenths of its time.
window.audit = {
  // Highlighted code has thousands of spans in a dozen colours. Keeps the first span of each
  // style and turns the others into plain text.
  collapseCode() {
    const seen = new Set();
    for (const span of document.querySelectorAll("pre span")) {
      const style = `${span.closest("div")?.className} ${span.className}`;
      if (span.firstElementChild) continue;
      if (seen.has(style)) span.replaceWith(...span.childNodes);
      seen.add(style);
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

  // Returns a function that describes the style of a text, as far as contrast depends on it:
  // the paint behind it, its colour, and whether it is large (WCAG 2.2, 1.4.3). All cell
  // colours count as one style: test_look.py computes the contrast of each of them.
  styles() {
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

  // Returns whether an element itself shows text whose contrast axe can check.
  shows: (node) =>
    [...node.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(data)) ||
    node.matches("input:not([type=radio], [type=checkbox], [type=range]), select, textarea"),

  isSeen(node) {
    if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const { width, right, bottom } = node.getBoundingClientRect();
    return width > 1 && right > 0 && bottom + scrollY > 0 && !node.closest(":disabled, [aria-disabled=true]");
  },

  // Marks the texts whose contrast axe must check, and returns their number. A check takes
  // milliseconds, and texts with the same style have the same contrast: of each style, only the
  // first text is marked, and none if the style has passed on an earlier page. The words of
  // drawings are left out: axe cannot find their background.
  sample(passed) {
    const styleOf = audit.styles();
    const asked = new Set(passed);
    for (const node of document.querySelectorAll("body *:not(svg *)")) {
      node.removeAttribute("data-style");
      const style = audit.shows(node) && audit.isSeen(node) && styleOf(node);
      if (!style || asked.has(style)) continue;
      node.setAttribute("data-style", style);
      asked.add(style);
    }
    return asked.size - passed.length;
  },

  // Records the styles whose contrast passes. A style over a gradient or an image, which axe
  // cannot check, counts as passed.
  record(results) {
    const settled = ({ result, data }) => result || /^bg(Gradient|Image)$/.test(data?.messageKey);
    for (const { node } of results.filter(settled)) audit.passed.add(node.element.dataset.style);
    return results;
  },

  // Returns axe's objections to a page, and the styles that have passed. Axe does not fetch the
  // stylesheets again: only an experimental rule reads them.
  async objections([onlyContrast, passed]) {
    audit.collapseCode();
    audit.passed = new Set();
    const asked = audit.sample(passed);
    if (onlyContrast && !asked) return [[], []];
    const options = { resultTypes: ["violations"], preload: { assets: ["media"] } };
    const only = onlyContrast ? { runOnly: ["color-contrast"] } : {};
    const putBack = audit.empty();
    const { violations } = await axe.run(document, { ...options, ...only });
    putBack();
    const short = (html) => html.replace(/ data-style="[^"]*"/g, "").slice(0, 160);
    return [violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${short(html)}`)), [...audit.passed]];
  },
};
axe.configure({
  checks: [{ id: "color-contrast", after: audit.record }],
  rules: [{ id: "color-contrast", selector: "[data-style]" }],
});
