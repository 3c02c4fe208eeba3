// Runs axe-core inside a page for accessibility.py and returns its objections. Of parts with the
// same style, axe checks only one: this saves nine tenths of its time.
window.audit = {
  SAMPLED: {
    "color-contrast": ["data-style", "color-contrast"],
    "link-in-text-block": ["data-link", "link-in-text-block", "link-in-text-block-style"],
  },

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

  // Returns whether a link stands in a line with other words.
  isAmongWords(link) {
    const words = (node) => node.textContent.replace(/[^\p{L}\p{N}]/gu, "");
    const isInline = (node) => getComputedStyle(node).display.startsWith("inline");
    let node = link;
    while (isInline(node.parentElement) && words(node.parentElement) === words(link)) node = node.parentElement;
    const besides = [...node.parentElement.childNodes].filter((each) => each !== node && words(each));
    return !link.closest("nav") && besides.some((each) => !each.matches?.("a, button, ul, ol, div, section"));
  },

  // Returns a function that describes the style of a link and of the text around it, from
  // which the link must differ (WCAG 2.2, 1.4.1).
  stylesOfLinks: (styles) => (link) => {
    const { textDecoration, fontWeight, fontStyle, border, fontSize } = getComputedStyle(link);
    const own = [textDecoration, fontWeight, fontStyle, border, fontSize].join();
    return `${styles(link)} in ${styles(link.parentElement)}: ${own}`;
  },

  // Marks the texts and links that axe must check, and returns their number. A check takes
  // milliseconds, and texts with the same style have the same contrast: of each style, only the
  // first text is marked, and none if the style has passed on an earlier page. Links are
  // marked only among words, not in a list of pages. The words of drawings are left out: axe
  // cannot find their background.
  sample(passed) {
    const styles = audit.styles();
    const stylesOfLinks = audit.stylesOfLinks(styles);
    const asked = new Set(passed);
    const ask = (node, about, style) => {
      if (!style || asked.has(style)) return node.removeAttribute(about);
      node.setAttribute(about, style);
      asked.add(style);
    };
    for (const node of document.querySelectorAll("body *:not(svg *)")) {
      const isLink = node.matches("a[href]") && audit.isAmongWords(node);
      const isAsked = (isLink || audit.shows(node)) && audit.isSeen(node);
      ask(node, "data-style", isAsked && audit.shows(node) && styles(node));
      ask(node, "data-link", isAsked && isLink && stylesOfLinks(node));
    }
    return asked.size - passed.length;
  },

  // Restricts a rule to marked elements, and records the styles that pass it. A style over a
  // gradient or an image, which axe cannot check, counts as passed.
  listen(rule, about, checks) {
    const settled = ({ result, data }) => result || /^bg(Gradient|Image)$/.test(data?.messageKey);
    const after = (results) => {
      for (const { node } of results.filter(settled)) audit.passed.add(node.element.getAttribute(about));
      return results;
    };
    axe.configure({ checks: checks.map((id) => ({ id, after })), rules: [{ id: rule, selector: `[${about}]` }] });
  },

  // Returns axe's objections to a page, and the styles that have passed. Without `rules`, axe
  // uses all of its rules. Axe does not fetch the stylesheets again: only an experimental rule
  // reads them.
  async objections([rules, passed]) {
    audit.collapseCode();
    audit.passed = new Set();
    const asked = audit.sample(passed);
    if (rules.length && rules.every((rule) => rule in audit.SAMPLED) && !asked) return [[], []];
    const options = { resultTypes: ["violations"], preload: { assets: ["media"] } };
    const only = rules.length ? { runOnly: rules } : {};
    const putBack = audit.empty();
    const { violations } = await axe.run(document, { ...options, ...only });
    putBack();
    const short = (html) => html.replace(/ data-(style|link)="[^"]*"/g, "").slice(0, 160);
    return [violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${short(html)}`)), [...audit.passed]];
  },
};
for (const [rule, [about, ...checks]] of Object.entries(audit.SAMPLED)) audit.listen(rule, about, checks);
