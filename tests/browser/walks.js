// Returns the drawn positions of each figure of random walks, in hundredths of its plot.
window.walks = () => [...document.querySelectorAll(".abh-card")].map((card) => {
  const all = (selector) => [...card.querySelectorAll(selector)].map(figures.corners);
  const [upper] = all(".abh-envelope");
  const last = Number(card.querySelector(".abh-walks-steps > :last-child").textContent);
  return {
    last, // step on the axis
    unit: (50 - upper.at(-1)[1]) / Math.sqrt(last), // drawn length of a height of 1
    cut: all(".abh-cut")[0].map(([x]) => x),
    rest: parseFloat(card.querySelector(".abh-walks-rest").style.left), // place of the knob on the cut
    ends: all(".abh-walk-end").map(([place]) => place),
    envelope: all(".abh-envelope"),
  };
});

// Returns, for each place (as shares of the canvas), the distance in pixels to the nearest
// ink that has the colour of a role; 99 if there is none near.
window.inked = ([places, role]) => {
  const canvas = document.querySelector("canvas");
  const { width, height } = canvas;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const wanted = getComputedStyle(canvas).getPropertyValue(`--abh-${role}`);
  const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  probe.fillStyle = wanted;
  probe.fillRect(0, 0, 1, 1);
  const colour = probe.getImageData(0, 0, 1, 1).data;
  const isInk = (x, y) => {
    const at = 4 * (y * width + x);
    return data[at + 3] > 60 && [0, 1, 2].every((i) => Math.abs(data[at + i] - colour[i]) < 40);
  };
  return places.map(([x, y]) => {
    let nearest = 99;
    const [left, top] = [Math.round(x * width), Math.round(y * height)];
    for (let dx = -6; dx <= 6; dx++) {
      for (let dy = -6; dy <= 6; dy++) {
        const [u, v] = [left + dx, top + dy];
        if (u >= 0 && v >= 0 && u < width && v < height && isInk(u, v)) nearest = Math.min(nearest, Math.hypot(dx, dy));
      }
    }
    return nearest;
  });
};
