// "More": sentences, sizes, masks, decimals, pasting, copying, comparing.

import { sizesOf } from "./arithmetic.js";
import { asNumPy, inputsAt } from "./typed.js";
import { resized, withProjection } from "./state.js";
import { isOfHead, symbolOf } from "./stages.js";
import { checkbox } from "../card/controls.js";
import { button, html, optionsOf, selectOf, setText, symbol, uid } from "../card/elements.js";
import { readNumber } from "../card/numbers.js";
import { save } from "../card/save.js";

const SIZES = { d_model: ["Numbers per word", ["d", "model"]],
  d_k: ["Width of a key", ["d", "k"]], d_v: ["Width of a value", ["d", "v"]],
  heads: ["Heads", ["h"]] };

function labelled(label, control) {
  const id = uid("more");
  control.id = id;
  return html("div", { class: "abh-ma-item" }, html("label", { for: id }, ...label),
    control);
}

function sentences(machine) {
  const presets = machine.get("presets");
  if (Object.keys(presets).length < 2) return null;
  const node = selectOf(
    Object.entries(presets).map(([name, { title }]) => [name, title]), machine.start);
  machine.onMenuUpdate(() => (node.value = machine.get("example")));
  return labelled(["Sentence"], node);
}

function provenance(machine) {
  const node = html("p", { class: "abh-note" });
  machine.onMenuUpdate(() => {
    const example = machine.get("example");
    const { provenance: text } = machine.get("presets")[example];
    const isEdited = example in machine.get("edits");
    setText(node, isEdited ? `You changed these inputs. As given: ${text}` : text);
  });
  return node;
}

/** Build a field with the text of `show()`. `take(text)` returns why it refuses a text, or "". */
function field(machine, status, attributes, show, take) {
  const node = html("input", { type: "text", autocomplete: "off", ...attributes });
  let refusedIn = ""; // the preset for which a text was refused
  node.addEventListener("change", () => {
    const message = take(node.value);
    refusedIn = message && machine.get("example");
    node.ariaInvalid = message ? "true" : null;
    setText(status, message);
    if (!message) node.value = show();
  });
  const refresh = () => {
    if (node !== document.activeElement && !node.ariaInvalid) node.value = show();
  };
  node.addEventListener("blur", refresh); // Undo may have changed the inputs meanwhile
  machine.onMenuUpdate(() => {
    if (refusedIn && refusedIn !== machine.get("example")) {
      [refusedIn, node.ariaInvalid] = ["", null];
      setText(status, "");
    }
    refresh();
  });
  return node;
}

/** Return words as one text: with a comma behind each word if a word has a space. */
const wordsText = (tokens) => (tokens.some((token) => token.includes(" "))
  ? tokens.map((token) => `${token},`) : tokens).join(" ");

function words(machine, status) {
  const most = machine.limits.tokens;
  const take = (text) => {
    const between = text.includes(",") ? "," : /\s+/;
    const tokens = text.split(between).map((word) => word.trim()).filter(Boolean);
    if (!tokens.length || tokens.length > most)
      return `Type 1 to ${most} words, with spaces or commas between them.`;
    if (tokens.length !== machine.inputs().tokens.length) machine.set({ order: [] });
    machine.edit({ ...resized(machine.inputs(), { tokens: tokens.length }), tokens });
    return "";
  };
  return labelled(["Its words"], field(machine, status, { class: "abh-field" },
    () => wordsText(machine.inputs().tokens), take));
}

function size(machine, name, status) {
  const [label, letters] = SIZES[name];
  const { [name]: most, width } = machine.limits;
  const take = (text) => {
    const { value, message } = readNumber(text, { whole: true });
    if (message || !Number.isInteger(value) || value < 1 || value > most)
      return `${label}: type a whole number from 1 to ${most}.`;
    /** @type {Record<string, number>} */
    const sizes = { ...sizesOf(machine.inputs()), [name]: value };
    if (sizes.heads * sizes.d_v > width)
      return `All heads side by side are at most ${width} wide.`;
    if (name === "heads") machine.set({ off: machine.state().off.filter((h) => h < value) });
    machine.edit(resized(machine.inputs(), { [name]: value }));
    return "";
  };
  const attributes = { inputmode: "numeric", class: "abh-field abh-ma-size" };
  return labelled([`${label} `, symbol(...letters)], field(machine, status, attributes,
    () => String(sizesOf(machine.inputs())[name]), take));
}

function switches(machine) {
  const put = (change) => machine.edit({ ...machine.inputs(), ...change });
  const causal = checkbox(["Causal mask"], (on) => put({ causal: on }));
  const projection = checkbox(["Output projection ", symbol("W", "", "O")],
    (on) => machine.edit(withProjection(machine.inputs(), on)));
  const residual = checkbox(["Residual stream: add X"],
    (residual) => machine.set({ residual }));
  const padding = html("fieldset", { class: "abh-ma-padding" });
  let shown = "";
  machine.onMenuUpdate(() => {
    const { causal: isCausal, W_O, padding: hidden, tokens } = machine.inputs();
    causal.input.checked = isCausal;
    projection.input.checked = W_O !== null;
    residual.input.checked = machine.get("residual");
    residual.input.disabled = W_O === null; // the figure draws the sum beside W_O
    if (shown !== tokens.join()) {
      shown = tokens.join();
      const boxes = tokens.map((token, i) => checkbox([token], (on) =>
        put({ padding: machine.inputs().padding.with(i, on) })).node);
      padding.replaceChildren(html("legend", {}, "Padding (hidden words)"), ...boxes);
    }
    const boxes = padding.querySelectorAll("input");
    boxes.forEach((input, i) => (input.checked = hidden[i]));
  });
  return [causal.node, projection.node, residual.node, padding];
}

function pasting(machine, status) {
  const target = html("select", { class: "abh-field" });
  const text = html("textarea", { class: "abh-field", rows: 3, spellcheck: "false",
    placeholder: "[[1, 0], [0, 1]]" });
  const put = button("Put in", () => {
    const [matrix, h] = target.value.split(" ");
    setText(status, machine.paste(matrix, Number(h), [0, 0], text.value));
  });
  let names = "";
  machine.onMenuUpdate(() => {
    const state = machine.inputs();
    const heads = state.W_Q.length;
    const all = inputsAt(state, machine.chosen().stage).flatMap((matrix) =>
      isOfHead(matrix) ? state.W_Q.map((_, h) => [matrix, h]) : [[matrix, 0]]);
    if (names === all.join()) return;
    names = all.join();
    target.replaceChildren(...optionsOf(all.map(([matrix, h]) => {
      const of = isOfHead(matrix) && heads > 1 ? `, head ${h + 1}` : "";
      return [`${matrix} ${h}`, symbolOf(matrix).replace("^", " ") + of];
    })));
  });
  return [labelled(["Paste into"], target),
    labelled(["Numbers (NumPy or a spreadsheet)"], text), put];
}

async function copy(text, status) {
  try {
    await navigator.clipboard.writeText(text);
    setText(status, "Copied.");
  } catch {
    save("attention.py", "text/x-python", text);
    setText(status, "Saved as attention.py.");
  }
}

/** The menu of a machine; `foot` holds the card's own buttons: undo, link and so on. */
export function menuOf(machine, foot) {
  const status = html("p", { class: "abh-ma-status", role: "status" });
  const decimals = selectOf([2, 3, 4, 5, 6].map((n) => [n, String(n)]),
    (value) => machine.set({ decimals: Number(value) }));
  machine.onMenuUpdate(() => (decimals.value = String(machine.get("decimals"))));
  const keep = button("Keep this state", () => machine.keep());
  const compare = button("Back to the kept state", () => machine.restore());
  machine.onMenuUpdate(() => (compare.hidden = !machine.kept()));
  const part = (title, ...nodes) =>
    html("div", { class: "abh-ma-part" }, html("p", { class: "abh-ma-title" }, title),
      ...nodes.filter(Boolean));
  const panel = html(
    "div", { class: "abh-ma-panel" },
    part("Sentence", sentences(machine), provenance(machine), words(machine, status),
      labelled(["Decimals"], decimals)),
    part("Sizes", ...Object.keys(SIZES).map((name) => size(machine, name, status))),
    part("Parts", ...switches(machine)), part("Numbers", ...pasting(machine, status)),
    part("Copy and compare",
      button("Copy as NumPy", () => copy(asNumPy(machine.state()), status)),
      button("Save the picture", () =>
        save("machine.svg", "image/svg+xml", machine.picture())),
      keep, compare),
    status, foot);
  const summary = html("summary", {}, "More");
  const node = html("details", { class: "abh-ma-more" }, summary, panel);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    event.stopPropagation();
    node.open = false;
    summary.focus();
  });
  return node;
}
