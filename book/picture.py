"""Pictures of the site for the README: ``python -m book.picture`` (needs Chromium).

They show the first screen of chapter 2, whose figure is worth a look, on a light and on
a dark page.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from book.browser import FLAGS, find_browser
from book.build import ROOT

PAGE = "chapters/02-why-sqrt-dk.html"
PLACE = "#how-large-is-a-dot-product"
SIZE = {"width": 1200, "height": 820}
FOLDER = ROOT / ".github" / "pictures"


def take(site: Path, folder: Path) -> None:
    """Write ``site-light.png`` and ``site-dark.png``.

    Raises
    ------
    RuntimeError
        If no Chromium is installed.
    """
    chromium = find_browser()
    if chromium is None:
        raise RuntimeError("pictures of the site need Chromium or Chrome")
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for theme in ("light", "dark"):
            page = browser.new_page(viewport=SIZE, color_scheme=theme)
            page.goto(f"{(site / PAGE).as_uri()}{PLACE}")
            page.locator(".abh-card").first.wait_for()
            page.screenshot(path=folder / f"site-{theme}.png")
        browser.close()


if __name__ == "__main__":
    take(ROOT / "_build" / "html", FOLDER)
    sys.exit(0)
