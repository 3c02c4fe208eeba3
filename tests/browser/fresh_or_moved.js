// Moves the first card of a page through the states of the other cards, and compares its markup
// with theirs. Left out, because they depend on a card's history and not on its state: random
// ids, what Undo can restore, and the part that the Tab key reaches.
(() => {
  const PAST = ["id", "name", "for", "tabindex", "aria-controls", "aria-describedby", "aria-labelledby", "data-figure"];
  const fieldsOf = (card) => [...card.querySelectorAll("input, select")];

  const normalize = (node) => {
    for (const name of PAST) node.removeAttribute(name);
    if (!node.getAttribute("class")) node.removeAttribute("class");
    if (node.style?.cssText) node.setAttribute("style", node.style.cssText); // one form of each style
    else node.removeAttribute("style");
    const all = [...node.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of all) node.removeAttribute(name);
    for (const { name, value } of all) node.setAttribute(name, value);
  };

  const markup = (card, withArcs) => {
    const copy = card.cloneNode(true);
    if (!withArcs) for (const arc of copy.querySelectorAll(".abh-arcs path")) arc.removeAttribute("d");
    const now = fieldsOf(card).map(({ value, checked }) => `${value} ${checked}`);
    fieldsOf(copy).forEach((field, i) => field.setAttribute("value", now[i]));
    // .abh-before and .abh-mark show the previous state
    copy.querySelectorAll(".abh-foot, [hidden], .abh-before, .abh-mark").forEach((node) => node.remove());
    copy.querySelector(".abh-reading").removeAttribute("style"); // its height never shrinks
    [copy, ...copy.querySelectorAll("*")].forEach(normalize);
    return copy.outerHTML;
  };

  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  return async ([ids, names]) => {
    const cards = [...document.querySelectorAll(".abh-card")];
    const [first, ...others] = await Promise.all(ids.map(modelOf));
    const stateOf = (model) => Object.fromEntries(names.map((name) => [name, model.get(name)]));
    const start = stateOf(first);
    const found = [];
    for (const [i, other] of others.entries()) {
      first.set(start);
      first.set(stateOf(other));
      // arcs are drawn a frame later: only every tenth comparison waits for them and includes them
      const withArcs = i % 10 === 0;
      if (withArcs && cards[0].querySelector(".abh-arcs")) await frame();
      const [moved, fresh] = [cards[0], cards[i + 1]].map((card) => markup(card, withArcs));
      const at = [...fresh].findIndex((letter, j) => letter !== moved[j]);
      const near = (text) => text.slice(Math.max(at - 150, 0), at + 150);
      if (moved !== fresh) found.push(`fresh: ${near(fresh)}\nmoved: ${near(moved)}`);
    }
    return found;
  };
})()
