"""Pages run in parallel: a failed kernel gets a second try, wrong code gets none."""

from functools import partial

import nbformat
import pytest

from book.execute import Failure, run_again, run_page

DIES = """
import os, pathlib
mark = pathlib.Path("mark")
if {always} or not mark.exists():
    mark.touch()
    os._exit(1)
"""


def outcome(folder, page):
    """Return the page, or a failure: by the kernel once, or by the code each time."""
    tries = folder / page
    tries.write_text(tries.read_text() + "x" if tries.exists() else "x")
    if page == "wrong" or (page == "dies" and tries.read_text() == "x"):
        return Failure(page, 1, 1, "Error", "", by_kernel=page == "dies")
    return page


def test_only_a_page_whose_kernel_failed_runs_again(tmp_path):
    pages = ["good", "dies", "wrong"]
    good, died, wrong = run_again(partial(outcome, tmp_path), pages)
    assert (good, died, wrong.page) == ("good", "dies", "wrong")
    tries = [len((tmp_path / page).read_text()) for page in pages]
    assert tries == [1, 2, 1]


def write(folder, *cells):
    notebook = nbformat.v4.new_notebook()
    notebook.cells.append(nbformat.v4.new_markdown_cell("Text."))
    notebook.cells += [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(notebook, folder / "page.ipynb")


@pytest.mark.more
def test_a_broken_cell_is_found_with_its_line_and_its_error_in_one_line(tmp_path):
    write(tmp_path, "1", "x = 1\n\nraise ValueError('two\\nlines')", "2")
    failure = run_page(tmp_path, 60, "page.ipynb")
    assert failure[:4] == ("page.ipynb", 3, 3, "ValueError: two lines")
    assert "Traceback" in failure.traceback
    assert not failure.by_kernel


@pytest.mark.slow
@pytest.mark.more
def test_a_kernel_that_dies_once_does_not_fail_the_page(tmp_path):
    write(tmp_path, DIES.format(always=False), "1 + 1")
    run = partial(run_page, tmp_path, 60)
    [notebook] = run_again(run, ["page.ipynb"])
    assert notebook.cells[-1].outputs[0].data["text/plain"] == "2"


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize(
    ("code", "timeout"), [(DIES.format(always=True), 60), ("while True: pass", 1)]
)
def test_a_kernel_that_dies_or_takes_too_long_names_its_cell(tmp_path, code, timeout):
    write(tmp_path, "1", code)
    failure = run_page(tmp_path, timeout, "page.ipynb")
    assert failure.by_kernel
    assert failure.cell == 3
    assert "\n" not in failure.error
