"""The worksheet in JupyterLab: it and the kernel share their numbers and their keys."""

import re

import nbformat
import pytest
from test_jupyterlab import run_all, running_lab

SHEET = """
from course.widgets import Worksheet

worksheet = Worksheet.preset("football", answer=0)
worksheet
"""

# What the reader types reaches Python (X), and what Python sets (causal) the view.
FOLLOW = """
def follow(change):
    if worksheet.X[0, 0] == 7 and worksheet.trace.heads[0].query[0, 0] > 7:
        worksheet.causal = True


worksheet.observe(follow, "edits")
"""


@pytest.fixture
def lab(browser_path, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    cells = [nbformat.v4.new_code_cell(text) for text in (SHEET, FOLLOW)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, work / "chapter.ipynb")
    with running_lab(tmp_path) as address:
        yield address


def test_view_and_kernel_follow_each_other(lab, watch):
    page = watch(height=1400).page
    run_all(page, lab)
    last = page.locator(".jp-CodeCell .jp-InputPrompt").last
    last.get_by_text(re.compile(r"\[\d+\]")).wait_for()
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
