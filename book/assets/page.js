// What every page does in the browser: theme, menu, copy buttons, formulas copied as
// LaTeX, labels for boxes that scroll, folds opened for print, and the mark at the current
// entry of "On this page".

import { copied, element, quietButton } from "../runtime/elements.js";

const root = document.documentElement;

const MODES = { auto: "System", light: "Light", dark: "Dark" };

function themeSwitch() {
  const button = document.querySelector("button.mode");
  const show = () => {
    button.querySelector(".mode-name").textContent = `${MODES[root.dataset.mode] ?? "System"} theme`;
  };
  button.addEventListener("click", () => {
    const names = Object.keys(MODES);
    const next = names[(names.indexOf(root.dataset.mode) + 1) % names.length];
    root.dataset.mode = next;
    try {
      localStorage.setItem("mode", next);
    } catch {
      // the choice lasts for this page only
    }
    show();
  });
  show();
  button.hidden = false;
}

function menu() {
  const button = document.querySelector("button.menu");
  const contents = document.getElementById("contents");
  const set = (open) => {
    contents.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => set(!contents.classList.contains("open")));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && contents.classList.contains("open")) {
      set(false);
      button.focus();
    }
  });
  button.hidden = false;
}

// Without a clipboard (an old browser, a plain http address) the page has no copy buttons.
function copyButtons() {
  const blocks = document.querySelectorAll(".cell_input .highlight");
  if (!blocks.length || !navigator.clipboard?.writeText) return;
  const said = element("p", { className: "unseen", role: "status" }); // for screen readers
  document.querySelector("main").append(said);
  for (const block of blocks) block.append(copyButton(block, said));
}

function copyButton(block, said) {
  let reset = 0;
  const button = quietButton("Copy", async () => {
    const code = block.querySelector("pre").textContent.trimEnd();
    button.textContent = (await copied(`${code}\n`)) ? "Copied" : "Not allowed";
    said.textContent = button.textContent;
    clearTimeout(reset);
    reset = setTimeout(() => {
      button.textContent = "Copy";
      said.textContent = "";
    }, 1500);
  });
  button.classList.add("copy");
  button.ariaLabel = "Copy the code";
  return button;
}

const formulaAround = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest("[data-tex]");

// The selected content. A formula that is selected in part is included as a whole.
function selectedPart(selection) {
  const range = selection.getRangeAt(0).cloneRange();
  const [first, last] = [range.startContainer, range.endContainer].map(formulaAround);
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  return range.cloneContents();
}

// Copy formulas as LaTeX, without the commands for the colours of queries, keys and values.
function copyFormulas() {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (event.defaultPrevented || selection.isCollapsed || event.target.closest?.("input, textarea")) return;
    // must be in the page: innerText needs its layout
    const box = element("div", { className: "unseen" }, selectedPart(selection));
    // else a copied choice would be of the same group, and deselect the reader's choice
    for (const choice of box.querySelectorAll("[type=radio]")) choice.name = "";
    const formulas = box.querySelectorAll("[data-tex]");
    if (!formulas.length) return;
    event.clipboardData.setData("text/html", box.innerHTML);
    for (const formula of formulas) {
      const latex = formula.dataset.tex.replace(/\\color\{[^}]*\}\s*/g, "");
      const mark = formula.matches("div") ? "$$" : "$";
      formula.textContent = mark + latex + mark;
    }
    document.body.append(box);
    event.clipboardData.setData("text/plain", box.innerText);
    box.remove();
    event.preventDefault();
  });
}

const SCROLLS = { ".figure": "Figure", ".table": "Table", "div.math": "Formula", ".cell_input pre": "Code", pre: "Text", ".output.text_html": "Output" };

// A box that scrolls sideways must be reachable by keyboard (WCAG 2.1.1), have a name,
// and show that it hides content (the class `scrolls` in book.css). The observer measures
// all boxes before it changes the first.
function fitBoxes() {
  const measure = (box) => ({ box, scrolls: box.scrollWidth > box.clientWidth + 1 });
  const fit = ({ box, scrolls }) => {
    if (box.classList.contains("scrolls") !== scrolls) mark(box, scrolls);
  };
  const observer = new ResizeObserver((entries) => entries.map(({ target }) => measure(target)).forEach(fit));
  const boxes = Object.keys(SCROLLS).join();
  const observe = () => document.querySelectorAll(boxes).forEach((box) => observer.observe(box));
  document.addEventListener("toggle", observe, true); // Python may have added boxes since
  observe();
}

function mark(box, scrolls) {
  box.classList.toggle("scrolls", scrolls);
  if (!scrolls) {
    for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    return;
  }
  const [, what] = Object.entries(SCROLLS).find(([selector]) => box.matches(selector));
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `${what}, scrolls sideways`);
}

const HELP = /^(One solution|Solution|Answers?|Open hint)/;

// Open the folds before the page is printed, but not code (see book.css), and not answers
// and hints: these are printed only if the reader has opened them.
function unfoldForPaper() {
  let opened = [];
  const isHelp = (fold) => HELP.test(fold.querySelector("summary").textContent);
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.fold:not([open])")].filter((fold) => !isHelp(fold));
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
  });
}

// Call `act` with the set of the elements in view, whenever one comes into view or leaves.
function whenInView(elements, act, options = {}) {
  const inView = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
    }
    act(inView);
  }, options);
  for (const element of elements) observer.observe(element);
}

function markTheSectionBeingRead() {
  const links = new Map();
  for (const link of document.querySelectorAll(".here a[href^='#']")) {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (section) links.set(section, link);
  }
  const show = (inView) => {
    const current = [...links.keys()].findLast((section) => inView.has(section));
    for (const [section, link] of links) {
      if (section === current) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  };
  whenInView(links.keys(), show, { rootMargin: "-15% 0px -70% 0px" });
}

// Hide "On this page" while a wide machine, which takes this room, is in view (book.css).
function clearTheRail() {
  const rail = document.querySelector(".here");
  const isWide = (widget) => widget.querySelector(".abh-ma-card") !== null;
  const cover = (inView) => rail.classList.toggle("covered", [...inView].some(isWide));
  if (rail) whenInView(document.querySelectorAll(".widget"), cover);
}

// Add a second skip link, to the first figure. The link puts the focus on the figure's first
// number field, or else on its first control.
function skipToFigure() {
  const widget = document.querySelector(".widget[id]");
  const skip = document.querySelector(".skip");
  if (!widget || !skip) return;
  const link = skip.cloneNode();
  link.href = `#${widget.id}`;
  link.textContent = "Skip to the figure";
  link.addEventListener("click", (event) => {
    // a figure whose question was not opened yet has a hidden button
    const inSight = (control) => control.checkVisibility() && !control.disabled;
    const controls = [...widget.querySelectorAll("input, select, button")].filter(inSight);
    const first = controls.find((control) => control.matches("td input")) ?? controls[0];
    if (!first) return;
    event.preventDefault();
    first.focus();
  });
  skip.after(link);
}

themeSwitch();
menu();
clearTheRail();
skipToFigure();
copyButtons();
copyFormulas();
unfoldForPaper();
markTheSectionBeingRead();
document.fonts.ready.then(fitBoxes);
