// The machine: one picture of attention, from the sentence to a single product.

/** @import { Get, Host } from "../contract.d.ts" */

import { compute, sizesOf } from "./arithmetic.js";
import { followReader, press } from "./acts.js";
import { drawBox } from "./box.js";
import { scalesOf, placeOf } from "./frame.js";
import { goalOf } from "./goal.js";
import { planOf } from "./layout.js";
import { menuOf } from "./menu.js";
import { Pen, path } from "./pen.js";
import { pictureOf, stillOf } from "./picture.js";
import { tablesFor } from "./reading.js";
import { STAGES, headColour, isOfHead, matrixOf, openable, stagesOf, symbolOf } from "./stages.js";
import { drawStage } from "./stage.js";
import { codecs, inputsOf, chosenOf, refuses, sameInputs, stateOf } from "./state.js";
import { keptSentence, sentenceOf } from "./story.js";
import { typing } from "./typed.js";
import { drawWhole } from "./whole.js";
import { card } from "../card/card.js";
import { MAIN, button, followSize, html, setText, svg as element } from "../card/elements.js";
import { inFull } from "../card/numbers.js";
import { setProse } from "../card/prose.js";

const TRAITS = ["example", "edits", "beta", "off", "order", "residual", "decimals",
  "stage", "head", "cell", "row", "step"];
const TURN_TIME = 2600; // milliseconds for which the story turns the dial

/** @param {Host} host */
function render(host) {
  const view = card(host, { lines: [2, 3], asks: "below", codecs, refuses });
  const { model, signal, root, body, drawing, controls } = view;
  /** @type {Get} */
  const get = (trait) => model.get(trait);
  root.classList.add("abh-ma-card");

  const svg = element("svg", { class: "abh-ma-svg", tabindex: -1, role: "group",
    "aria-label": "Attention, from words to output" });
  const place = html("div", { class: "abh-ma-place" }, svg);
  const levels = html("div", { class: "abh-ma-way", role: "group", "aria-label": "Level" });
  const changedText = html("span", { class: "abh-one-line abh-ma-moved", "aria-hidden": "true" });
  const next = button("Step by step", goForward, MAIN);
  const back = button("Back", goBack);
  const again = button("Start again", startAgain);
  const pen = new Pen(svg);
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");
  let state = stateOf(get);
  let results = compute(state);
  let scales = scalesOf(state, results);
  let scaledFor = ""; // the example and sizes to which `scales` belong
  /** @type {number | null} */
  let hovered = null;
  /** @type {{ matrix: string, r: number, c: number } | null} */
  let tabStop = null; // the number that Tab reaches
  /** @type {Record<string, any> | null} */
  let kept = null; // the state that the reader keeps to compare
  let touched = false; // whether the reader has set anything
  let width = 0;
  let scroll = { left: 0, top: 0 };
  let drawsAll = false; // whether numbers outside the visible part are drawn too
  let requested = 0; // the requested frame
  let last = 0; // when the last frame was drawn, in milliseconds
  let turning = 0; // when the turn of the dial begins, in milliseconds; 0 for none
  /** @type {ReturnType<typeof planOf>} */
  let plan = null;

  function recompute() {
    state = stateOf(get);
    results = compute(state);
    const sizes = Object.values(sizesOf(state)).join();
    const shape = `${get("example")} ${sizes} ${Boolean(state.W_O)} ${state.residual}`;
    if (shape === scaledFor) return;
    scaledFor = shape;
    scales = scalesOf(state, results);
    pen.forget();
  }

  const isTurned = () => turning > 0 && performance.now() > turning;
  const chosenNow = () =>
    ({ ...chosenOf(get, state), tabStop, touched, turning: isTurned() });

  function frameOf() {
    const chosen = chosenNow();
    const row = hovered !== null && !chosen.stage
        ? Math.min(hovered, state.tokens.length - 1) : (chosen.cell?.[0] ?? chosen.row);
    const visible = { x: scroll.left + width / 2, y: scroll.top + 280, w: width / 2 + 99,
      h: 360 };
    return { pen, plan, state, results, scales, chosen, row,
      scrolled: scroll.left, visible: drawsAll ? null : visible,
      decimals: get("decimals"), sentences: get("said_by_key") };
  }

  /** Return the values that change gradually; call this once per frame. */
  const easedIn = ({ row, chosen: { stage } }) => ({
    emphasis: state.tokens.map((_, i) => pen.eased(`row${i}`, i === row ? 1 : 0, 70)),
    places: results.places.map((place, i) => pen.eased(`place${i}`, place, 80)),
    alive: state.W_Q.map((_, h) =>
      pen.eased(`on${h}`, state.off.includes(h) ? 0.2 : 1)),
    zoom: pen.eased("zoom", stage ? 1 : 0) });

  /** While the story turns the dial, show another beta without setting the trait. */
  function turnDial(now) {
    const t = (now - turning) / TURN_TIME;
    if (t >= 1) turning = 0;
    else if (t > 0) {
      state = { ...state, beta: state.beta * 2 ** (3 * Math.sin(Math.PI * t) ** 2) };
      results = compute(state);
    }
    setProse(words, sentenceOf(frameOf()));
    pen.moving = true;
  }

  function draw(now) {
    cancelAnimationFrame(requested); // if another call has drawn before the requested frame
    requested = 0;
    if (!width) return;
    pen.still = reduced.matches || root.dataset.still === "true";
    pen.begin(now - last);
    last = now;
    const isTurning = turning > 0;
    if (isTurning) turnDial(now);
    plan = planOf(state, width, chosenOf(get, state).head);
    const facts = frameOf();
    const frame = { ...facts, ...easedIn(facts) };
    const { chosen } = frame;
    const scale = plan.scale;
    pen.smallest = 11 / scale;
    let [w, h] = [plan.W * scale, plan.H * scale];
    const stages = pen.group(svg, "stage");
    const whole = pen.group(svg, "whole");
    if (chosen.stage === "box") {
      h = drawBox(frame, { whole, top: pen.group(svg, "top") }, w);
    } else {
      drawWhole(frame, whole);
      let map = { scale, x: 0, y: 0, shown: 0 };
      if (chosen.stage) {
        pen.smallest = plan.isPhone ? 11 / (width < 366 ? width / 366 : 1) : 11;
        const size = drawStage(frame, stages, w, plan.isPhone ? 600 : 540);
        const s = Math.min(0.21 * scale, size.free.width / plan.W,
          size.free.height / plan.H);
        map = { scale: s, x: 4, y: 4, shown: 1 };
        [w, h] = [size.width, Math.max(plan.isPhone ? 0 : plan.H * scale, size.height)];
      } else pen.forget("stage ");
      const m = pen.ease("map", map);
      whole.setAttribute("transform",
        path`translate(${m.x} ${m.y}) scale(${m.scale.toFixed(4)})`);
      if (chosen.stage) drawMap(frame, pen.group(svg, "top"), m);
    }
    pen.end();
    setSize(w, h);
    place.classList.toggle("abh-ma-inside", Boolean(chosen.stage));
    typed.cover();
    if (!pen.moving) scrollToChosen(chosen, frame.row);
    if (isTurning) recompute();
    if (pen.moving || turning) requestDraw();
  }

  function drawMap(frame, layer, m) {
    const { stage, head } = frame.chosen;
    const around = ({ x, y, w, h }) => ({ x: m.x + x * m.scale - 3,
      y: m.y + y * m.scale - 3, w: w * m.scale + 6, h: h * m.scale + 6 });
    pen.rect(layer, "map", around({ x: 0, y: 0, w: plan.W, h: plan.H }), { rx: 6,
      fill: "transparent", style: "stroke:var(--abh-line)", opacity: m.shown.toFixed(2),
      class: "abh-ma-tap", "data-act": "back", role: "button", tabindex: 0,
      "aria-label": "Back to the whole" });
    const lane = plan.lanes[head];
    if (m.shown < 0.9 || !(plan[stage] || lane[stage] || stage === "logits")) return;
    const result = stage === "logits" ? null : STAGES[stage].result;
    const { x, y, r: radius } = lane.dial ?? {};
    const boxes = result
      ? matrixOf(state, results, result, head).flatMap((row, r) =>
          [0, row.length - 1].map((c) => placeOf(frame, result, head, r, c)))
      : [{ x: x - radius, y: y - radius, w: 2 * radius, h: 2 * radius }];
    const [left, top] = ["x", "y"].map((k) => Math.min(...boxes.map((b) => b[k])));
    const w = Math.max(...boxes.map((b) => b.x + b.w)) - left;
    const h = Math.max(...boxes.map((b) => b.y + b.h)) - top;
    pen.rect(layer, "here", around({ x: left, y: top, w, h }), { rx: 3, fill: "none",
      style: "stroke:var(--abh-ink)", "stroke-width": 2, "pointer-events": "none" });
  }

  /** Return the factor by which full screen enlarges the card. */
  const zoom = () => place.getBoundingClientRect().width / place.offsetWidth || 1;

  let scrolledTo = "";
  /** Scroll to the chosen number if the stage is larger than its window. */
  function scrollToChosen({ stage, cell, head }, row) {
    const to =
      stage && stage !== "box" ? `${stage} ${head} ${cell} ${cell ? "" : row}` : "";
    if (to === scrolledTo) return;
    scrolledTo = to;
    const isLarger = place.scrollHeight > place.clientHeight + 8 ||
      place.scrollWidth > place.clientWidth + 8;
    const [r, c] = cell ?? [row, 0];
    const result = to && plan && isLarger &&
      svg.querySelector(`[data-key="${STAGES[stage].result}.${r}.${c}"]`);
    if (!result) return;
    const [box, around] = [result, place].map((node) => node.getBoundingClientRect());
    place.scrollLeft += (box.left - around.left - around.width * 0.7) / zoom();
    place.scrollTop += (box.top - around.top - around.height * 0.6) / zoom();
  }

  let size = "";
  function setSize(w, h) {
    const wanted = `${Math.ceil(w)} ${Math.ceil(h)}`;
    if (wanted === size) return;
    size = wanted;
    svg.setAttribute("viewBox", `0 0 ${wanted}`);
    svg.style.width = `${Math.ceil(w)}px`;
    svg.style.height = `${Math.ceil(h)}px`;
  }

  function requestDraw() {
    if (requested) return;
    if (!pen.moving) last = performance.now() - 16;
    requested = requestAnimationFrame(draw);
  }

  const listeners = [];
  const limits = get("limits");
  const machine = {
    get, limits, place, svg, state: () => state, results: () => results,
    chosen: chosenNow,
    values: (matrix, h) => matrixOf(state, results, matrix, Number(h)),
    inputs: () => inputsOf(get), kept: () => kept,
    isFolded: () => plan.lanes.some(({ isOpen }) => !isOpen),
    resultOf: (stage) => STAGES[stage]?.result, zoom,
    pitch: () => plan.X.rp * plan.scale * zoom(),
    onMenuUpdate: (act) => listeners.push(act),
    set(values) {
      turning = 0;
      touched = true;
      if (hovered !== null) pen.forget("row"); // highlight the row at once
      hovered = null;
      view.set(values);
    },
    edit(inputs) {
      const { [get("example")]: _, ...others } = get("edits");
      const given = get("presets")[get("example")].inputs;
      machine.set({
        edits: sameInputs(inputs, given) ? others
          : { ...others, [get("example")]: inputs },
      });
    },
    open(stage, values = {}) {
      const from = get("stage");
      const hadFocus = svg.contains(document.activeElement);
      tabStop = null;
      machine.set({ stage, cell: "", step: -1, ...values });
      if (!hadFocus) return;
      draw(performance.now());
      const target = stage ? `[data-key^="${STAGES[stage].result}."][tabindex="0"]`
        : `[data-named][data-matrix="${from}"]`;
      (svg.querySelector(target) ?? svg).focus({ preventScroll: true });
    },
    showChange(matrix, r, c, value) {
      const where = matrix === "X" ? `\u201c${state.tokens[r]}\u201d, number`
        : `${symbolOf(matrix).replace("^", "")}, row ${r + 1}, column`;
      setText(changedText, `${where} ${c + 1}: ${inFull(value)}`);
    },
    start(example) {
      machine.set({ example, stage: "", cell: "", step: -1, beta: 1, off: [], order: [],
        row: -1, head: 1 });
    },
    hover(row) {
      if (row === hovered || chosenNow().stage) return;
      hovered = row;
      update();
    },
    focusOn(matrix, r, c, isWanted) {
      tabStop = { matrix, r, c };
      draw(performance.now());
      const node = svg.querySelector(`[data-key="${matrix}.${r}.${c}"]`);
      if (isWanted) node?.focus({ preventScroll: true });
      node?.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    type: (...of) => typed.type(...of), paste: (...of) => typed.pasteInto(...of),
    keep() {
      const traits = ["example", "beta", "off", "order", "residual"];
      const values = Object.fromEntries(traits.map((trait) => [trait, get(trait)]));
      kept = { values, inputs: inputsOf(get), state, results };
      update();
    },
    restore() {
      if (!kept) return;
      machine.set(kept.values);
      machine.edit(kept.inputs); // the reader's changes of other presets stay
    },
    picture() {
      drawsAll = true;
      draw(performance.now());
      drawsAll = false;
      requestDraw();
      return pictureOf(svg);
    },
  };
  const typed = typing(machine);

  /** Return the kept state's sentence; "" inside a stage or if the words have changed. */
  function keptText() {
    const { stage, head } = chosenNow();
    if (!kept || stage || head >= kept.state.W_Q.length) return "";
    if (kept.state.tokens.join() !== state.tokens.join()) return "";
    return ` ${keptSentence({ ...frameOf(), state: kept.state, results: kept.results })}`;
  }

  /** Build a head's tab: a press shows the head, another press turns it off or on. */
  function tabOf(h, head) {
    const isOff = state.off.includes(h);
    const name = `Head ${h + 1}`;
    const isShort = h !== head && state.W_Q.length > 3;
    const act = () =>
      h === head ? press(machine, { act: "head", head: h }) : machine.set({ head: h + 1 });
    const tab = button(isShort ? String(h + 1) : name, act, {
      class: "abh-bare abh-ma-tab", "aria-pressed": String(h === head),
      "aria-label": isOff ? `${name}, off` : name, "data-off": isOff });
    tab.style.setProperty("--head", headColour(h));
    return tab;
  }

  function headings() {
    const { stage, cell, head } = chosenNow();
    const hasTabs = state.W_Q.length > 1 && (stage ? isOfHead(stage) : plan?.isPhone);
    /** @type {[string, string][]} */
    const parts = [[stage === "box" ? "box" : "", "The machine"]];
    if (stage && stage !== "box") parts.push([stage, STAGES[stage].name]);
    if (cell) {
      const [i, j] = cell;
      const isWord = ["scores", "logits", "weights"].includes(stage);
      parts.push(["cell",
        `${state.tokens[i]} and ${isWord ? state.tokens[j] : `number ${j + 1}`}`]);
    }
    const text = JSON.stringify([parts, hasTabs && [head, state.off, state.W_Q.length]]);
    if (levels.dataset.text === text) return;
    levels.dataset.text = text;
    const levelNode = ([to, label], k) => {
      if (k === parts.length - 1)
        return html("b", { "aria-current": "location" }, label);
      return button(label, () => (to ? machine.set({ cell: "" }) : machine.open("")),
        { class: "abh-bare abh-ma-link" });
    };
    const nodes = parts.flatMap((part, k) => k
        ? [html("span", { "aria-hidden": "true" }, "›"), levelNode(part, k)]
        : [levelNode(part, k)]);
    const tabs = hasTabs ? state.W_Q.map((_, h) => tabOf(h, head)) : [];
    const tabRow = html("span", { class: "abh-ma-tabs" }, ...tabs);
    levels.replaceChildren(...nodes, tabRow, changedText);
  }

  function buttons() {
    const { stage, step } = chosenNow();
    const stages = openable(state);
    const now = stages.indexOf(stage);
    const lastStep = stagesOf(state).length - 1;
    setText(next, stage === "box" ? "Enter the box" : stage ? now < stages.length - 1
            ? `Next: ${STAGES[stages[now + 1]].name.toLowerCase()}` : "The whole"
          : step < 0 ? "Step by step" : step < lastStep ? "Next step" : "All of it");
    back.hidden = stage === "box" || (!stage && step < 0);
    again.hidden = !back.hidden;
  }

  function goForward() {
    const { stage, step } = chosenNow();
    const stages = openable(state);
    if (stage === "box") return machine.open("");
    if (stage) return machine.open(stages[stages.indexOf(stage) + 1] ?? "");
    const story = stagesOf(state);
    machine.set({ step: step + 1 >= story.length ? -1 : step + 1 });
    if (story[step + 1] === "weights" && !reduced.matches)
      turning = performance.now() + 900; // after the movement of the step
    requestDraw();
    return null;
  }

  function goBack() {
    const { stage, cell, step } = chosenNow();
    if (cell) return machine.set({ cell: "" });
    return stage ? machine.open("") : machine.set({ step: step - 1 });
  }

  function startAgain() {
    const { [get("example")]: _, ...edits } = get("edits");
    machine.set({ edits });
    machine.start(get("example"));
    touched = false;
    update();
  }

  const goal = goalOf(view);
  const tables = tablesFor(signal, () => svg.matches(":active"));
  const reading = body.querySelector(".abh-reading");
  const words = reading.firstElementChild;
  const foot = root.querySelector(".abh-foot");
  const more = menuOf(machine, foot);
  root.querySelector(".abh-more").remove(); // its buttons are in the machine's own menu
  const said = html("div", { class: "abh-ma-said" }, reading); // new text moves only this box
  const bar = html("div", { class: "abh-ma-bar" }, said,
    html("div", { class: "abh-ma-buttons" }, back, next, again, more));
  controls.remove();
  drawing.append(goal.node, levels, place, typed.status, bar, tables.node);
  followReader(machine, svg, signal);

  /** Close a stage or cell that the state does not have, so that no link names it. */
  function closeMissing() {
    const chosen = chosenOf(get, state);
    const missing = ["stage", "cell"].filter((trait) => get(trait) && !chosen[trait]);
    if (!missing.length) return;
    view.set(Object.fromEntries(missing.map((trait) => [trait, ""])));
  }

  function update() {
    setText(changedText, "");
    recompute();
    closeMissing();
    if (width) plan = planOf(state, width, chosenOf(get, state).head);
    setProse(words, sentenceOf({ ...frameOf(), plan }) + keptText());
    headings();
    buttons();
    typed.closeIfStale();
    if (more.open) listeners.forEach((act) => act());
    goal.update();
    tables.update(frameOf);
    requestDraw();
  }

  root.addEventListener("pointerdown", ({ target }) => {
    if (!more.contains(target)) more.open = false;
  });
  more.addEventListener("toggle", () => more.open && listeners.forEach((act) => act()));
  followSize(place, signal, () => {
    const now = place.clientWidth;
    if (!now || now === width) return;
    width = now;
    pen.forget();
    update();
    draw(performance.now());
  });
  place.addEventListener("scroll", () => {
    scroll = { left: place.scrollLeft, top: place.scrollTop };
    requestDraw();
  });
  signal.addEventListener("abort", () => cancelAnimationFrame(requested));
  recompute();
  view.watch(TRAITS, update);
  root.addEventListener("machine-still",
    (event) => (event.detail.still = stillOf(svg)));
}

export default { render, codecs, refuses };
