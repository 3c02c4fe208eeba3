// Elements of a view: made with attributes, listeners and children.

/** Fill an element: attributes, `on<event>` listeners, children. */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * Build an HTML element: html("p", { class: "x" }, "text", child).
 *
 * A control is marked so that JupyterLab leaves it its keys: in a notebook the arrows
 * of a slider and the Enter of a button would otherwise move from cell to cell.
 */
export function html(tag, props, ...children) {
  const node = document.createElement(tag);
  if (node.matches("button, input, select, textarea")) node.dataset.lmSuppressShortcuts = "";
  return fill(node, props, children);
}

/** Build an SVG element, with the same arguments as `html`. */
export function svg(tag, props, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return fill(node, props, children);
}

/** A script as LaTeX writes it: "k", "{\\text{model}}", "{1,2}"; T is a transpose's. */
function scriptOf(text) {
  if (text === "T") return "{\\mathsf T}";
  if (/^[a-z]$/i.test(text)) return text;
  return /^[a-z]+$/i.test(text) ? `{\\text{${text}}}` : `{${text.replace("\u2212", "-")}}`;
}

/** MathML of a formula from the site's table, where a # stands for any number (book/formulas). */
function fromTable(latex) {
  const numbers = latex.match(/\d+/g) ?? [];
  const line = globalThis.abhFormulas?.[latex.replace(/\d+/g, "#")];
  return line?.replace(/#(\d+)/g, (_, place) => numbers[place]);
}

/** A letter with a subscript and a superscript, as in d_k or W^Q: symbol("W", "", "Q"). */
export function symbol(letter, below = "", above = "") {
  const latex = letter + (below && `_${scriptOf(below)}`) + (above && `^${scriptOf(above)}`);
  const node = html("span", { class: "abh-symbol", "data-tex": latex });
  const mathml = fromTable(latex);
  if (mathml) {
    node.innerHTML = mathml;
    // Chromium leaves a formula out of the name of the control that it labels.
    node.firstChild.setAttribute("aria-label", [letter, below, above].filter(Boolean).join(" "));
  } else node.append(html("i", {}, letter), below && html("sub", {}, below), above && html("sup", {}, above));
  return node;
}

/** An id that no other view on the page has. */
export function uid(prefix) {
  return `${prefix}-${Math.random().toString(36).slice(2, 10)}`;
}

/** Act on an element's size, now and whenever it changes, until the signal. */
export function followSize(node, signal, act) {
  const observer = new ResizeObserver(([entry]) => act(entry));
  observer.observe(node);
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Act when the page's colours may have changed, until the signal: for what CSS cannot reach. */
export function followTheme(signal, act) {
  const observer = new MutationObserver(act);
  const attributeFilter = ["data-theme", "data-jp-theme-light"];
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributeFilter });
  signal.addEventListener("abort", () => observer.disconnect());
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", act, { signal });
  }
}

/** Set an attribute, unless it stands so: the browser would style the element anew. */
export function setAttribute(node, name, text) {
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Hide an element or show it, unless it is so: setting that again would style it anew. */
export function setHidden(node, hidden) {
  if (node.hidden !== hidden) node.hidden = hidden;
}

/** Say whether a button is pressed, unless it says so. */
export function setPressed(button, pressed) {
  if (button.ariaPressed !== String(pressed)) button.ariaPressed = String(pressed);
}

/** Change an element's text in place, without touching the tree. */
export function setText(node, text) {
  if (!node.firstChild) node.textContent = text;
  else if (node.firstChild.data !== text) node.firstChild.data = text;
}
