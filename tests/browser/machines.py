"""Open machines alone on a page, and use them as a reader does."""

from pathlib import Path

import pytest
from alone import page_of
from frames import drawn

from course.widgets import Machine

# The column is as wide as a figure on a desktop screen.
HOST = """<html lang="en" data-content_root="./"><link rel="icon" href="data:,">
<style>body { color: var(--abh-ink); background: var(--abh-paper); }
  article { max-width: 60rem; margin: auto; padding: 0 0.5rem; }</style>"""


@pytest.fixture
def opened(watch, serve_folder, tmp_path: Path):
    """Open machines alone on a page; the test fails if the page logs anything."""
    watched = []
    with serve_folder(tmp_path) as address:

        def open_machine(*machines, query="", **options):
            options.setdefault("reduced_motion", "reduce")
            text = page_of(machines).replace('<html lang="en">', HOST)
            text = text.replace("<article>", "<article><h1>Machine</h1>")
            (tmp_path / "index.html").write_text(text, encoding="utf-8")
            watched.append(watch(**options))
            page = watched[-1].open(f"{address}/index.html{query}")
            ready(page)
            return page

        yield open_machine
    assert [complaint for each in watched for complaint in each.complaints] == []


def ready(page) -> None:
    page.wait_for_selector(".abh-ma-svg [data-row]", state="attached")
    drawn(page)


def reopen(page, query: str) -> None:
    page.goto(page.url.split("?")[0] + query)
    ready(page)


def value(where, name: str, r: int, c: int) -> str:
    """Return all digits of a number of a stage, after the page has been drawn."""
    drawn(getattr(where, "page", where))
    shown = where.locator(f'text[data-name="{name}.{r}.{c}"]').first
    return shown.get_attribute("data-value")


def type_number(where, name: str, r: int, c: int, text: str) -> None:
    """Type a new number into a stage; first close the menus that may cover it."""
    getattr(where, "page", where).bring_to_front()
    for menu in where.locator(".abh-ma-more[open]").all():
        menu.evaluate("menu => { menu.open = false; }")
    cell = where.locator(f'[data-key="{name}.{r}.{c}"]').first
    # The bar at the bottom of the screen does not cover the middle.
    cell.evaluate("cell => cell.scrollIntoView({ block: 'center' })")
    cell.click()
    field = where.locator(".abh-ma-field")
    field.fill(text)
    field.press("Enter")


def more(where) -> None:
    """Open the menu of a machine."""
    menu = where.locator(".abh-ma-more").first
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()


def undo(where, name: str = "Undo") -> None:
    more(where)
    where.get_by_role("button", name=name).first.click()


def preset(name: str, **traits) -> Machine:
    """Return the machine of a preset, without its question."""
    return Machine.preset(name, **{"question": {}, "stage": "X"} | traits)
