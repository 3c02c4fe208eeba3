// One pair of columns of a query and of a key: two arrows, turned by the positions.

import { card } from "../card/card.js";
import { facts, roomFor, setPoints } from "../card/drawings.js";
import { html, svg } from "../card/elements.js";
import { matrix } from "../card/grid.js";
import { clamp, fixed, inFull } from "../card/numbers.js";
import { arrow, knob, pointsOf, stage, vectorAt } from "./stage.js";

const DIAL = { size: [330, 270], origin: [165, 135], unit: 108, name: "The pair of the query and the pair of the key as arrows, and the angle between them" };
const WEDGE = 0.3; // radius of the angle that is drawn
const WORDS = /** @type {const} */ (["query", "key"]);

/** Return the same angle between -180 and 180 degrees. */
const normalized = (degrees) => degrees - 360 * Math.round(degrees / 360);

/** Return the position whose arrow is nearest to a place, at most half a turn from `position`. */
export function positionAt([x, y], position, angle, shift) {
  const wanted = (Math.atan2(y, x) * 180) / Math.PI;
  return position + Math.round(normalized(wanted - (position + shift) * angle) / angle);
}

function render(host) {
  const view = card(host, { lines: [2, 4] });
  const { model, put } = view;
  const { rows, columns, last } = model.get("given");
  const within = (position) => clamp(position, 0, last);
  const board = stage(DIAL);
  const [cx, cy] = board.at([0, 0]);
  const wedge = svg("polygon", { class: "abh-wedge", fill: "var(--abh-output)", "fill-opacity": 0.2, stroke: "var(--abh-output)" });
  const arrows = WORDS.map((word) => svg("polygon", { fill: `var(--abh-${word})` }));
  board.drawing.append(svg("circle", { class: "abh-rim", cx, cy, r: DIAL.unit }), wedge, ...arrows);
  const degrees = (word) => (model.get(word) + model.get("shift")) * model.get("angle");
  const knobs = WORDS.map((word) => knob(board, {
    role: word,
    get: () => vectorAt(degrees(word)),
    put: (place) => put(word, within(positionAt(place, model.get(word), model.get("angle"), model.get("shift")))),
    press: ([right, up]) => put(word, within(model.get(word) + right + up)),
  }));
  const rotated = matrix({ key: "rotated", name: "Rotated pairs", rows, columns });
  roomFor(rotated.node, fixed(-1).length);
  const found = facts([["distance", "Distance"], ["product", "Product"]]);
  view.drawing.classList.add("abh-plane");
  view.drawing.append(board.node, html("div", {}, rotated.node, found.node,
    html("p", { class: "abh-note" }, "Before the turn, both pairs are 1 and 0. Drag the arrow of the query or of the key.")));
  view.watch(["query", "key", "shift", "angle"], () => {
    const shift = model.get("shift");
    const [queryAngle, keyAngle] = WORDS.map(degrees);
    const pairs = [queryAngle, keyAngle].map((each) => vectorAt(each));
    const [[a, b], [c, d]] = pairs;
    const distance = model.get("query") - model.get("key");
    const opening = normalized(queryAngle - keyAngle);
    const rim = Array.from({ length: 25 }, (_, i) => board.at(vectorAt(keyAngle + (opening * i) / 24, WEDGE)));
    setPoints(wedge, pointsOf([[cx, cy], ...rim]));
    WORDS.forEach((word, i) => {
      setPoints(arrows[i], arrow([cx, cy], board.at(pairs[i]), 3.5, 12));
      knobs[i].show(pairs[i], i ? "below" : "above");
      knobs[i].describe(word, "", [model.get(word), `position ${model.get(word) + shift}`]);
    });
    rotated.update(pairs);
    found.update("distance", distance, inFull(distance));
    const product = a * c + b * d;
    found.update("product", product, fixed(product));
    view.say(distance === 0 ? "together" : shift ? "moved" : "apart", {
      distance, product, at: model.get("query") + shift, other: model.get("key") + shift,
      turn: queryAngle, between: Math.abs(distance) * model.get("angle"),
    });
  });
}

export default { render };
