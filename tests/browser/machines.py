"""Machines on a page of their own, worked as a reader works them."""

from pathlib import Path

import displayed
import pytest
from alone import page_of
from frames import drawn

from course.widgets import Machine

# A column as wide as a desk leaves a figure.
HOST = """<html lang="en" data-content_root="./"><link rel="icon" href="data:,">
<style>body { color: var(--abh-ink); background: var(--abh-paper); }
  article { max-width: 60rem; margin: auto; padding: 0 0.5rem; }</style>"""

STILL = "document.querySelectorAll('.abh-card').forEach(card => card.dataset.still = 1)"


@pytest.fixture
def opened(watch, serve_folder, tmp_path: Path):
    """Open machines on a page of their own; everything it logs fails the test."""
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
    """The number that a stage shows, in full, once what was done is drawn."""
    drawn(getattr(where, "page", where))
    shown = where.locator(f'text[data-name="{name}.{r}.{c}"]').first
    return shown.get_attribute("data-value")


def type_number(where, name: str, r: int, c: int, text: str) -> None:
    """Type over a number of a stage; an open menu would lie over it."""
    getattr(where, "page", where).bring_to_front()
    for menu in where.locator(".abh-ma-more[open]").all():
        menu.evaluate("menu => { menu.open = false; }")
    cell = where.locator(f'[data-key="{name}.{r}.{c}"]').first
    cell.evaluate("cell => cell.scrollIntoView({ block: 'center' })")  # off the bar
    cell.click()
    field = where.locator(".abh-ma-field")
    field.fill(text)
    field.press("Enter")


def more(where) -> None:
    """Open the menu."""
    menu = where.locator(".abh-ma-more").first
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()


def undo(where, name: str = "Undo") -> None:
    more(where)
    where.get_by_role("button", name=name).first.click()


def preset(name: str, **traits) -> Machine:
    """Open a preset without its question."""
    return Machine.preset(name, **{"question": {}, "stage": "X"} | traits)


__all__ = ["displayed"]
