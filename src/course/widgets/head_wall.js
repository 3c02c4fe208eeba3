// The wall: the maps of all 270 heads of a real language model, and one opened map.

import { card } from "./card/card.js";
import { html } from "./card/elements.js";
import { ARROWS, matrix, placeWithin } from "./card/grid.js";
import { clamp } from "./card/numbers.js";
import { storedMaps } from "./real_model/maps.js";
import { ownSentence } from "./real_model/own_sentence.js";

const [LAYERS, HEADS, BANDS] = [30, 9, 2]; // the layers stand in two bands, one below the other on a phone
const PER_BAND = LAYERS / BANDS;
const SIDE = 48; // pixels along a side of a square, with its margin
const BYTE = 255;

const triangle = (n) => (n * (n + 1)) / 2;

/**
 * Draw a band of layers as an image and return its CSS url. A weight is the opacity of a cell.
 * The image is a mask over a colour variable, so it fits the light and the dark theme.
 */
function maskOf({ words, maps }, first) {
  const n = words.length;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [PER_BAND * SIDE, HEADS * SIDE];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const cell = (SIDE - 4) / n;
  const drawMap = (begin, x, y) => {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        pen.globalAlpha = maps.getUint8(begin + triangle(i) + j) / BYTE;
        pen.fillRect(x + j * cell, y + i * cell, cell, cell);
      }
    }
  };
  for (let k = 0; k < PER_BAND * HEADS; k++)
    drawMap((first * HEADS + k) * triangle(n), Math.floor(k / HEADS) * SIDE + 2, (k % HEADS) * SIDE + 2);
  return `url(${canvas.toDataURL()})`;
}

/**
 * Build 15 layers side by side, with nine heads each, and a ring around the opened head.
 * The band is one button: a press opens the head at the pointer, an arrow key the next head.
 *
 * choose(layer, head): called with the chosen head
 * Returns { node, paint({ words, maps }), mark(layer, head) }.
 */
function band(number, choose) {
  const first = number * PER_BAND;
  const ink = html("div", { class: "abh-wall-ink" });
  const ring = html("div", { class: "abh-wall-ring" });
  const label = `Layers ${first} to ${first + PER_BAND - 1}: press a square, or use the arrow keys`;
  const squares = html("button", { type: "button", class: "abh-wall-squares", "aria-label": label }, ink, ring);
  let opened = [0, 0];
  const ends = html("div", { class: "abh-note abh-apart abh-wall-ends", "aria-hidden": "true" },
    html("span", {}, `layer ${first}`), html("span", {}, `${first + PER_BAND - 1}`));
  const node = html("div", { class: "abh-wall-band" }, ends, squares);
  squares.addEventListener("keydown", (event) => {
    const by = ARROWS[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [head, layer] = placeWithin(opened, by, [HEADS, LAYERS]);
    choose(layer, head);
  });
  squares.addEventListener("click", (event) => {
    if (!event.detail) return; // the key Enter points at no square
    const box = squares.getBoundingClientRect();
    const place = (at, from, size, count) => clamp(Math.floor(((at - from) / size) * count), 0, count - 1);
    choose(first + place(event.clientX, box.left, box.width, PER_BAND), place(event.clientY, box.top, box.height, HEADS));
  });
  const paint = (read) => {
    ink.style.maskImage = maskOf(read, first);
  };
  const mark = (layer, head) => {
    opened = [head, layer];
    const column = layer - first;
    const inside = column >= 0 && column < PER_BAND;
    ring.style.transform = inside ? `translate(${100 * column}%, ${100 * head}%)` : "scale(0)";
  };
  return { node, paint, mark };
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model } = view;
  const stored = model.get("words");
  const bands = Array.from({ length: BANDS }, (_, i) => band(i, (layer, head) => view.set({ layer, head })));
  const note = html("p", { class: "abh-note" }, "A square is the map of one head: a row for each token that attends, a column for each token that it attends to. Heads 0 to 8 stand from top to bottom. Press a square to open its map.");
  const opened = html("div", { class: "abh-scroll abh-wall-opened", role: "group", tabindex: "0", "aria-label": "The opened map, scrollable",
    style: `--abh-rows: ${Math.max(...stored.map(({ length }) => length))}` });

  let own = null; // { words, maps } of the reader's sentence, until a stored sentence is chosen
  /** @type {{ words: string[], maps: DataView } | undefined} */
  let shown; // { words, maps } on the screen
  /** @type {ReturnType<typeof matrix> | undefined} */
  let table;
  const draw = () => {
    const [sentence, layer, head] = ["sentence", "layer", "head"].map((name) => model.get(name));
    const { words, maps } = own ?? { words: stored[sentence], maps: mapsOf(sentence) };
    opened.ariaBusy = String(!maps);
    if (!maps) return;
    const n = words.length;
    if (shown?.maps !== maps) {
      shown = { words, maps };
      bands.forEach(({ paint }) => paint(shown));
      table = matrix({ key: "weights", name: own ? "Weights in your own sentence" : "Weights", rows: words, columns: words, scale: "weights" });
      opened.replaceChildren(table.node);
    }
    bands.forEach(({ mark }) => mark(layer, head));
    const at = (layer * HEADS + head) * triangle(n);
    const weights = words.map((_, i) => words.map((__, j) => (j <= i ? maps.getUint8(at + triangle(i) + j) / BYTE : 0)));
    table?.update(weights);
    const row = weights[n - 1];
    const place = row.indexOf(Math.max(...row));
    const facts = { last: words[n - 1], top: words[place], share: row[place], first: row[0] };
    view.say(place === 0 ? "first" : place === n - 1 ? "itself" : "other", facts);
  };
  const mapsOf = storedMaps(view, draw, (sentence) => {
    if (own || sentence !== model.get("sentence")) return;
    opened.ariaBusy = "false";
    view.read("The maps of this sentence did not arrive. Press another square to fetch them again.");
  });
  const reader = ownSentence(view, (read) => {
    own = read;
    draw();
  });
  view.drawing.append(view.control("sentence"), note, html("div", { class: "abh-fields abh-wall" }, ...bands.map(({ node }) => node)),
    html("div", { class: "abh-acts abh-wall-at" }, view.control("layer"), view.control("head")), opened, reader.node);
  view.watch(["sentence"], () => {
    own = null;
    reader.clear();
  });
  view.watch(["sentence", "layer", "head", "maps"], draw);
}

export default { render };
