// What a search result shows of a page: its text, not the words of its controls. Sphinx's
// own search (searchtools.js) cuts a summary out of what this gives.
Search.htmlToText = (html, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const cut = ".headerlink, script, style, svg, summary, .strap, .cell_input, .onward, .still, h1";
  for (const node of page.querySelectorAll(cut)) node.remove();
  const main = page.querySelector('[role="main"]');
  const part = anchor ? main?.querySelector(anchor) : main;
  return (part ?? main)?.textContent.replace(/\s+/g, " ").trim() ?? "";
};
