"""The static runtime gives a view the functions of anywidget's front end.

Each test writes a page like those of Jupyter Book (states, views, the security policy
of the site) with a small JavaScript module of the test, and opens it in Chromium.
"""

import json

import pytest
from acts import clear, keep
from frames import wait_until
from hosts import serve

from book import widgets
from book.extension import CONTENT_SECURITY_POLICY
from book.reading_time import WIDGET_VIEW

PAGE = """<!DOCTYPE html>
<html lang="en" data-content_root="{root}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,"><title>Widgets</title>
<script defer src="{root}widget-runtime.js"></script></head>
<body><article>{views}</article>
{state}</body></html>
"""


class Pages:
    """Writes pages of widgets into a folder that is served."""

    def __init__(self, folder, address, watch):
        self.folder, self.address, self.watch = folder, address, watch
        (folder / "widget-runtime.js").write_text(widgets.runtime(), encoding="utf-8")

    def write(self, models, name="page.html"):
        states = {
            key: {
                "model_name": "AnyModel",
                "model_module": "anywidget",
                "state": {"_anywidget_id": "course.Demo", **state},
            }
            for key, state in models.items()
        }
        tags = "".join(
            f'<div class="cell"><script type="{WIDGET_VIEW}">'
            f"{json.dumps({'model_id': key})}</script></div>"
            for key in models
        )
        used = widgets.PageWidgets()
        used.add(json.dumps({"state": states}))
        text = PAGE.format(
            policy=CONTENT_SECURITY_POLICY,
            views=used.place(tags),
            state=used.state,
            root="../" * name.count("/") or "./",
        )
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def open(self, models, name="page.html", query=""):
        self.write(models, name)
        watched = self.watch()
        page = watched.open(f"{self.address}/{name}{query}")
        wait_until(page, STARTED, len(models))
        assert watched.complaints == []
        return page


STARTED = "count => globalThis.models?.length === count"


def visit(page, address, count=1):
    page.goto(address)
    wait_until(page, STARTED, count)


@pytest.fixture
def pages(tmp_path, watch):
    with serve(tmp_path) as address:
        yield Pages(tmp_path, address, watch)


def module(render):
    """Return the source of a view; ``say(...)`` in `render` adds to the page's log."""
    return f"""
    globalThis.log ??= [];
    const say = (...words) => log.push(words.join(" "));
    export default {{
      render({{ model, el }}) {{
        (globalThis.models ??= []).push(model);
        {render}
      }}
    }};
    """


def test_change_events_come_out_of_order_or_for_unchanged_traits(pages):
    esm = module(
        """model.on("change:n", (m, value) => say("n", value, m.get("n")));
        model.on("change:list", () => say("list"));
        model.on("change:s", () => say("s", model.get("n")));
        model.on("change:m", () => model.set("twice", 2 * model.get("m")));
        model.on("change:twice", (m, value) => say("twice", value));"""
    )
    state = {"n": 1, "list": [1, {"x": 2}], "s": "t", "m": 1, "twice": 2, "_esm": esm}
    page = pages.open({"a": state})
    page.evaluate(
        """() => { const m = models[0];
        m.set("n", 2); m.set("n", 2);
        m.set("list", [1, {x: 2}]); m.set("list", [1, {x: 3}]);
        m.set({n: 5, s: "u"}); m.set("m", 4); }"""
    )
    # a listener may set another trait
    assert page.evaluate("log") == ["n 2 2", "list", "n 5 5", "s 5", "twice 8"]
    assert page.get_by_role("button").count() == 0, "nothing is kept: nothing to clear"


def test_a_broken_view_or_a_script_tag_in_a_state_breaks_the_others(pages):
    broken = "export default { render() { throw Error('no') } }"
    sound = module("el.textContent = model.get('n');")
    pages.write({"a": {"_esm": broken}, "b": {"_esm": sound, "n": "</script>"}})
    watched = pages.watch()
    page = watched.open(f"{pages.address}/page.html")
    texts = page.locator(".widget").all_text_contents()
    assert texts == ["This figure could not start.", "</script>"]
    assert len(watched.complaints) == 1


def linked(**schema):
    return {"schema": schema, "link": True, "undo": True}


TRAITS = {
    "n": linked(type="integer", minimum=1, maximum=9),
    "on": linked(type="array", items={"type": "boolean"}, minItems=2, maxItems=2),
    "name": linked(type="string"),
    "mine": {"schema": {"type": "integer", "minimum": -1}, "device": True},
}
KEPT = {
    "_esm": module(""),
    "_page": {"title": "Demo", "traits": TRAITS},
    "n": 1,
    "on": [True, True],
    "name": "plain",
    "mine": -1,
    "free": 0,
}
ALL = "['n', 'on', 'name', 'mine', 'free'].map(t => models[0].get(t))"


def test_the_address_names_a_trait_that_has_not_changed(pages):
    page = pages.open({"a": KEPT}, query="?q=other#part")
    page.evaluate("models[0].set('n', 3)")
    wait_until(page, "() => location.search.includes('demo.n=3')")
    page.evaluate("models[0].set('n', 1)")
    wait_until(page, "() => !location.search.includes('demo')")
    assert page.evaluate("location.href").endswith("?q=other#part")


def test_two_pages_share_their_settings_on_the_device(pages):
    pages.write({"a": KEPT}, name="chapters/two.html")
    page = pages.open({"a": KEPT}, name="chapters/one.html")
    one, two = (f"{pages.address}/chapters/{name}.html" for name in ("one", "two"))
    page.evaluate("models[0].set('mine', 2); models[0].set('free', 5)")
    wait_until(page, "() => localStorage.length === 1")
    assert page.evaluate("location.href") == one
    for address, mine in ((one, 2), (two, -1)):
        visit(page, address)
        assert page.evaluate(ALL) == [1, [True, True], "plain", mine, 0]
    with page.expect_navigation():  # a change just before leaving is kept too
        page.evaluate("models[0].set('mine', 1); location.reload()")
    wait_until(page, STARTED, 1)
    assert page.evaluate("models[0].get('mine')") == 1


CLOSED = {**KEPT, "_page": {**KEPT["_page"], "opened": "opened"}, "opened": False}
OPENED = "models.map(model => model.get('opened'))"


def test_an_address_opens_no_figure_or_does_not_scroll_to_it(pages):
    tall = {**CLOSED, "_esm": module("el.style.height = '1500px';")}
    query = "?demo2.n=9&demo2.on=[true,false]"
    page = pages.open({"a": tall, "b": tall}, query=query)
    assert page.evaluate(OPENED) == [False, True]
    found = page.evaluate("['n', 'on'].map(t => models[1].get(t))")
    assert found == [9, [True, False]]
    wait_until(page, "() => scrollY > 1000")
    assert page.locator("#fig-demo2").bounding_box()["y"] < 50


def test_skip_predictions_or_its_link_leaves_a_figure_closed(pages):
    pages.write({"a": CLOSED, "b": CLOSED}, name="chapters/two.html")
    page = pages.open({"a": CLOSED}, name="chapters/one.html")
    button = page.get_by_role("button", name="Skip predictions")
    assert page.evaluate(OPENED) == [False]
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert page.evaluate(OPENED) == [True]
    link = page.evaluate("location.href")
    assert link.endswith("?open=everything")
    two = link.replace("one.html?open=everything", "two.html")
    visit(page, two, 2)
    assert page.evaluate(OPENED) == [True, True]
    button.click()
    assert page.evaluate(OPENED) == [False, False]
    assert page.evaluate("localStorage.length") == 0
    visit(page, f"{two}?demo2.n=9", 2)
    button.dblclick()
    assert page.evaluate(OPENED) == [False, True], "a linked figure is closed"
    visit(page, link)
    assert page.evaluate(OPENED) == [True]
    page.evaluate("models[0].set('n', 2)")
    clear(page, "The whole course")
    assert button.get_attribute("aria-pressed") == "false"
    assert page.evaluate(OPENED) == [False]


KEYS = "Object.keys(localStorage).sort()"


def test_clearing_does_not_ask_or_does_not_list_all_that_it_removes(pages):
    pages.write({"a": KEPT}, name="chapters/two.html")
    page = pages.open({"a": KEPT, "b": KEPT}, name="chapters/one.html")
    keys = ("chapters/two/demo.answer", "chapters/two/sheet.edits", "open")
    keep(page, dict.fromkeys(keys, "1"))
    page.evaluate("localStorage.setItem('of another site', '1')")
    page.evaluate("models.forEach(model => model.set({mine: 2, n: 2}))")
    wait_until(page, "() => localStorage.length === 6")
    page.evaluate("models[1].set('mine', 1)")  # not written yet
    page.get_by_role("button", name="Clear …").click()
    dialog = page.get_by_role("dialog", name="Clear what this device keeps")
    one, two = "chapters/one: 2 settings", "chapters/two: 2 settings"
    removed = {
        "One figure": ["chapters/one: 1 setting"],
        "This page": [one],
        "The whole course": ["1 setting", one, two],
    }
    for extent, lines in removed.items():
        dialog.get_by_role("radio", name=extent).check()
        found = dialog.get_by_role("status").locator("li").all_inner_texts()
        assert sorted(found) == lines
    page.keyboard.press("Escape")
    assert page.evaluate("localStorage.length") == 6

    clear(page, "One figure")
    assert page.evaluate(ALL) == [1, [True, True], "plain", -1, 0]
    assert page.evaluate("models[1].get('mine')") == 1
    assert "attention-by-hand/chapters/one/demo.mine" not in page.evaluate(KEYS)
    clear(page, "This page")
    assert page.evaluate("models[1].get('mine')") == -1
    assert len(page.evaluate(KEYS)) == 4
    clear(page, "The whole course")
    assert page.evaluate(KEYS) == ["of another site"]
    wait_until(page, "() => !location.search")
