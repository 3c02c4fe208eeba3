"""Ask axe-core for its objections to a page."""

from importlib.resources import files
from pathlib import Path

from frames import emulate
from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
AUDIT = Path(__file__).with_name("axe.js").read_text(encoding="utf-8")

# Styles (colours and background of a text, see axe.js) that passed on earlier pages.
STYLES: set[str] = set()


def objections(page: Page, only_contrast: bool = False) -> list[str]:
    """Return axe-core's objections to a page."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE)
        page.evaluate(AUDIT)
    asked = [only_contrast, list(STYLES)]
    found, passed = page.evaluate("asked => audit.objections(asked)", asked)
    STYLES.update(passed)
    return found


def objections_in_the_dark(page: Page) -> list[str]:
    """Return the objections to the contrast: the dark theme changes only colours."""
    emulate(page, color_scheme="dark")
    found = objections(page, only_contrast=True)
    emulate(page, color_scheme="light")
    return found
