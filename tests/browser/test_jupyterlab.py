"""In JupyterLab a widget and the kernel follow each other."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

CHAPTER = Path(__file__).parents[2] / "chapters/02-why-sqrt-dk.ipynb"
CARD = '.abh-card[aria-label="Why divide by the square root of d_k"]'
NO_NEWS = {"fetchNews": "false", "checkForUpdates": False}

# The last cell of the chapter's copy: what the reader does in the view (d_k) reaches
# this function in Python, and what it changes (row) must reach the view.
FOLLOW_FIGURE = """
import gc

from course.widgets import SqrtDk

figures = [found for found in gc.get_objects() if issubclass(type(found), SqrtDk)]


def follow(change):
    for figure in figures:
        figure.row = change["new"] % 8


for figure in figures:
    figure.observe(follow, "d_k")
"""

SHEET = """
from course.widgets import Worksheet

worksheet = Worksheet.preset("football", answer=0)
worksheet
"""

# What the reader types reaches Python (X), and what Python sets (causal) the view.
FOLLOW_SHEET = """
def follow(change):
    if worksheet.X[0, 0] == 7 and worksheet.trace.heads[0].query[0, 0] > 7:
        worksheet.causal = True


worksheet.observe(follow, "edits")
"""


def write_notebooks(folder):
    """Write a copy of the chapter, with one more cell, and a worksheet of its own."""
    chapter = nbformat.read(CHAPTER, as_version=4)
    chapter.cells.append(nbformat.v4.new_code_cell(FOLLOW_FIGURE))
    nbformat.write(chapter, folder / "chapter.ipynb")
    cells = [nbformat.v4.new_code_cell(text) for text in (SHEET, FOLLOW_SHEET)]
    sheet = nbformat.v4.new_notebook(cells=cells)
    sheet.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(sheet, folder / "worksheet.ipynb")


def settings(folder):
    """An environment in which nothing of the user's own is read or written."""
    quiet = folder / "settings/@jupyterlab/apputils-extension"
    quiet.mkdir(parents=True)
    quiet.joinpath("notification.jupyterlab-settings").write_text(json.dumps(NO_NEWS))
    places = {
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
    }
    return os.environ | {name: str(folder / place) for name, place in places.items()}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address, process):
    """Wait until the server answers."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/api"):
            return
        time.sleep(0.2)
    pytest.fail("JupyterLab did not start")


@contextlib.contextmanager
def running_lab(folder):
    """Address of a JupyterLab on what lies in ``folder / "work"``."""
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    options = [
        f"--port={port}",
        f"--ServerApp.root_dir={folder / 'work'}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--LabApp.extension_manager=readonly",
    ]
    with (folder / "lab.log").open("w") as log:
        process = subprocess.Popen(
            command + options, env=settings(folder), stdout=log, stderr=log
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, process)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=30)


@pytest.fixture(scope="module")
def lab(browser_path, tmp_path_factory):
    """Address of a JupyterLab that shows the notebooks."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "work").mkdir()
    write_notebooks(folder / "work")
    with running_lab(folder) as address:
        yield address


def run_all(page, address, name):
    """Open a notebook in a workspace of its own and run it to its end."""
    page.set_default_timeout(60_000)
    page.goto(f"{address}/lab/workspaces/{name}/tree/{name}.ipynb")
    page.get_by_text(re.compile(r"Python 3.* \| Idle")).wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    last = page.locator(".jp-CodeCell .jp-InputPrompt").last
    last.get_by_text(re.compile(r"\[\d+\]")).wait_for()


def test_slider_and_trait_follow_each_other(lab, watch):
    page = watch().page
    run_all(page, lab, "chapter")
    card = page.locator(CARD).first
    card.locator(".abh-choice input").first.check()
    card.get_by_role("button", name="Commit").click()
    width = card.locator("[data-trait=d_k] input[type=range]")
    row = card.locator("[data-trait=row] select")
    before = card.locator(".abh-reading").inner_text()
    width.focus()
    width.press("ArrowRight")  # 64 -> 76, the next of four steps to a doubling
    expect(row).to_have_value("4", timeout=60_000)
    assert card.locator(".abh-reading").inner_text() != before


def test_worksheet_and_kernel_follow_each_other(lab, watch):
    page = watch(height=1400).page
    run_all(page, lab, "worksheet")
    page.locator("table[data-matrix=X] input").first.fill("7")
    page.locator("table[data-matrix='masked.0']").wait_for()
    assert page.get_by_label("Causal mask").is_checked()

    page.locator("table[data-matrix='scores.0'] td[data-row='0']").first.click()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    focused = page.evaluate(
        "document.activeElement.dataset.row + document.activeElement.dataset.column"
    )
    assert focused == "21"
