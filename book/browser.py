"""Chromium or Chrome on this machine, for the tests and for `make formulas`."""

import os
import shutil

# The headless shell is Chromium without windows: a page takes half the work.
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
