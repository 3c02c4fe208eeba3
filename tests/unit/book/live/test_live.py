"""The cells that run in a page, and the files that the page fetches for them."""

import ast
import hashlib
import io
import json
import subprocess
import sys
import tomllib
import zipfile
from functools import cache

import nbformat
import pytest

from book import live
from book.build import ROOT
from book.notebooks import PRINTED, tags
from book.vendor import ORIGINS, vendored


@cache
def pages():
    return live.of_chapters(ROOT / "chapters")


def notebook(*codes):
    cells = [nbformat.v4.new_code_cell(code) for code in codes]
    cells[0].metadata["tags"] = ["hide-input"]
    return nbformat.v4.new_notebook(cells=cells)


def test_a_cell_is_live_if_the_page_has_all_that_it_needs():
    cells = live.live_cells(
        notebook("a = 0", "import matplotlib.pyplot as plt", "plt.plot()", "b = 1", "b")
    )
    assert list(cells) == [3, 4]


def test_a_module_that_draws_or_is_not_packed_is_not_available():
    assert live.is_here({"numpy", "attention", "course.practice.check"})
    assert not live.is_here({"course.kit.prose"})  # which imports IPython
    assert not live.is_here({"course.chapters.self_attention.figures"})
    assert not live.is_here({"torch"})


@pytest.mark.more
@pytest.mark.parametrize("chapter", ["01", "02", "03", "04", "05"])
def test_every_open_cell_of_the_first_five_chapters_is_live(chapter):
    [path] = (ROOT / "chapters").glob(f"{chapter}-*.ipynb")
    every = live.open_cells(nbformat.read(path, as_version=4))
    assert list(pages().get(f"chapters/{path.stem}", {})) == list(every)


@pytest.mark.more
def test_the_zipped_course_runs_alone(tmp_path):
    codes = [cell.code for cells in pages().values() for cell in cells.values()]
    zipped = live.zipped_course(codes)
    assert zipped == live.zipped_course(codes)
    zipfile.ZipFile(io.BytesIO(zipped)).extractall(tmp_path)
    modules = {line for code in codes for line in imports_of(code)}
    check = "import sys; sys.path[:] = [p for p in sys.path if 'src' not in p]"
    lines = [
        check,
        "sys.path.insert(0, '.')",
        *sorted(modules),
        "import in_page.session",
    ]
    lines.append("import attention; assert 'src' not in attention.__file__")
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, cwd=tmp_path)


def imports_of(code):
    kinds = (ast.Import, ast.ImportFrom)
    return [ast.unparse(n) for n in ast.walk(ast.parse(code)) if isinstance(n, kinds)]


def test_numpy_is_the_file_that_pyodide_names():
    lock = json.loads(vendored("pyodide/pyodide-lock.json"))
    named = lock["packages"]["numpy"]
    found = live.NUMPY
    assert (named["file_name"], named["depends"]) == (found, [])
    assert named["sha256"] == hashlib.sha256(vendored(f"numpy/{found}")).hexdigest()


def test_all_files_of_pyodide_have_one_version():
    origins = tomllib.loads(ORIGINS.read_text(encoding="utf-8"))
    names = [name for name in origins if name.startswith(("pyodide/", "python/"))]
    assert len(names) == 5
    from_ = {origins[name]["from"].split(", ")[1] for name in names}
    [version] = {each.removeprefix("pyodide@") for each in from_}
    assert f'"{version}"'.encode() in vendored("pyodide/pyodide.mjs")


@pytest.mark.more
def test_fetched_files_weigh_less_than_9_3_megabytes():
    """The files hold all sixteen sentences of chapter 9: readers may choose any."""
    assert sum(len(file.content) for file in live.fetched(pages())) < 9.3e6


@pytest.mark.more
def test_a_changed_course_changes_no_address_of_pyodide():
    one = live.fetched(pages())
    other = live.fetched({"a": {0: live.Cell("a", "import attention")}})
    differ = {a.name for a, b in zip(one, other, strict=True) if a.at != b.at}
    assert differ == {live.COURSE}


def test_every_printed_cell_of_a_live_page_is_live():
    assert len(pages()) > 10
    for page, cells in pages().items():
        found = nbformat.read(ROOT / f"{page}.ipynb", as_version=4).cells
        printed = {i for i, cell in enumerate(found) if PRINTED in tags(cell)}
        folded = {i for i in printed if "hide-input" in tags(found[i])}
        assert printed - folded <= cells.keys(), page


IN_THE_PAGE = """
from in_page import page
def begin(edits, own=()):
    shown = {"example": "football", "edits": edits, "stage": "scores"}
    page.begin({"a": {"shown": shown, "own": list(own)}})
begin('{"cat": {"kept": 1}}')
from course.widgets import Machine
sheet = Machine.preset("football", name="a", question={})
assert sheet.edits == {"cat": {"kept": 1}}, "the edits of another example are lost"
X = sheet.X.copy()
X[2] = 1
sheet.X = X
sheet.set(causal=True)
set_ = page.changed()["a"]
assert set_.keys() == {"example", "edits"}, set_
import json
assert json.loads(set_["edits"])["football"]["X"][2] == [1, 1, 1]
begin("{}")
assert not sheet.causal and page.changed() == {}
Machine.preset("cat").causal = True
assert page.changed() == {}, "without a name it is no figure of the page"
begin(set_["edits"], own=["edits", "stage"])
sheet = Machine.preset("football", name="a", question={})
sheet.causal = False
page.keep_own()
assert sheet.causal and not hasattr(sheet, "stage"), "the reader's numbers are back"
for wrong in ({"stages": "scores"}, {"X": 1}):
    try:
        Machine(**wrong)
    except TypeError as error:
        assert "traits are example, edits, beta" in str(error)
    else:
        raise AssertionError(wrong)
from course.kit.live import counted
said = []
page.hear_progress(said.append)
assert list(counted("ab", "runs")) == ["a", "b"]
assert said == ["0 of 2 runs", "1 of 2 runs"]
"""


@pytest.mark.more
def test_a_machine_in_a_cell_has_the_numbers_of_its_figure(tmp_path):
    zipped = live.zipped_course(["from course.widgets import Machine"])
    zipfile.ZipFile(io.BytesIO(zipped)).extractall(tmp_path)
    for module in ("kit/live.py", "kit/__init__.py"):
        base = live.INSTEAD if module == "kit/live.py" else live.SRC
        (tmp_path / "course" / module).parent.mkdir(exist_ok=True)
        source = (base / "course" / module).read_text(encoding="utf-8")
        (tmp_path / "course" / module).write_text(source, encoding="utf-8")
    check = "import sys; sys.path[:] = ['.', *(p for p in sys.path if 'src' not in p)]"
    code = f"{check}\n{IN_THE_PAGE}"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_a_name_that_the_modules_of_a_page_lack_is_not_available():
    assert live.is_here({"course.widgets.Machine", "course.kit.live.counted"})
    assert not live.is_here({"course.widgets.Quiz"})
    assert not live.is_here({"course.kit.live.show_live"})
