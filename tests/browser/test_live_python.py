"""Python in the page: every live cell, hostile code, downloads and refused requests.

A start of Python takes seconds, so one page with one worker serves nearly all tests.
"""

import re
from functools import cache
from html import escape
from typing import ClassVar

import nbformat
import numpy as np
import pytest
from alone import answer_with
from found import ROOT, SITE
from frames import drawn, wait_until
from hosts import SiteHost, serve
from machines import more, type_number
from playwright.sync_api import expect

from book import live

pytestmark = pytest.mark.slow

CHAPTER = "chapters/10-attention-since-2017.html"
SLOWEST = 90  # seconds that a cell may take, on a busy machine

RUN = """async index => {
  const cell = document.querySelectorAll(".cell.live")[index];
  const button = cell.querySelector(".live-bar button");
  button.click();
  const late = setTimeout(() => button.click(), SLOWEST); // Stop
  const result = () => cell.querySelector(".live-output");
  const waits = () => button.textContent !== "Run" || !result();
  do await new Promise((done) => setTimeout(done, 3)); while (waits());
  clearTimeout(late);
  const output = result();
  return {
    output: output.textContent,
    said: cell.querySelector(".live-said").textContent,
    failed: cell.classList.contains("live-failed"),
    elements: output.childElementCount,
  };
}""".replace("SLOWEST", str(SLOWEST * 1000))


HEAR = """() => {
  globalThis.heard = [];
  new MutationObserver(([{ target }]) => {
    const said = target.closest?.(".live-said");
    if (said) globalThis.heard.push(said.textContent);
  }).observe(document.body, { childList: true, subtree: true });
}"""


@cache
def pages():
    return live.of_chapters(ROOT / "chapters")


@cache
def every_live_cell():
    """Return (page, place, cell) of all live cells, those of `FIRST_PAGE` first."""
    in_order = sorted(pages().items(), key=lambda item: item[0] != FIRST_PAGE)
    return [
        (page, place, cell) for page, cells in in_order for place, cell in cells.items()
    ]


@cache
def megabytes():
    return f"{sum(len(file.content) for file in live.fetched(pages())) / 1e6:.1f}"


CELL = """<div class="cell live" id="cell-{name}">
<div class="cell_input"><div class="highlight"><pre>{code}</pre></div></div></div>"""
FIRST_PAGE = "chapters/your-own-attention"


def page_of_cells():
    """Return the page `FIRST_PAGE` with the live cells of all other chapters added."""
    html = (SITE / f"{FIRST_PAGE}.html").read_text(encoding="utf-8")
    cells = "".join(
        CELL.format(name=cell.name, code=escape(cell.code))
        for page, _, cell in every_live_cell()
        if page != FIRST_PAGE
    )
    assert html.count("</article>") == 1
    return html.replace("</article>", f"{cells}</article>")


class Live:
    def __init__(self, watched, site):
        self.site, self.watched, self.page = site, watched, watched.page
        self.cells = self.page.locator(".cell.live")

    def run(self, index):
        return self.page.evaluate(RUN, index)

    def write(self, text, index=0):
        cell = self.cells.nth(index)
        if not cell.locator(".live-editor").count():
            cell.get_by_role("button", name="Edit").click()
        cell.locator(".live-editor textarea").fill(text)

    def gives(self, code, index=0):
        """Run code in a cell, and return what the cell shows."""
        self.write(code, index)
        return self.run(index)


class BelowHost(SiteHost):
    """Serve the site below the path `BELOW`, and collect the requested paths."""

    BELOW = "/any/path"
    asked: ClassVar[list[str]] = []

    def translate_path(self, path):
        self.asked.append(path)
        is_below = path.startswith(f"{self.BELOW}/")
        return super().translate_path(path.removeprefix(self.BELOW)) if is_below else ""


@pytest.fixture(scope="module")
def every_cell(watching):
    with serve(SITE, BelowHost) as server, watching() as watch:
        opened = Live(watch(fresh=True, requests=True), server + BelowHost.BELOW)
        opened.page.set_default_timeout(SLOWEST * 1000)
        answer_with(opened.page, f"{opened.site}/chapters/every-cell", page_of_cells())
        opened.page.goto(f"{opened.site}/chapters/every-cell.html")
        opened.page.evaluate(HEAR)
        yield opened


# --- Before the first press -----------------------------------------------------------


def test_a_page_loads_python_before_the_first_run(watch, site):
    watched = watch(requests=True)
    page = watched.open(f"{site}/{CHAPTER}")
    names = [url.rpartition("/")[2].partition("?")[0] for url in watched.requests]
    own = [name for name in names if name.startswith("live")]
    assert sorted(own) == ["live.css", "live.js"]
    assert not any("/python/" in url for url in watched.requests)
    [said] = page.locator(".live-size").locator("visible=true").all()
    expect(said).to_have_text(f"The first run fetches Python: {megabytes()} MB")


# --- Every live cell ------------------------------------------------------------------


NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def same(text, stored):
    """Return whether texts are equal, and numbers up to 1e-12 or one last digit."""
    if NUMBER.sub("#", text).split() != NUMBER.sub("#", stored).split():
        return False
    pairs = zip(NUMBER.findall(text), NUMBER.findall(stored), strict=True)
    return all(np.isclose(float(a), float(b), 1e-12, unit(b)) for a, b in pairs)


def unit(number):
    decimals = number.partition("e")[0].partition(".")[2]
    return 1.01 * 10.0 ** -len(decimals) if decimals else 0


def stored(page, place):
    cell = nbformat.read(ROOT / f"{page}.ipynb", as_version=4).cells[place]
    texts = [o.get("text") or o["data"]["text/plain"] for o in cell.outputs]
    return "".join(texts)


def test_a_live_cell_gives_another_output_than_the_notebook(every_cell):
    """Run the cells in the order of the pages; a unit test runs each cell alone."""
    compared = 0
    for index, (page, place, cell) in enumerate(every_live_cell()):
        found = every_cell.run(index)
        context = (page, cell.code, found)
        assert not found["failed"], context
        if expected := stored(page, place):
            assert same(found["output"], expected), context
            compared += 1
    assert compared > 15
    fetching = rf"Fetching Python: \d+\.\d of {re.escape(megabytes())} MB …"
    heard = every_cell.page.evaluate("globalThis.heard")
    fetched = [words for words in heard if "etching" in words]
    assert fetched
    assert all(re.fullmatch(fetching, words) for words in fetched)
    assert every_cell.page.locator(".live-size").count() == 0
    assert every_cell.watched.outside(every_cell.site, "blob:") == []
    assert every_cell.watched.complaints == []


# --- What a cell must not do ----------------------------------------------------------


HOSTILE = [  # `test_session.py` tests errors of plain Python
    ("def f(n):\n    return f(n + 1)\nf(0)", "Line 3: f(0)\nLine 2: return f(n + 1)"),
    ("raise BaseException('<b>x</b>')", "Line 1: raise BaseException('<b>x</b>')\n"),
    (
        "import numpy as np\nnp.ones((10**5, 10**5))",
        "Line 2: np.ones((10**5, 10**5))\n",
    ),
    ("print('<img src=x onerror=alert(1)>')", "<img src=x onerror=alert(1)>\n"),
    ("import js\njs.eval('1')", "Line 2: js.eval('1')\nJsException: EvalError"),
    ("import js\njs.localStorage", "Line 2: js.localStorage\nAttributeError"),
    ("import sys\nsys.stdout = None\nprint(1)", ""),
    ("import threading\nthreading.Thread(target=print).start()", "Line 2: threading"),
    ("import builtins\nbuiltins.print = None", ""),
    ("print(chr(0) + chr(0xd800))", "\0\ud800\n"),
]


@pytest.mark.parametrize(("code", "said"), HOSTILE, ids=[code for code, _ in HOSTILE])
def test_a_hostile_cell_breaks_the_page(every_cell, code, said):
    found = every_cell.gives(code)
    assert found["output"].startswith(said)
    assert bool(found["output"]) == bool(said)
    assert found["elements"] == 0
    assert every_cell.gives("import builtins\n1 + 1")["output"] == "2\n"


# --- A figure of the page -------------------------------------------------------------


def row_of(page):
    """Return the third word's embedding, as the machine of the page shows it."""
    drawn(page)
    shown = page.locator("#fig-machine2 text[data-name^='X.2.']")
    return [float(each) for each in shown.evaluate_all(VALUES)]


VALUES = "texts => texts.map(({ dataset }) => dataset.value)"


def type_seven(page):
    type_number(page.locator("#fig-machine2"), "X", 2, 2, "7")


def test_a_cell_cannot_set_the_machine_or_read_typed_numbers(every_cell):
    cells, page = every_cell, every_cell.page
    built = row_of(page)
    assert built == [1, 1, 1]

    _, _, cell = every_live_cell()[0]
    assert "Machine" in cell.code
    found = cells.gives(cell.code.replace("[1.0, 1.0, 1.0]", "[0.5, 3.0, -2.0]"))
    assert "It set the figure, where Undo takes it back." in found["said"]
    assert row_of(page) == [0.5, 3, -2]
    more(page.locator("#fig-machine2"))
    undo = page.locator("#fig-machine2").get_by_role("button", name="Undo")
    undo.click()
    assert row_of(page) == built
    expect(undo).to_have_attribute("aria-disabled", "true")

    for stage in ("weights", "X"):
        said = cells.gives(f"machine.stage = {stage!r}", 1)["said"]
        assert said.endswith(" It set the figure."), "Undo takes back no stage"
    expect(undo).to_have_attribute("aria-disabled", "true")

    type_seven(page)
    assert cells.gives("print(machine.X[2])", 1)["output"] == "[1. 1. 7.]\n"
    found = cells.gives("machine.stage = 'nowhere'", 1)
    refused = "The page could not set machine2: stage = “nowhere”; it should be one of"
    assert refused in found["said"]
    found = cells.gives("machine.edits = {'football': {'X': [[1e9]]}}", 1)
    refused = "The page could not set machine2: edits, which cannot be shown."
    assert refused in found["said"]
    found = cells.gives("machine.X = [[1]]", 1)
    assert "ValueError: X must have shape (n, d_model) = (3, 1), got" in found["output"]
    found = cells.gives("from course.widgets import Machine\nMachine(name='none')", 1)
    assert "set none: this page has no figure of that name." in found["said"]
    assert row_of(page) == [1, 1, 7]
    assert cells.watched.complaints == []


def test_a_rerun_of_an_earlier_cell_loses_typed_numbers(every_cell):
    """The first cell makes the machine; an added comment makes it run again."""
    cells, page = every_cell, every_cell.page
    (_, _, first), (_, _, second) = every_live_cell()[:2]
    cells.gives(first.code)
    type_seven(page)
    cells.write(f"{first.code}\n# so", 0)
    found = cells.gives(f"{second.code}\nprint(machine.X[2])", 1)
    assert found["output"].endswith("\n[1. 1. 7.]\n")
    assert "after 1 cell above" in found["said"]
    assert "set the figure" not in found["said"]
    assert row_of(page) == [1, 1, 7]

    assert "It set the figure" in cells.gives("machine.causal = True", 1)["said"]
    assert cells.gives("print(machine.X[2])", 1)["output"] == "[1. 1. 7.]\n"
    cells.write("machine.bias = 1 / 0", 1)
    cells.write(f"{first.code}\n# or so", 0)
    found = cells.run(1)
    assert found["said"] == "Failed."
    assert row_of(page) == [1, 1, 7]

    assert "It set the figure" in cells.gives(first.code)["said"]
    assert row_of(page) == [1, 1, 1]
    assert cells.watched.complaints == []


# --- Stopping, memory ---------------------------------------------------------------


def test_stop_does_not_end_a_loop_or_a_second_start_downloads_files(every_cell):
    cell, other = every_cell.cells.nth(0), every_cell.cells.nth(1)
    said, long = cell.locator(".live-said"), SLOWEST * 1000
    every_cell.write("while True:\n    pass")
    cell.get_by_role("button", name="Run cell 1").click()
    expect(said).to_contain_text("Running", timeout=long)
    expect(cell).to_contain_class("live-old")
    expect(other.get_by_role("button", name="Run")).to_be_disabled()
    cell.get_by_role("button", name="Stop cell 1").click()
    expect(said).to_contain_text("Stopped. The results of the cells are gone")
    BelowHost.asked.clear()
    found = every_cell.gives("import numpy as np\nnp.ones(80_000_000).sum()")
    assert found["output"] == "np.float64(80000000.0)\n"
    assert "too much memory. Python starts again" in found["said"]
    assert BelowHost.asked == []


KEPT = """async () => {
  const store = await caches.open("attention-by-hand-python");
  return (await store.keys()).map(({ url }) => url).sort();
}"""
KEEP = """async at => {
  const store = await caches.open("attention-by-hand-python");
  await store.put(at, new Response("of an earlier build"));
}"""


@pytest.mark.weekly
def test_a_second_visit_downloads_python_again(every_cell):
    """The page also removes stored files of an earlier build."""
    page = every_cell.page
    folder = f"{every_cell.site}/_static/{live.FOLDER}/"
    files = sorted(folder + file.at for file in live.fetched(pages()))
    holds_them = f"async files => `${{await ({KEPT})()}}` === `${{files}}`"
    assert not every_cell.run(0)["failed"]
    wait_until(page, holds_them, files)
    page.evaluate(KEEP, f"{folder}course.zip?0123456789")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    BelowHost.asked.clear()
    page.goto(f"{every_cell.site}/chapters/every-cell.html")
    assert not every_cell.run(0)["failed"]
    assert [path for path in BelowHost.asked if f"/{live.FOLDER}/" in path] == []
    wait_until(page, holds_them, files)
