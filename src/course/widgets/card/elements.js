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

/** A letter with a subscript, as in d_k: symbol("d", "k"). */
export function symbol(letter, subscript) {
  return html("span", { class: "abh-symbol" }, html("i", {}, letter), html("sub", {}, subscript));
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

/** Hide an element or show it, unless it is so: setting that again would style it anew. */
export function setHidden(node, hidden) {
  if (node.hidden !== hidden) node.hidden = hidden;
}

/** Change an element's text in place, without touching the tree. */
export function setText(node, text) {
  if (!node.firstChild) node.textContent = text;
  else if (node.firstChild.data !== text) node.firstChild.data = text;
}
