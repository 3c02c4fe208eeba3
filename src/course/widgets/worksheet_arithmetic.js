// The panel that says the arithmetic of one cell; every source in it can be followed.

/** The nodes of one part of a line. */
function partNode(inputs, part, decimals, follow) {
  if (part.group) {
    return html("span", { class: "abh-ws-term" },
      ...part.group.map((inner) => partNode(inputs, inner, decimals, follow)));
  }
  if (part.text !== undefined) return document.createTextNode(part.text);
  if (part.sym !== undefined) {
    return html("span", { class: "abh-ws-symbol", style: `color: var(--abh-${part.role})` },
      html("i", {}, part.sym),
      ...(part.sub ? [html("sub", {}, part.sub)] : []),
      ...(part.sup ? [html("sup", {}, part.sup)] : []));
  }
  const shown = shortNumber(part.cell ? part.value : part.number, decimals);
  if (!part.cell) return html(part.result ? "strong" : "span", { class: "abh-ws-number" }, shown);
  const role = ROLE_OF[splitId(part.cell.id).kind] ?? "ink";
  const { id, row, column } = part.cell;
  return html("button", {
    type: "button", class: "abh-ws-follow", style: `color: var(--abh-${role})`,
    "aria-label": `${shown}, ${cellTitle(inputs, part.cell)}`,
    "data-id": id, "data-row": row, "data-column": column,
    onclick: () => follow(part.cell),
  }, shown);
}

function lineNode(inputs, line, decimals, follow) {
  return html("div", { class: "abh-ws-line" },
    ...line.map((part) => partNode(inputs, part, decimals, follow)));
}

/** Buttons that change an input by a tenth or flip its sign, for touch. */
function nudges(nudge) {
  const button = (label, name, change) =>
    html("button", { type: "button", class: "abh-button abh-quiet abh-ws-small", "aria-label": name, onclick: () => nudge(change) }, label);
  return html("span", { class: "abh-ws-nudges" },
    button("\u2212 0.1", "\u2212 0.1: make it smaller", (x) => x - 0.1),
    button("+ 0.1", "+ 0.1: make it larger", (x) => x + 0.1),
    button("\u00b1", "\u00b1: change its sign", (x) => -x));
}

/** Copy text; where the clipboard is refused, show it selected in a text area. */
async function copyText(copied, message, area) {
  try {
    await navigator.clipboard.writeText(copied);
    setText(message, "Copied.");
    area.hidden = true;
  } catch {
    area.hidden = false;
    area.value = copied;
    area.focus();
    area.select();
    setText(message, "The browser refused the clipboard: copy the selected text.");
  }
}

/**
 * Build the panel.
 *
 * follow(cell), back(), nudge(change) and numpy() are the worksheet's.
 * Returns { node, show({ inputs, explanation, decimals, from, editable }),
 * speak(words) }.
 */
function arithmeticPanel({ follow, back, nudge, numpy }) {
  const title = html("p", { class: "abh-ws-title" }, " ");
  const lines = html("div", { class: "abh-ws-lines" });
  const note = html("p", { class: "abh-ws-note" }, " ");
  const spoken = html("p", { class: "abh-ws-spoken", "aria-live": "polite" });
  const message = html("span", { class: "abh-ws-said", role: "status" });
  const area = html("textarea", { class: "abh-ws-copied", readonly: true, rows: 3, "aria-label": "Matrix as NumPy", hidden: true });
  const copy = html("button", { type: "button", class: "abh-button abh-quiet abh-ws-small" }, "Copy as NumPy");
  const backTo = html("button", { type: "button", class: "abh-button abh-quiet abh-ws-small", onclick: back }, "Back");
  const steps = nudges(nudge);
  copy.addEventListener("click", () => copyText(numpy(), message, area));
  const tools = html("div", { class: "abh-ws-tools" }, backTo, steps, copy, message);
  const node = html("div", { class: "abh-ws-arithmetic", role: "group", "aria-label": "Arithmetic of the selected cell" },
    title, lines, note, tools, area, spoken);
  let last = "";
  const show = ({ inputs, explanation, decimals, from, editable, name }) => {
    setText(title, explanation.title);
    lines.replaceChildren(...explanation.lines.map((line) => lineNode(inputs, line, decimals, follow)));
    setText(note, explanation.note);
    backTo.hidden = !from;
    backTo.setAttribute("aria-label", from ? `Back to ${from}` : "Back");
    steps.hidden = !editable;
    copy.setAttribute("aria-label", `Copy as NumPy: ${name}`);
    if (last !== name) {
      setText(message, "");
      area.hidden = true;
    }
    last = name;
  };
  return { node, show, speak: (said) => setText(spoken, said) };
}
