"""Chromium or Chrome on this machine, for the tests and for `make formulas`."""

import os
import shutil

# The headless shell is Chromium without its windows: half the work a page.
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
    """Path of the browser; the variable `BROWSER_PATH` goes first, None if none."""
    found = (shutil.which(name) for name in NAMES)
    return os.environ.get("BROWSER_PATH") or next(filter(None, found), None)
