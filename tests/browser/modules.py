"""Load JavaScript modules of the course into a page that does not use them."""

from pathlib import Path

from playwright.sync_api import Page

from course.widgets.bundler import joined, sources


def load_modules(page: Page, *entries: str, folder: Path | None = None) -> None:
    """Give a page the function ``need(name)`` for these modules and their imports."""
    found = {each.name: each for entry in entries for each in sources(entry, folder)}
    code = f"{joined([*found.values()])} return need;"
    page.evaluate(f"globalThis.need = (() => {{ {code} }})(); 0")
