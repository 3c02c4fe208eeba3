// The controls that change a worksheet's shape: tokens, sizes, heads, masks.

/** @import { Inputs } from "../contract.d.ts" */

import { checkbox } from "../card/controls.js";
import { html, setText, symbol, uid } from "../card/elements.js";
import { smallButton } from "./arithmetic.js";
import {
  copyInputs, resized, sizeRefusal, sizes, withOutputProjection, withToken, withoutToken,
} from "./model.js";

/** A button that stays focusable when it cannot act, and says why. */
export function guardedButton(label, name, act) {
  const button = smallButton(label, { "aria-label": name });
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") act();
  });
  const guard = (reason, described) => {
    button.setAttribute("aria-disabled", String(Boolean(reason)));
    if (reason && described) button.setAttribute("aria-describedby", described);
    else button.removeAttribute("aria-describedby");
  };
  return { button, guard };
}

/** A size with a button to make it smaller and one to make it larger. */
function stepper(label, name, change) {
  const id = uid("abh-ws-reason");
  const reason = html("span", { class: "abh-ws-reason", id });
  const shown = html("output", { "aria-label": name }, " ");
  const less = guardedButton("\u2212", `\u2212 Less: ${name}`, () => change(-1));
  const more = guardedButton("+", `+ More: ${name}`, () => change(1));
  const node = html("div", { class: "abh-ws-stepper", role: "group", "aria-label": name },
    html("span", { class: "abh-ws-size" }, label), less.button, shown, more.button, reason);
  const update = (value, tooSmall, tooLarge) => {
    setText(shown, String(value));
    less.guard(tooSmall, id);
    more.guard(tooLarge, id);
    setText(reason, tooLarge || tooSmall);
  };
  return { node, update };
}

/** One token: its name (its number, if that is empty), whether it is padding, a button to remove it. */
function tokenLine(index, { rename, pad, remove }) {
  const name = html("input", {
    type: "text", class: "abh-field", maxlength: 14, "aria-label": `Token ${index + 1}`,
  });
  let typing = false; // a name counts once it is confirmed
  name.addEventListener("input", () => (typing = true));
  name.addEventListener("change", () => {
    typing = false;
    name.value = name.value.trim() || `token ${index + 1}`;
    rename(index, name.value);
  });
  const padding = checkbox(["padding"], (on) => pad(index, on));
  const cut = guardedButton("Remove", `Remove token ${index + 1}`, () => remove(index));
  const node = html("li", {}, name, padding.node, cut.button);
  const update = (token, padded, refusal, described) => {
    if (!typing) name.value = token;
    padding.input.checked = padded;
    padding.input.setAttribute("aria-label", `padding: token ${index + 1}, ${token}`);
    cut.guard(refusal, described);
  };
  return { node, update, name };
}

const SIZE_NAMES = {
  d_model: ["d", "model", "numbers in a token, d_model"],
  d_k: ["d", "k", "numbers in a query and a key, d_k"],
  d_v: ["d", "v", "numbers in a value, d_v"],
  heads: ["h", "", "heads"],
};

/** @type {(current: () => Inputs, apply: (inputs: Inputs) => void) => [string, ReturnType<typeof stepper>][]} */
function sizeSteppers(current, apply) {
  return Object.entries(SIZE_NAMES).map(([name, [letter, sub, words]]) => {
    const label = symbol(letter, sub);
    const change = (by) => apply(resized(current(), { [name]: sizes(current())[name] + by }));
    return [name, stepper(label, words, change)];
  });
}

function renamed(inputs, index, name) {
  const next = copyInputs(inputs);
  next.tokens[index] = name;
  return next;
}

function padded(inputs, index, on) {
  const next = copyInputs(inputs);
  next.padding[index] = on;
  return next;
}

function summary(inputs) {
  const { tokens, d_model, d_k, d_v, heads } = sizes(inputs);
  const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const masks = [inputs.causal && "causal mask", inputs.padding.includes(true) && "padding mask"];
  return [
    `${many(tokens, "token")} of width ${d_model}`, many(heads, "head"),
    `keys of width ${d_k}`, `values of width ${d_v}`,
    inputs.W_O ? "with Wᴼ" : "no Wᴼ", ...masks.filter(Boolean),
  ].join(", ");
}

/**
 * Build the panel. current() gives the inputs in use, apply(inputs) takes new ones, limits
 * the largest sizes.
 *
 * Returns { node, update(inputs) }.
 */
export function shapePanel(current, apply, limits) {
  const id = uid("abh-ws-tokens");
  const list = html("ol", { class: "abh-ws-tokens" });
  const reason = html("span", { class: "abh-ws-reason", id });
  const add = guardedButton("Add a token", "Add a token", () => apply(withToken(current())));
  const steppers = sizeSteppers(current, apply);
  const causal = checkbox(["Causal mask: a token sees only itself and what stands before it"],
    (on) => apply({ ...copyInputs(current()), causal: on }));
  const projection = checkbox(["Output projection ", symbol("W", "", "O")],
    (on) => apply(withOutputProjection(current(), on)));
  const said = html("span", {}, " ");
  const node = html("details", { class: "abh-ws-shaping", "aria-label": "Shape of the worksheet" },
    html("summary", {}, html("strong", {}, "Change the shape"), " ", said),
    html("div", { class: "abh-ws-panels" },
      html("fieldset", {}, html("legend", {}, "Tokens"), list,
        html("div", { class: "abh-ws-add" }, add.button, reason)),
      html("fieldset", {}, html("legend", {}, "Sizes"), ...steppers.map(([, s]) => s.node),
        html("p", { class: "abh-note" }, "New numbers start at 0; a new Wᴼ passes its input on."),
        causal.node, projection.node)));
  let lines = [];
  const actions = {
    rename: (index, name) => apply(renamed(current(), index, name)),
    pad: (index, on) => apply(padded(current(), index, on)),
    remove: (index) => {
      apply(withoutToken(current(), index));
      lines[Math.min(index, lines.length - 1)].name.focus();
    },
  };
  const update = (inputs) => {
    const size = sizes(inputs);
    if (lines.length !== size.tokens) {
      lines = inputs.tokens.map((_, index) => tokenLine(index, actions));
      list.replaceChildren(...lines.map((line) => line.node));
    }
    const last = sizeRefusal(inputs, limits, "tokens", size.tokens - 1);
    const full = sizeRefusal(inputs, limits, "tokens", size.tokens + 1);
    lines.forEach((line, i) => line.update(inputs.tokens[i], inputs.padding[i], last, id));
    add.guard(full, id);
    setText(reason, full || last);
    for (const [name, { update: set }] of steppers) {
      set(size[name], sizeRefusal(inputs, limits, name, size[name] - 1), sizeRefusal(inputs, limits, name, size[name] + 1));
    }
    causal.input.checked = inputs.causal;
    projection.input.checked = inputs.W_O !== null;
    setText(said, summary(inputs));
  };
  return { node, update };
}
