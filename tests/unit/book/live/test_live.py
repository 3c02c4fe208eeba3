"""The cells that run in a page, and the files that the page fetches for them."""

import ast
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import nbformat
import pytest

from book import live
from book.live.in_page.cells import links_of, names_of
from book.notebooks import PRINTED, tags
from book.vendor import ORIGINS, vendored

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


def test_a_live_cell_reads_a_name_that_no_live_cell_binds():
    assert len(pages()) > 10
    for page, cells in pages().items():
        codes = [cell.code for cell in cells.values()]
        for code, links in zip(codes, links_of(codes), strict=True):
            assert names_of(code).reads <= links.given.keys() | links.binds, page


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


def test_numpy_is_not_the_file_that_pyodide_names():
    lock = json.loads(vendored("pyodide/pyodide-lock.json"))
    named = lock["packages"]["numpy"]
    content = vendored(f"numpy/{live.NUMPY}")
    assert (named["file_name"], named["depends"]) == (live.NUMPY, [])
    assert named["sha256"] == hashlib.sha256(content).hexdigest()


def test_files_of_pyodide_have_different_versions():
    origins = tomllib.loads(ORIGINS.read_text(encoding="utf-8"))
    names = [name for name in origins if name.startswith(("pyodide/", "python/"))]
    assert len(names) == 5
    [package] = {origins[name]["from"].split(", ")[1] for name in names}
    version = package.removeprefix("pyodide@")
    assert f'"{version}"'.encode() in vendored("pyodide/pyodide.mjs")


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


def test_a_printed_cell_of_a_live_page_is_not_live():
    for page, cells in pages().items():
        found = nbformat.read(ROOT / f"{page}.ipynb", as_version=4).cells
        printed = {i for i, cell in enumerate(found) if PRINTED in tags(cell)}
        folded = {i for i in printed if "hide-input" in tags(found[i])}
        assert printed - folded <= cells.keys(), page


IN_THE_PAGE = """
from in_page import page
def begin(edits, changed=()):
    shown = {"example": "football", "edits": edits, "stage": "scores"}
    page.begin({"a": {"shown": shown, "changed": list(changed)}})
begin('{"cat": {"kept": 1}}')
from course.widgets import Machine
machine = Machine.preset("football", name="a", question={})
assert machine.edits == {"cat": {"kept": 1}}, "the edits of another example are lost"
X = machine.X.copy()
X[2] = 1
machine.X = X
machine.set(causal=True)
set_ = page.changed()["a"]
assert set_.keys() == {"example", "edits"}, set_
import json
assert json.loads(set_["edits"])["football"]["X"][2] == [1, 1, 1]
begin("{}")
assert not machine.causal and page.changed() == {}
Machine.preset("cat").causal = True
assert page.changed() == {}, "a machine without a name is no figure of the page"
begin(set_["edits"], changed=["edits", "stage"])
machine = Machine.preset("football", name="a", question={})
machine.causal = False
page.restore_reader_values()
assert machine.causal and not hasattr(machine, "stage"), "the reader's numbers are back"
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
    shutil.copy(live.INSTEAD / "course/kit/live.py", kit)
    shutil.copy(live.SRC / "course/kit/__init__.py", kit)
    run_alone(tmp_path, IN_THE_PAGE)
