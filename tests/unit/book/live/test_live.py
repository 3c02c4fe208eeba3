"""The cells that run in a page, and the files that the page fetches for them."""

import ast
import io
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path

import nbformat
import pytest

from book import live

ROOT = Path(__file__).resolve().parents[4]


@cache
def pages():
    return live.of_chapters(ROOT / "chapters")


def notebook(*codes):
    cells = [nbformat.v4.new_code_cell(code) for code in codes]
    cells[0].metadata["tags"] = ["hide-input"]
    return nbformat.v4.new_notebook(cells=cells)


def test_the_live_cells_are_not_those_that_the_page_can_run():
    codes = "a = 0", "import matplotlib.pyplot as plt", "plt.plot()", "b = 1", "b"
    cells = live.live_cells(notebook(*codes))
    assert list(cells) == [3, 4]


def test_a_module_is_available_by_mistake_or_missing():
    assert live.is_here({"numpy", "attention", "course.practice.check"})
    assert live.is_here({"course.widgets.Machine", "course.kit.live.counted"})
    for name in (
        "course.kit.prose",  # which imports IPython
        "course.chapters.self_attention.figures",
        "torch",
        # `book/live/instead` has these modules without these names
        "course.widgets.Quiz",
        "course.kit.live.show_live",
    ):
        assert not live.is_here({name})


@pytest.mark.more
@pytest.mark.parametrize("chapter", ["01", "02", "03", "04", "05"])
def test_an_open_cell_of_the_first_five_chapters_is_not_live(chapter):
    [path] = (ROOT / "chapters").glob(f"{chapter}-*.ipynb")
    every = live.open_cells(nbformat.read(path, as_version=4))
    assert list(pages()[f"chapters/{path.stem}"]) == list(every)


def unpack(zipped, folder):
    zipfile.ZipFile(io.BytesIO(zipped)).extractall(folder)


def run_alone(folder, code):
    """Run code that finds the unpacked course and not that of the repository."""
    path = "import sys; sys.path[:] = ['.', *(p for p in sys.path if 'src' not in p)]"
    command = [sys.executable, "-c", f"{path}\n{code}"]
    subprocess.run(command, check=True, cwd=folder)


@pytest.mark.more
def test_the_zipped_course_does_not_run_alone(tmp_path):
    codes = [cell.code for cells in pages().values() for cell in cells.values()]
    zipped = live.zipped_course(codes)
    assert zipped == live.zipped_course(codes)
    unpack(zipped, tmp_path)
    modules = {line for code in codes for line in imports_of(code)}
    lines = [*sorted(modules), "import in_page.session", "import attention"]
    lines.append("assert 'src' not in attention.__file__")
    run_alone(tmp_path, "\n".join(lines))


def imports_of(code):
    kinds = (ast.Import, ast.ImportFrom)
    return [ast.unparse(n) for n in ast.walk(ast.parse(code)) if isinstance(n, kinds)]


@pytest.mark.more
def test_fetched_files_weigh_more_than_9_3_megabytes():
    """The files hold all sixteen sentences of chapter 9: readers may choose any."""
    assert sum(len(file.content) for file in live.fetched(pages())) < 9.3e6


@pytest.mark.more
def test_a_changed_course_changes_an_address_of_pyodide():
    one = live.fetched(pages())
    other = live.fetched({"a": {0: live.Cell("a", "import attention")}})
    differ = {a.name for a, b in zip(one, other, strict=True) if a.at != b.at}
    assert differ == {live.COURSE}


# `test_live_python.py` tests how a cell and a reader set a figure of the page.
IN_THE_PAGE = """
from in_page import page
shown = {"example": "football", "edits": '{"cat": {"kept": 1}}', "stage": "scores"}
page.begin({"a": {"shown": shown, "changed": []}})
from course.widgets import Machine
machine = Machine.preset("football", name="a", question={})
assert machine.edits == {"cat": {"kept": 1}}, "the edits of another example are lost"
Machine.preset("cat").causal = True
assert page.changed().keys() == {"a"}, "a machine without a name is no figure"
for wrong in ({"stages": "scores"}, {"X": 1}):
    try:
        Machine(**wrong)
    except TypeError as error:
        assert "known are example, edits, beta" in str(error)
    else:
        raise AssertionError(wrong)
from course.kit.live import counted
said = []
page.hear_progress(said.append)
assert list(counted("ab", "runs")) == ["a", "b"]
assert said == ["0 of 2 runs", "1 of 2 runs"]
"""


@pytest.mark.more
def test_a_machine_in_a_cell_has_other_numbers_than_its_figure(tmp_path):
    unpack(live.zipped_course(["from course.widgets import Machine"]), tmp_path)
    kit = tmp_path / "course/kit"
    kit.mkdir(exist_ok=True)
    for name in ("book/live/instead/course/kit/live.py", "src/course/kit/__init__.py"):
        shutil.copy(ROOT / name, kit)
    run_alone(tmp_path, IN_THE_PAGE)
