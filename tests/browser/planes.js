// Returns the drawn positions of each plane of a page. The axes go from 0 to `farthest`.
window.planes = (farthest) => [...document.querySelectorAll(".abh-card")].map((card) => {
  const svg = card.querySelector(".abh-stage svg");
  const [width, height] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
  const number = (node, name) => Number(node.getAttribute(name));
  const [across] = svg.querySelectorAll(".abh-axis");
  const [left, bottom] = [number(across, "x1"), number(across, "y1")];
  const unit = (number(across, "x2") - left) / farthest;
  const place = ([x, y]) => [(x - left) / unit, (bottom - y) / unit];
  const corners = (node) => figures.corners(node).map(place);
  const all = (name) => [...card.querySelectorAll(name)];
  const ring = svg.querySelector(".abh-own");
  const end = svg.querySelector(".abh-end");
  const centre = (node) => place([number(node, "cx"), number(node, "cy")]);
  return {
    unit,
    knobs: all(".abh-knob").map((knob) => [knob.ariaLabel,
      place([parseFloat(knob.style.left) / 100 * width, parseFloat(knob.style.top) / 100 * height])]),
    lines: all(".abh-share").map(corners),
    ring: [centre(ring), number(ring, "stroke-width")],
    end: centre(end),
    path: corners(svg.querySelector(".abh-path")),
    reach: corners(svg.querySelector(".abh-reach")),
    levels: all(".abh-level").map(corners),
    bars: all(".abh-weighed").map((bar) => new DOMMatrix(getComputedStyle(bar).transform).a),
    marks: all(".abh-mark").map((mark) => [mark.hidden, parseFloat(mark.style.left) / 100]),
    score: all(".abh-level-name").filter(({ textContent, style }) => textContent.startsWith("score") && !style.display)
      .map((node) => place([number(node, "x"), number(node, "y")])),
    ghosts: all(".abh-before").map((ghost) => [centre(ghost), ghost.style.visibility !== "hidden"]),
  };
});

// Returns the drawn positions of each dial of a page, in units of its two SVG drawings.
window.dials = () => [...document.querySelectorAll(".abh-card")].map((card) => {
  const [keys, values] = card.querySelectorAll(".abh-stage svg");
  const number = (node, name) => Number(node.getAttribute(name));
  const all = (root, name) => [...root.querySelectorAll(name)].filter((node) => node.style.visibility !== "hidden");
  const centres = (root, name) => all(root, name).map((node) => [number(node, "cx"), number(node, "cy")]);
  const knob = card.querySelector(".abh-knob");
  const { width, height } = keys.viewBox.baseVal;
  return {
    keys: centres(keys, ".abh-point"),
    feet: centres(keys, ".abh-perpendicular-foot"),
    drops: all(keys, ".abh-perpendicular").map(figures.corners).filter((corners) => corners.length),
    tip: [(parseFloat(knob.style.left) / 100) * width, (parseFloat(knob.style.top) / 100) * height],
    values: centres(values, ".abh-point"),
    end: centres(values, ".abh-end")[0],
    ring: figures.corners(values.querySelector(".abh-ring")),
    beyond: figures.corners(values.querySelector(".abh-beyond")),
    bars: all(card, ".abh-weighed").map((bar) => new DOMMatrix(getComputedStyle(bar).transform).a),
    rings: all(keys, ".abh-rim").map((ring) => number(ring, "r")),
    lengths: all(keys, ".abh-ring-name").map((name) => name.textContent),
  };
});
