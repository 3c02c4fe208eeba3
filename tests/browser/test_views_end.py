"""A view that ends, as in JupyterLab, leaves no listener and no observer behind."""

import pytest
from found import pages_with
from frames import settle

pytestmark = pytest.mark.slow

# Records the abort controllers of the page. Of the code of figures, it records the
# listeners outside of figures that no signal ends, and the observers that are active.
RECORD = """(() => {
  window.left = { controllers: [], listeners: [], observers: new Set() };
  const isOfFigure = () => new Error().stack.includes("/_static/widgets/");
  window.AbortController = class extends AbortController {
    constructor() { super(); left.controllers.push(this); }
  };
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const isOutside = [window, document].includes(this ?? window)
      || this instanceof MediaQueryList;
    if (isOutside && !options?.signal && isOfFigure()) left.listeners.push(type);
    return add.call(this ?? window, type, listener, options);
  };
  for (const kind of [MutationObserver, ResizeObserver, IntersectionObserver]) {
    const { observe, disconnect } = kind.prototype;
    kind.prototype.observe = function (...all) {
      if (isOfFigure()) left.observers.add(this);
      return observe.apply(this, all);
    };
    kind.prototype.disconnect = function () {
      left.observers.delete(this);
      return disconnect.call(this);
    };
  }
})()"""
END_ALL = """() => {
  const active = left.observers.size;
  left.controllers.forEach((each) => each.abort());
  return [active, left.observers.size, left.listeners];
}"""


def test_a_view_that_ended_still_listens_or_observes(browser, site):
    page = browser.new_page()
    page.add_init_script(RECORD)
    observing = 0
    for name in pages_with("vnd.jupyter.widget-view"):
        page.goto(f"{site}/{name}")
        settle(page)
        active, remaining, listeners = page.evaluate(END_ALL)
        observing += active
        assert (name, remaining, listeners) == (name, 0, [])
    assert observing, "the script records no observer"
    page.close()
