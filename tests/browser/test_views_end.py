"""A view that leaves its page leaves nothing behind that still hears or runs."""

import re

import pytest
from found import SITE, pages_with
from repeats import ends_and_weekly

from book.widgets import RUNTIME
from course.widgets.bundler import joined, sources

KIND = re.compile(r'"_esm": \{"module": "([^"]+)"\}')

# What a page has begun and not ended, by what it is: kept from before its first script.
HELD = """(() => {
  const held = globalThis.held = new Map();
  const begin = (thing, words) => held.set(thing, words);
  globalThis.ResizeObserver = class extends ResizeObserver {
    observe(...given) { begin(this, "observer"); super.observe(...given); }
    disconnect() { held.delete(this); super.disconnect(); }
  };
  for (const place of [window, document]) {
    const { addEventListener: add, removeEventListener: remove } = place;
    place.addEventListener = (type, act, options) => {
      begin(act, `listener of ${type}`);
      options?.signal?.addEventListener("abort", () => held.delete(act));
      add.call(place, type, act, options);
    };
    place.removeEventListener = (type, act, options) => {
      held.delete(act);
      remove.call(place, type, act, options);
    };
  }
  const { setInterval: start, clearInterval: stop } = globalThis;
  globalThis.setInterval = (...given) => {
    const timer = start(...given);
    begin(timer, "timer");
    return timer;
  };
  globalThis.clearInterval = (timer) => { held.delete(timer); stop(timer); };
})()"""

# Render a view of a kind, let its arithmetic play where it does, and end it.
MODELS = joined(sources("figures.js", RUNTIME))
RENDER = (
    f"async (kind) => {{ {MODELS} const runtime = need;"
    + """
  const files = {};
  const view = (name) => (files[name] ??= abhSources[name](view));
  const saved = [...document.querySelectorAll("script[type*='widget-state']")]
    .flatMap((script) => Object.entries(JSON.parse(script.textContent).state));
  const [id, found] = saved.find(([, { state }]) => state._esm?.module === kind);
  const { Model } = runtime("figures.js");
  const { withBuffers } = runtime("../../src/course/widgets/card/values.js");
  const kept = new Model(id, withBuffers(found));
  const model = {
    get: (name) => kept.get(name),
    set: (...given) => kept.set(...given),
    save_changes() {},
    on(name, act) { held.set(act, `listener of ${name}`); kept.on(name, act); },
    off(name, act) { held.delete(act); kept.off(name, act); },
  };
  const el = document.body.appendChild(document.createElement("div"));
  const before = [...held.values()];
  const ended = new AbortController();
  view(kind).default.render({ model, el, signal: ended.signal });
  await new Promise(requestAnimationFrame);
  const during = [...held.values()];
  el.remove();
  ended.abort();
  return { before, during, after: [...held.values()] };
}"""
)


def kinds() -> dict[str, str]:
    """Each kind of view that the site shows, with the first page that shows it."""
    found: dict[str, str] = {}
    for page in pages_with('class="widget"'):
        for kind in KIND.findall((SITE / page).read_text(encoding="utf-8")):
            found.setdefault(kind, page)
    return found


KINDS = kinds()


def test_kinds_are_found():
    assert {"machine/machine.js", "quiz.js", "translator/translator.js"} <= set(KINDS)


@pytest.mark.parametrize("page", ends_and_weekly(sorted(set(KINDS.values()))))
def test_a_view_ends_all_that_it_began(watch, site, page):
    watched = watch()  # with motion, so that arithmetic plays
    watched.page.add_init_script(HELD)
    opened = watched.open(f"{site}/{page}")
    for kind in (kind for kind, where in KINDS.items() if where == page):
        held = opened.evaluate(RENDER, kind)
        assert len(held["during"]) > len(held["before"]), f"{kind} begins something"
        assert held["after"] == held["before"], kind
    assert watched.complaints == []
