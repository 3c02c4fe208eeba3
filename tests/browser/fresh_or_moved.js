// Compares a card that is moved from its first state to others with cards that began there.
// Names that are made at random, what can be taken back, and which of several parts the
// Tab key comes to, belong to the past of a card and not to its state.
(() => {
  const PAST = ["id", "name", "for", "tabindex", "aria-controls", "aria-describedby", "aria-labelledby", "data-figure"];
  const fieldsOf = (card) => [...card.querySelectorAll("input, select")];

  const inOrder = (node) => {
    for (const name of PAST) node.removeAttribute(name);
    if (!node.className) node.removeAttribute("class");
    if (!node.getAttribute("style")) node.removeAttribute("style");
    const all = [...node.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of all) node.removeAttribute(name);
    for (const { name, value } of all) node.setAttribute(name, value);
  };

  const markup = (card) => {
    const copy = card.cloneNode(true);
    const now = fieldsOf(card).map(({ value, checked }) => `${value} ${checked}`);
    fieldsOf(copy).forEach((field, i) => field.setAttribute("value", now[i]));
    // what stood before is drawn beside what stands now
    copy.querySelectorAll(".abh-foot, [hidden], .abh-before, .abh-mark").forEach((node) => node.remove());
    copy.querySelector(".abh-reading").removeAttribute("style"); // as high as it has been
    [copy, ...copy.querySelectorAll("*")].forEach(inOrder);
    return copy.outerHTML;
  };

  return async ([ids, names]) => {
    const cards = [...document.querySelectorAll(".abh-card")];
    const [first, ...others] = await Promise.all(ids.map(modelOf));
    const stateOf = (model) => Object.fromEntries(names.map((name) => [name, model.get(name)]));
    const start = stateOf(first);
    return others.flatMap((other, i) => {
      first.set(start);
      first.set(stateOf(other));
      const [moved, fresh] = [cards[0], cards[i + 1]].map(markup);
      const at = [...fresh].findIndex((letter, j) => letter !== moved[j]);
      const near = (text) => text.slice(Math.max(at - 150, 0), at + 150);
      return moved === fresh ? [] : [`fresh: ${near(fresh)}\nmoved: ${near(moved)}`];
    });
  };
})()
