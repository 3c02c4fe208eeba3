"""Chromium or Chrome on this machine, for tests and for commands that draw pages."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

# The first is Chromium without windows, which needs half the time for a page.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_browser() -> str | None:
    """Return `BROWSER_PATH`, else the path of an installed browser, else None."""
    found = (shutil.which(name) for name in NAMES)
    return os.environ.get("BROWSER_PATH") or next(filter(None, found), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start and yield the browser; without one, end the program with a message."""
    path = find_browser()
    if path is None:
        sys.exit("No Chromium or Chrome was found: install one, or set BROWSER_PATH.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()
