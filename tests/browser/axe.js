// What conftest.py does inside a page with axe-core: ask it for all that it objects to,
// and spare it what it could not object to more than once (nine tenths of its time).
window.audit = {
  SAMPLED: {
    "color-contrast": ["data-look", "color-contrast"],
    "link-in-text-block": ["data-link", "link-in-text-block", "link-in-text-block-style"],
  },

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

  // What is in a picture that is one image to a screen reader, or hidden from it, is looked
  // at by no rule unless it can have the focus; of a formula, its words alone; of code
  // outside of the parts that are asked about, nothing. Gives a function that puts all back.
  empty(parts) {
    const pictures = [...document.querySelectorAll("svg:is([role=img], [aria-hidden=true])")]
      .filter((picture) => !picture.querySelector("a, [tabindex]"))
      .map((picture) => [picture, picture.querySelectorAll(":scope > :is(title, desc)")]);
    const formulas = [...document.querySelectorAll("math")].map((math) => [math, [math.textContent]]);
    const isElsewhere = (node) => parts && !node.closest(parts) && !node.querySelector(parts);
    const code = [...document.querySelectorAll("pre")].filter(isElsewhere).map((pre) => [pre, []]);
    const emptied = [...pictures, ...formulas, ...code].map(([node, left]) => [node, [...node.childNodes], left]);
    for (const [node, , left] of emptied) node.replaceChildren(...left);
    return () => emptied.forEach(([node, parts]) => node.replaceChildren(...parts));
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

  // Whether an element shows words of its own, of which axe could tell the contrast.
  shows: (node) =>
    [...node.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(data)) ||
    node.matches("input:not([type=radio], [type=checkbox], [type=range]), select, textarea"),

  isSeen(node) {
    if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const { width, right, bottom } = node.getBoundingClientRect();
    return width > 1 && right > 0 && bottom + scrollY > 0 && !node.closest(":disabled, [aria-disabled=true]");
  },

  // Whether a link stands in a line with other words.
  isAmongWords(link) {
    const words = (node) => node.textContent.replace(/[^\p{L}\p{N}]/gu, "");
    const isInline = (node) => getComputedStyle(node).display.startsWith("inline");
    let node = link;
    while (isInline(node.parentElement) && words(node.parentElement) === words(link)) node = node.parentElement;
    const besides = [...node.parentElement.childNodes].filter((each) => each !== node && words(each));
    return !link.closest("nav") && besides.some((each) => !each.matches?.("a, button, ul, ol, div, section"));
  },

  // What tells a link from the words around it (WCAG 2.2, 1.4.1), as `looks` does for one.
  looksOfLinks: (looks) => (link) => {
    const { textDecoration, fontWeight, fontStyle, border, fontSize } = getComputedStyle(link);
    const own = [textDecoration, fontWeight, fontStyle, border, fontSize].join();
    return `${looks(link)} in ${looks(link.parentElement)}: ${own}`;
  },

  // Contrast takes milliseconds a text, and of texts that look alike it is the same: one
  // is asked about, and none if one such has passed, on whatever page. So with links, if
  // they stand among words and not in a list of pages. (Where axe is asked about none, it
  // need not find out what lies over what.) The words of drawings are left out: axe cannot
  // tell their background. Gives how many are asked about.
  sample(parts, passed) {
    const looks = audit.looks();
    const looksOfLinks = audit.looksOfLinks(looks);
    const asked = new Set(passed);
    const ask = (node, about, look) => {
      if (!look || asked.has(look)) return node.removeAttribute(about);
      node.setAttribute(about, look);
      asked.add(look);
    };
    for (const node of document.querySelectorAll(`:is(${parts ?? "body"}) *:not(svg *)`)) {
      const isLink = node.matches("a[href]") && audit.isAmongWords(node);
      const isAsked = (isLink || audit.shows(node)) && audit.isSeen(node);
      ask(node, "data-look", isAsked && audit.shows(node) && looks(node));
      ask(node, "data-link", isAsked && isLink && looksOfLinks(node));
    }
    return asked.size - passed.length;
  },

  // Hears what looks pass, or are such that axe can tell of none (over a gradient).
  listen(rule, about, checks) {
    const settled = ({ result, data }) => result || /^bg(Gradient|Image)$/.test(data?.messageKey);
    const after = (results) => {
      for (const { node } of results.filter(settled)) audit.passed.add(node.element.getAttribute(about));
      return results;
    };
    axe.configure({ checks: checks.map((id) => ({ id, after })), rules: [{ id: rule, selector: `[${about}]` }] });
  },

  // What axe objects to in a page or in parts of it, by all of its rules if none is named,
  // and what looks have passed. It need not fetch the stylesheets again: only an
  // experimental rule reads them.
  async objections([rules, parts, passed]) {
    audit.collapseCode();
    audit.passed = new Set();
    const asked = audit.sample(parts, passed);
    if (rules.length && rules.every((rule) => rule in audit.SAMPLED) && !asked) return [[], []];
    const options = { resultTypes: ["violations"], preload: { assets: ["media"] } };
    const only = rules.length ? { runOnly: rules } : {};
    const where = parts ? { include: [parts] } : document;
    const putBack = audit.empty(parts);
    const { violations } = await axe.run(where, { ...options, ...only });
    putBack();
    const told = (html) => html.replace(/ data-(look|link)="[^"]*"/g, "").slice(0, 160);
    return [violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${told(html)}`)), [...audit.passed]];
  },
};
for (const [rule, [about, ...checks]] of Object.entries(audit.SAMPLED)) audit.listen(rule, about, checks);
