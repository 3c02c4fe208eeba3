// Returns the record of a page: lines of text that its source does not show. A line is a
// paragraph that code wrote, a row of a table, a part of a figure, a drawing or a displayed
// formula. Each line follows the heading of its section. Formulas are LaTeX between ⟦ and ⟧.
globalThis.pageRecord = (isWrittenByCode) => {
  const WIDTH = 160; // characters: lines of a part are joined if they fit into one line
  const HEADINGS = "h1, h2, h3, h4";
  const COMPUTED = ".cell_output, .widget, svg[role=img], img[alt], div.math, figcaption";
  // The sources show these texts: code, folded instructions, and the buttons below questions.
  const LEFT_OUT = `script, style, template, pre, .abh-foot, .headerlink,
    .abh-card details > :not(summary), :is(.abh-quiz, .abh-exercise) .abh-button,
    .abh-quiz input:not(:checked), .abh-exercise input[type=text]`;
  const spaced = (text) => text.replace(/\s+/g, " ").trim();
  const named = (node) => spaced(node.getAttribute("aria-label") ?? "");
  // A span is text even where CSS places it apart, such as the number of a formula.
  const isInText = (node) => node.matches("span, em, strong") && !node.closest(".widget");
  const isInline = (node) => isInText(node) || getComputedStyle(node).display.startsWith("inline");
  const isShown = (node) => !node.matches(LEFT_OUT) && node.checkVisibility({ visibilityProperty: true });
  const flat = (lines) => [lines].flat().map(spaced).filter(Boolean);

  function drawing(svg) {
    const axes = [...svg.querySelectorAll("g[id*='axes_']")].filter((each) => !each.parentElement.closest("g[id*='axes_']"));
    const words = (part) => flat([...part.querySelectorAll("text")].map((text) => text.textContent)).join(" · ");
    return flat([`picture: ${named(svg)}`, ...(axes.length ? axes : [svg]).map(words)]);
  }

  // Returns the text of a control or a formula, and null for any other node.
  function control(node) {
    if (node.matches("select")) return `[${[...node.options].map(({ text }) => spaced(text)).join(" | ")}]`;
    if (node.matches("input[type=radio], input[type=checkbox]")) return node.checked ? "(x) " : "( ) ";
    if (node.matches("input, textarea")) return `[${named(node)} ${node.getAttribute("aria-valuetext") ?? node.value}]`;
    if (node.matches("button")) return `[${named(node) || spaced(node.textContent)}]`;
    return node.dataset.tex ? `⟦${node.dataset.tex}⟧` : null;
  }

  // Returns an array with the lines of a node, or a string if the node is part of a line.
  function linesOf(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || !isShown(node)) return "";
    const said = control(node);
    if (said !== null) return said;
    if (node.matches("svg")) return drawing(node);
    if (node.matches("img")) return [`picture: ${node.alt}`];
    if (node.matches("tr")) return [[...node.cells].map((cell) => flat(linesOf(cell)).join(" ")).join(" | ")];
    if (node.matches("a[href]") && !node.hash.startsWith("#abh-")) return `${node.textContent} <${node.getAttribute("href")}>`;
    const lines = withName(node, joined([...node.childNodes].map(linesOf)));
    if (node.matches("details") && lines.length < 2) return [];
    if (isInline(node)) return lines.join(" ");
    return node.closest(".widget") ? shortened(lines) : lines;
  }

  // Joins neighbouring strings to one line. The lines in an array stay lines.
  function joined(all) {
    const lines = [];
    let isOpen = false;
    for (const each of all) {
      if (Array.isArray(each)) lines.push(...each);
      else if (each && isOpen) lines.push(lines.pop() + each);
      else if (each) lines.push(each);
      isOpen = each ? !Array.isArray(each) : isOpen;
    }
    return flat(lines);
  }

  // Puts the aria-label of a node before its lines. Left out: labels that repeat a line or a
  // prompt, and labels that say that a box scrolls, which depends on the width of the box.
  function withName(node, lines) {
    const name = named(node);
    return name && lines.length && !lines.includes(name) && !/^(Question|Exercise): |, scrolls sideways$/.test(name) ? [`${name}:`, ...lines] : lines;
  }

  function shortened(lines) {
    const row = lines.join(" · ");
    return row.length <= WIDTH ? flat(row) : lines;
  }

  const article = document.querySelector("main article") ?? document.querySelector("main");
  const chosen = [...article.querySelectorAll(`${HEADINGS}, ${isWrittenByCode ? "p, li, tr" : COMPUTED}`)];
  const outermost = chosen.filter((node) => !chosen.some((other) => other !== node && other.contains(node)));
  const lines = [];
  for (const node of outermost) {
    const isHeading = node.matches(HEADINGS);
    const found = flat(linesOf(node));
    if (isHeading && lines.at(-1)?.startsWith("# ")) lines.pop();
    lines.push(...(isHeading ? [`# ${found.join(" ")}`] : found));
  }
  if (lines.at(-1)?.startsWith("# ")) lines.pop();
  return lines;
};
