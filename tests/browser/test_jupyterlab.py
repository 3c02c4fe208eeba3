"""JupyterLab as `make lab` starts it: figures and the kernel follow each other, links
set figures, and a saved notebook says which cells restore its figures."""

import re

import displayed
import nbformat
import pytest
from acts import reading
from found import cards, is_made_alone
from labs import NOTEBOOK, run_all, running_lab
from machines import type_number
from playwright.sync_api import expect

# JupyterLab takes twelve seconds to start: only the weekly run includes these tests.
pytestmark = [pytest.mark.more, pytest.mark.weekly]

CARD = '.abh-card[aria-label="Dot products as walks"]'

FIGURE = """
from course.widgets import ScoreWalk, ask

choices = ("It grows", True, "It does."), ("It shrinks", False, "It does not.")
figure = ScoreWalk(question=ask("What becomes of the spread?", *choices))
figure
"""

# When the reader changes d_k in the view, this function runs in Python; the row that it
# sets must reach the view.
FOLLOW = """
def follow(change):
    figure.row = change["new"] % 5


figure.observe(follow, "d_k")
"""

# Links that set a figure, in JupyterLab as on the site (widgets/lab).
LINKS = """
[Set $d_k$ to 16](#scorewalk.d_k=16), then
[the third row](#scorewalk.row=2&scorewalk.d_k=32); on the machine
[the weights](#machine.stage=weights). [No figure](#nowhere.row=2) of that name is
there. A [word](../glossary.md) is explained elsewhere.
"""
SOLUTION = "# A solution\nsecret = 6 * 7"
EQUATIONS = """from course.kit.prose import say

say("It is", "$$a_1$$", "and", "$$a_2$$")"""

MACHINE = """
from course.widgets import Machine

machine = Machine.preset("football", question={}, stage="X")
machine
"""

CARDS = [cls for cls in cards() if is_made_alone(cls)]

# Shows all cards, one below the other, in the output of one cell.
EVERY_CARD = "\n".join(
    [
        "from IPython.display import display",
        *(f"from {cls.__module__} import {cls.__name__}" for cls in CARDS),
        *(f"display({cls.__name__}())" for cls in CARDS),
    ]
)

SOURCES = (FIGURE, FOLLOW, MACHINE, EVERY_CARD, EQUATIONS, SOLUTION)


def write_notebook(path):
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in SOURCES]
    notebook.cells.append(nbformat.v4.new_markdown_cell(LINKS))
    solution = notebook.cells[SOURCES.index(SOLUTION)]
    solution.metadata = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def lab(browser_path, tmp_path_factory):
    """Yield the address of a JupyterLab with the notebook."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "work" / "chapters").mkdir(parents=True)
    write_notebook(folder / "work" / NOTEBOOK)
    (folder / "work" / "glossary.md").write_text("# Words\n\nEach has its meaning.\n")
    with running_lab(folder) as address:
        yield address


@pytest.fixture(scope="module")
def lab_page(lab, browser):
    """Yield the notebook's page after all cells ran; each test has its own cells."""
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    page.set_default_timeout(60_000)
    page.goto(f"{lab}/lab/tree/{NOTEBOOK}")
    run_all(page)
    last = cell_of(page, EQUATIONS).locator(".jp-InputPrompt")
    last.get_by_text(re.compile(r"\[\d+\]")).wait_for()
    yield page
    page.close()


def cell_of(page, source):
    return page.locator(".jp-CodeCell").nth(SOURCES.index(source))


def test_a_figure_and_the_kernel_do_not_follow_each_other(lab_page):
    card = cell_of(lab_page, FIGURE).locator(CARD)
    card.locator(".abh-choice input").first.check()
    card.get_by_role("button", name="Commit").click()
    width = card.locator("[data-trait=d_k] input[type=range]")
    row = card.locator("[data-trait=row] select")
    before = reading(card)
    width.focus()
    width.press("ArrowRight")  # 64 -> 128
    expect(row).to_have_value("3", timeout=60_000)
    assert reading(card) != before
    card.locator(displayed.UNDO).dispatch_event("click")  # undoes the row
    expect(row).to_have_value("0")
    lab_page.keyboard.press("Control+z")  # undoes d_k; Python sets the row again
    expect(width).to_have_attribute("aria-valuetext", "64")
    expect(row).to_have_value("4", timeout=60_000)


def test_an_arrow_key_does_not_lead_to_the_next_number_of_a_machine(lab_page):
    """JupyterLab has commands of its own for the arrow keys."""
    machine = cell_of(lab_page, MACHINE)
    type_number(machine, "X", 0, 0, "7")
    machine.locator("[data-key='X.0.0']").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown"):
        lab_page.keyboard.press(key)
    assert lab_page.evaluate("document.activeElement.dataset.key") == "X.2.1"


def test_a_card_shows_something_else_than_on_the_site(lab_page):
    cards_of_all = cell_of(lab_page, EVERY_CARD).locator(".abh-card").all()
    for cls, card in zip(CARDS, cards_of_all, strict=True):
        figure = cls()
        name = re.compile(rf"^{re.escape(figure.title)}(:|$)")  # a machine adds more
        expect(card).to_have_attribute("aria-label", name)
        displayed.check(card, colours=False)
        if cls.sentences:
            assert reading(card) == figure.reading()


def test_a_link_of_the_text_does_not_set_its_figure(lab_page):
    figure = cell_of(lab_page, FIGURE).locator(CARD)
    width = figure.locator("[data-trait=d_k] input[type=range]")
    row = figure.locator("[data-trait=row] select")
    address = lab_page.url
    lab_page.get_by_role("link", name=re.compile("^Set ")).click()
    expect(width).to_have_attribute("aria-valuetext", "16")
    expect(figure).to_be_in_viewport(ratio=0.9)
    expect(row).to_have_value("1", timeout=60_000)  # `follow` sets row = 16 % 5
    lab_page.get_by_role("link", name="the third row").click()
    expect(width).to_have_attribute("aria-valuetext", "32")
    machine = cell_of(lab_page, MACHINE)
    lab_page.get_by_role("link", name="the weights").click()
    expect(machine.locator(".abh-ma-way b")).to_have_text("Weights")
    lab_page.get_by_role("link", name="No figure").click()
    note = lab_page.get_by_role("link", name="No figure").locator("+ *")
    expect(note.get_by_role("button", name="run the cells up to it")).to_be_visible()
    assert lab_page.url == address


def test_numbers_of_equations_of_say_are_equal_or_visible(lab_page):
    numbers = cell_of(lab_page, EQUATIONS).locator("a[title='Link to this Equation']")
    expect(numbers).to_have_text(["(1)", "(2)"])
    assert not any(number.is_visible() for number in numbers.all())


def test_a_folded_solution_shows_more_than_its_title(lab_page):
    placeholder = cell_of(lab_page, SOLUTION).locator(".jp-Placeholder-content")
    expect(placeholder).to_contain_text("# A solution")
    assert "secret" not in placeholder.inner_text()


END_THE_KERNEL = """async () => {
  const [{ id }] = await (await fetch("/api/sessions")).json();
  const [, token] = document.cookie.match(/_xsrf=([^;]+)/);
  const headers = { "X-XSRFToken": token };
  await fetch(`/api/sessions/${id}`, { method: "DELETE", headers });
}"""


def test_a_saved_notebook_does_not_say_how_to_restore_figures(lab_page, lab, browser):
    note = "once its cell and the cells above it have run"
    assert not lab_page.get_by_text(note).first.is_visible()
    lab_page.keyboard.press("Control+s")
    expect(lab_page.locator(".jp-mod-dirty")).to_have_count(0)
    lab_page.evaluate(END_THE_KERNEL)
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    page.goto(f"{lab}/lab/tree/{NOTEBOOK}")
    expect(cell_of(page, FIGURE).get_by_text(note)).to_be_visible(timeout=60_000)
    failed = cell_of(page, FIGURE).get_by_text("model not found")
    expect(failed).to_have_count(1, timeout=60_000)
    expect(failed).to_be_hidden()
    link = page.get_by_role("link", name=re.compile("^Set "))
    link.click()
    link.locator("+ *").get_by_role("button", name="run the cells up to it").click()
    figure = cell_of(page, FIGURE).locator(CARD)
    width = figure.locator("[data-trait=d_k] input[type=range]")
    expect(width).to_have_attribute("aria-valuetext", "16", timeout=60_000)
    expect(figure).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_text("its figure is not there")).to_have_count(0)
    assert cell_of(page, MACHINE).locator(".abh-card").count() == 0, "too many cells"
    page.get_by_role("link", name="word").click()
    expect(page.get_by_text("Each has its meaning.")).to_be_visible(timeout=60_000)
    page.close()
