"""Pages run in parallel: a failed kernel gets a second try, wrong code gets none."""

from functools import partial

import pytest
from copies import notebook

from book.execute import Failure, run_again, run_page


def outcome(folder, page):
    """Return the page, or a failure: once by the kernel, or each time by the code."""
    tries = folder / page
    tries.write_text(tries.read_text() + "x" if tries.exists() else "x")
    if page == "wrong" or (page == "dies" and tries.read_text() == "x"):
        return Failure(page, 1, 1, "Error", "", by_kernel=page == "dies")
    return page


def test_code_that_fails_runs_again_or_a_dead_kernel_does_not(tmp_path):
    pages = ["good", "dies", "wrong"]
    good, died, wrong = run_again(partial(outcome, tmp_path), pages)
    assert (good, died, wrong.page) == ("good", "dies", "wrong")
    tries = [len((tmp_path / page).read_text()) for page in pages]
    assert tries == [1, 2, 1]


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize(
    ("code", "timeout"), [("import os; os._exit(1)", 60), ("while True: pass", 1)]
)
def test_a_lost_kernel_does_not_name_its_cell(tmp_path, code, timeout):
    (tmp_path / "page.ipynb").write_text(notebook("1", code), encoding="utf-8")
    failure = run_page(tmp_path, timeout, "page.ipynb")
    assert failure.by_kernel
    assert failure.cell == 3
    assert "\n" not in failure.error
