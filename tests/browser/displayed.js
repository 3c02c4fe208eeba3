// Compares the texts of numbers on the screen with their exact values (`data-value`). A test
// that reads only `data-value` would not notice a wrong text.
window.displayed = {
  FORM: /^(\u2212?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?: × 10(\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)|e(\u2212?\d+))?(%?)$/,
  RAISED: "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",

  // Returns [value, half a unit of the last digit] for the text of a number, else null. An
  // ASCII hyphen does not count as a minus sign.
  read(text) {
    const found = displayed.FORM.exec(text.trim());
    if (!found) return null;
    const [, sign, whole, fraction = "", raised, exponent, percent] = found;
    const lowered = raised && [...raised].map((c) => (c === "\u207b" ? "-" : displayed.RAISED.indexOf(c))).join("");
    const power = Number(lowered ?? (exponent ?? "0").replace("\u2212", "-")) - (percent ? 2 : 0);
    const value = Number(`${sign ? "-" : ""}${whole.replaceAll(",", "")}${fraction}e${power}`);
    return [value, 0.5 * 10 ** (power - Math.max(fraction.length - 1, 0))];
  },

  // Returns the text in which an element shows its number.
  text(node) {
    const field = node.querySelector("input") ?? node;
    return "value" in field ? field.value : (node.querySelector(".abh-number") ?? node).textContent;
  },

  // Returns whether a field may differ from the rounded number: it holds a refused text, or
  // the stored number as the reader typed it (any minus sign, a decimal comma).
  typed(field, stored) {
    const plain = field.value.trim().replace(/[\u2212\u2013]/g, "-").replace(",", ".");
    return field.ariaInvalid === "true" || (plain !== "" && Number(plain) === Number(stored));
  },

  shows(node) {
    const field = node.querySelector("input");
    if (field && displayed.typed(field, node.dataset.value)) return true;
    return displayed.agrees(displayed.text(node), node.dataset.value);
  },

  agrees(text, stored) {
    if (text === stored) return true; // a table may show a text instead of a number
    const value = Number(stored);
    if (!Number.isFinite(value)) return text === { Infinity: "\u221e", "-Infinity": "\u2212\u221e" }[stored];
    const shown = displayed.read(text);
    return shown !== null && Math.abs(shown[0] - value) <= shown[1] * (1 + 1e-9) + 1e-12 * Math.abs(value);
  },

  numbers: (root = document) =>
    [...root.querySelectorAll("[data-value]")].filter((node) => !node.ownerSVGElement),

  // `named` returns the texts of the numbers inside each named element, `unnamed` the markup of
  // the numbers outside of them.
  named: (root) =>
    Object.fromEntries([...root.querySelectorAll("[data-name]")].map((place) => {
      const inside = displayed.numbers(place);
      return [place.dataset.name, inside.length ? inside.map(displayed.text) : [place.textContent]];
    })),
  unnamed: (root) =>
    displayed.numbers(root).filter((number) => !number.closest("[data-name]")).map((number) => number.outerHTML),

  // Returns the texts with decimals in a drawing that belong to no number. The ticks of a
  // scale do not count.
  unbound(root) {
    const texts = document.createTreeWalker(root.querySelector(".abh-drawing"), NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const { data, parentElement: place } = texts.currentNode;
      if (/\d[.,]\d/.test(data) && !place.closest("[data-value], [data-name], [aria-hidden], svg")) found.push(data);
    }
    return found;
  },

  // Returns the numbers whose text is not the stored value rounded to the digits shown.
  wrong: (root = document) =>
    displayed.numbers(root)
      .filter((node) => !displayed.shows(node))
      .map((node) => [displayed.text(node), node.dataset.value]),

  // Returns, for each table, [text, colour, bar] of each coloured number: the colour on the
  // screen as red, green and blue up to 255, and the filled share of the bar below.
  tinted(root = document) {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const seen = (colour) => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return Array.from(context.getImageData(0, 0, 1, 1).data.slice(0, 3));
    };
    return [...root.querySelectorAll("table")].map((table) =>
      [...table.querySelectorAll("td[data-value] .abh-number")]
        .filter((number) => number.style.backgroundColor && number.checkVisibility())
        .map((number) => {
          const bar = number.parentElement.querySelector(".abh-cellbar");
          const share = bar && bar.getBoundingClientRect().width / bar.offsetWidth;
          return [number.textContent, seen(getComputedStyle(number).backgroundColor), share];
        })).filter((cells) => cells.length);
  },

  // Returns, for each row of bars, the text of each number and the share of its place that
  // the bar fills.
  bars: (root = document) =>
    [...root.querySelectorAll(".abh-bars")].filter((node) => node.checkVisibility()).map((node) => {
      const corners = node.querySelector("polygon").getAttribute("points").split(" ").map((c) => c.split(",").map(Number));
      return [...node.querySelectorAll(".abh-number")].map((number, bar) => [number.textContent, corners[4 * bar + 1][0]]);
    }),
};
