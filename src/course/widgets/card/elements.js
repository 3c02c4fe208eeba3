// Functions that build, change and observe the elements of a view.

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
 * The data attribute of a control stops JupyterLab from using the control's keys. Without
 * it, the arrow keys of a slider and Enter on a button would move to another cell.
 */
export function html(tag, props, ...children) {
  const node = document.createElement(tag);
  if (node.matches("button, input, select, textarea")) node.dataset.lmSuppressShortcuts = "";
  return fill(node, props, children);
}

export const MAIN = { class: "abh-button" }; // props of a button that stands out

/** Build a button: button("Back", act). text: a text or nodes; props: as in `html`. */
export function button(text, act, props = {}) {
  return html("button", { type: "button", class: "abh-button abh-quiet", onclick: act, ...props }, ...[text].flat());
}

/** Build the options of a list from pairs of a value and a text. */
export const optionsOf = (pairs) => pairs.map(([value, text]) => html("option", { value }, text));

/** Build a list of choices; `act` is called with the value of a choice. */
export function selectOf(pairs, act, props = {}) {
  return html("select", { class: "abh-field", onchange: ({ target }) => act(target.value), ...props }, ...optionsOf(pairs));
}

/** Build an SVG element, with the same arguments as `html`. */
export function svg(tag, props, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return fill(node, props, children);
}

/** LaTeX of a subscript or superscript: "k", "{\\text{model}}", "{1,2}"; "T" is the sign of the transpose. */
function scriptOf(text) {
  if (text === "T") return "{\\mathsf T}";
  if (/^[a-z]$/i.test(text)) return text;
  return /^[a-z]+$/i.test(text) ? `{\\text{${text}}}` : `{${text.replace("\u2212", "-")}}`;
}

/** MathML of a formula, from the site's table (book/formulas); undefined if the table lacks the formula. */
function fromTable(latex) {
  const numbers = latex.match(/\d+/g) ?? []; // in the table, # stands for any number
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
    // Without this label, Chromium names a control as if its label had no formula.
    node.firstChild.setAttribute("aria-label", [letter, below, above].filter(Boolean).join(" "));
  } else node.append(html("i", {}, letter), below && html("sub", {}, below), above && html("sup", {}, above));
  return node;
}

/** An id that no other view on the page has. */
export function uid(prefix) {
  return `${prefix}-${Math.random().toString(36).slice(2, 10)}`;
}

/** Call `act` with an element's size, now and after each change, until `signal` aborts. */
export function followSize(node, signal, act) {
  const observer = new ResizeObserver(([entry]) => act(entry));
  observer.observe(node);
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Call `act` when the page's colours may have changed, until `signal` aborts: a canvas needs this, CSS cannot recolour it. */
export function followTheme(signal, act) {
  const observer = new MutationObserver(act);
  const attributeFilter = ["data-theme", "data-jp-theme-light"];
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributeFilter });
  signal.addEventListener("abort", () => observer.disconnect());
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", act, { signal });
  }
}

/** Set an attribute if its value differs: even an equal value makes the browser restyle the element. */
export function setAttribute(node, name, text) {
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Hide or show an element if `hidden` differs; see `setAttribute`. */
export function setHidden(node, hidden) {
  if (node.hidden !== hidden) node.hidden = hidden;
}

/** Set `aria-pressed` of a button if it differs; see `setAttribute`. */
export function setPressed(button, pressed) {
  if (button.ariaPressed !== String(pressed)) button.ariaPressed = String(pressed);
}

/** Set an element's text in its text node, if the text differs. The tree of elements stays. */
export function setText(node, text) {
  if (!node.firstChild) node.textContent = text;
  else if (node.firstChild.data !== text) node.firstChild.data = text;
}
