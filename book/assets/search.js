// What a search result shows of a page: its text with its formulas, not the words of its
// controls. Sphinx's own search (searchtools.js) cuts a summary out of this text, in which
// a character of nobody's stands for a formula.
(() => {
  const FIRST = 0xe000; // private use
  let formulas = [];

  const place = (formula) => {
    formula.querySelector("math")?.removeAttribute("display");
    const inline = document.createElement("span");
    inline.className = "math";
    inline.dataset.tex = formula.dataset.tex;
    inline.append(...formula.childNodes);
    return String.fromCharCode(FIRST + formulas.push(inline) - 1);
  };

  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const cut = ".headerlink, script, style, svg, summary, .strap, .cell_input, .onward, .still, h1";
    for (const node of page.querySelectorAll(cut)) node.remove();
    const main = page.querySelector('[role="main"]');
    const part = (anchor && main?.querySelector(anchor)) || main;
    for (const formula of part?.querySelectorAll(".math") ?? []) formula.replaceWith(place(formula));
    return part?.textContent.replace(/\s+/g, " ").trim() ?? "";
  };

  const summarise = Search.makeSearchSummary;
  Search.makeSearchSummary = (...page) => {
    formulas = [];
    const summary = summarise(...page);
    const parts = summary?.textContent.split(/([\ue000-\uf8ff])/) ?? [];
    summary?.replaceChildren(...parts.map((part) => formulas[part.charCodeAt(0) - FIRST] ?? part));
    return summary;
  };
})();
