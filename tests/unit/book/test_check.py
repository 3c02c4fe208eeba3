"""`make check` finds the tests of a file, every failed test, and stale notebooks."""

import json
import os
import re
import signal
import subprocess
import sys

import nbformat
import pytest

from book import notebooks
from book.build import ROOT, executions
from book.check import differing, run_tests, stale_notebooks

PASSES, FAILS, DIES, NO_QUICK_TEST = (
    "def test_it(): assert 1 + 1 == 2",
    "def test_it(): assert 1 + 1 == 3",
    "import os\ndef test_it(): os.abort()",
    "import pytest\n@pytest.mark.more\ndef test_it(): pass",
)


def write_tests(folder, *sources):
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = more: again\n")
    names = [f"test_{place}.py" for place in range(len(sources))]
    for name, source in zip(names, sources, strict=True):
        (folder / name).write_text(source)
    return names


@pytest.mark.more
@pytest.mark.parametrize(
    ("sources", "status"),
    [((PASSES, FAILS), 1), ((DIES, NO_QUICK_TEST), -signal.SIGABRT)],
)
def test_a_failed_test_or_a_crash_does_not_fail_the_check(tmp_path, sources, status):
    assert run_tests(tmp_path, write_tests(tmp_path, *sources)) == status


def write_notebook(path, *cells):
    book = nbformat.v4.new_notebook()
    for source, printed in cells:
        outputs = [nbformat.v4.new_output("stream", text=printed)] if printed else []
        cell = nbformat.v4.new_code_cell(source, outputs=outputs, execution_count=1)
        book.cells.append(cell)
    nbformat.write(book, path)
    return path


@pytest.mark.more
def test_a_cell_that_fails_or_prints_other_text_passes_the_check(tmp_path):
    """Run more notebooks than there are processes, so that one process runs two."""
    good = ("x = 3\nprint(x)", "3\n")
    names = [
        write_notebook(tmp_path / "a.ipynb", good, ("print(x + 1)", "5\n")),
        write_notebook(tmp_path / "b.ipynb", good, ("assert x == 4", "")),
        *(write_notebook(tmp_path / f"{i}.ipynb", good) for i in range(os.cpu_count())),
    ]
    command = [sys.executable, "-m", "book.run_cells", *map(str, names)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "a.ipynb, cell 2 prints other text" in ran.stdout
    assert "stored:\n5\nprinted:\n4\n" in ran.stdout
    assert "b.ipynb, cell 2" in ran.stdout
    assert "AssertionError" in ran.stdout
    assert len(re.findall(r"^\w+\.ipynb", ran.stdout, re.MULTILINE)) == 2
    assert ran.stderr == ""


def test_a_notebook_is_not_stale_before_a_build_or_stale_after_it(tmp_path):
    (tmp_path / "chapters").mkdir()
    write_notebook(tmp_path / "chapters/01-a.ipynb", ("1", ""))
    assert stale_notebooks(tmp_path) == ["chapters/01-a.ipynb"]
    (tmp_path / "_build").mkdir()
    built = json.dumps({"execution": executions(tmp_path)})
    (tmp_path / "_build/inputs.json").write_text(built)
    assert stale_notebooks(tmp_path) == []


def test_the_check_fails_in_a_folder_without_git(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert differing(tmp_path) == []
    monkeypatch.setenv("PATH", "")
    assert differing(tmp_path) == []


def test_a_chapter_that_does_not_exist_gives_a_traceback():
    with pytest.raises(SystemExit, match="begins with '99'"):
        notebooks.main(["--tidy", "99"])
