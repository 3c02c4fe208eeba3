// Copies the drawing as SVG text: for a file, and for readers without scripts.

const KEPT = ["viewBox", "transform", "opacity", "d", "x", "y", "width", "height", "rx",
  "cx", "cy", "r", "dy", "fill", "style", "stroke-opacity", "stroke-width",
  "stroke-dasharray", "stroke-linecap", "text-anchor", "font-size", "font-weight"];

const MAP = /scale\(0\.[0-2]/; // the map beside a stage: drawn at less than 0.3

/** @type {(node: any) => Element | Text | null} */
function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  const isFlow = node.classList.contains("abh-ma-flow");
  if (isFlow || node.getAttribute("fill") === "transparent") return null;
  if (/^0(\.0*)?$/.test(node.getAttribute("opacity") ?? "1")) return null;
  if (MAP.test(node.getAttribute("transform") ?? "")) return null;
  const copy = document.createElementNS(node.namespaceURI, node.localName);
  for (const name of KEPT)
    if (node.hasAttribute(name) && !(name === "style" && node.localName === "svg"))
      copy.setAttribute(name, node.getAttribute(name));
  if (node.classList.contains("abh-ma-word"))
    copy.setAttribute("font-family", "var(--abh-serif, serif)");
  copy.append(...[...node.childNodes].flatMap((each) => copied(each) ?? []));
  return copy.localName === "g" && !copy.childNodes.length ? null : copy;
}

/** Return the drawing as SVG text without interactive parts; colours stay variables. */
export function stillOf(svg) {
  const copy = /** @type {Element} */ (copied(svg));
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  for (const [name, value] of Object.entries({ width, height, "aria-hidden": "true" }))
    copy.setAttribute(name, value);
  return copy.outerHTML
    .replace(' xmlns="http://www.w3.org/2000/svg"', "")
    .replace(/ opacity="1(\.0+)?"/g, "");
}

/** Return the drawing as the text of an SVG file, in the page's current colours. */
export function pictureOf(svg) {
  const style = getComputedStyle(svg);
  const colours = new Set(["--abh-paper", ...svg.outerHTML.match(/--abh-[\w-]+/g)]);
  const roles = [...colours]
    .map((role) => `${role}:${style.getPropertyValue(role)}`)
    .join(";");
  const paper = "font-family:system-ui,sans-serif;background:var(--abh-paper)";
  const rule = `<style>svg{${roles};${paper}}text{fill:var(--abh-ink)}</style>`;
  return stillOf(svg)
    .replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
    .replace(">", `>${rule}`);
}
