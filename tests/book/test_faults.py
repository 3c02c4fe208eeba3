"""The gate catches faults: each test injects one into a temporary copy."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from copies import copy_course, notebook, run_in

CHAPTER = "chapters/04-output-projection.ipynb"
TINY = "chapters/01-tiny.ipynb"
SHORTEST = "chapters/your-own-attention.ipynb"  # to run


@pytest.fixture
def course(tmp_path) -> Path:
    return copy_course(tmp_path / "course")


def build(course: Path, warnings: int = 1) -> list[str]:
    """Build the copy, which must fail; gives its warnings, so many and no more."""
    result = run_in(course, "book.build")
    assert result.returncode != 0
    found = [line for line in result.stderr.splitlines() if "WARNING" in line]
    assert len(found) == warnings, found
    return found


def run_notebook(course: Path) -> subprocess.CompletedProcess:
    nbval = ("--nbval", "--nbval-current-env", "--nbval-sanitize-with")
    return run_in(course, "pytest", "-q", *nbval, "tests/nbval.cfg", SHORTEST)


def check_structure(course: Path) -> subprocess.CompletedProcess:
    return run_in(course, "pytest", "-q", "tests/book/test_structure.py")


def edit(course: Path, change, chapter: str = CHAPTER) -> None:
    """Apply `change` to the list of cells of a chapter."""
    path = course / chapter
    notebook = json.loads(path.read_text(encoding="utf-8"))
    change(notebook["cells"])
    path.write_text(json.dumps(notebook), encoding="utf-8")


def code(cells: list[dict], tag: str | None = None) -> dict:
    """First code cell, or the first with a tag."""
    return next(
        cell
        for cell in cells
        if cell["cell_type"] == "code"
        and (tag is None or tag in cell["metadata"].get("tags", []))
    )


def test_a_cell_that_raises(course):
    def append_it(cells):
        raising = {"id": "slip", "source": "raise RuntimeError('slip')", "outputs": []}
        cells.append({**code(cells), **raising})

    edit(course, append_it, SHORTEST)
    result = run_notebook(course)
    assert result.returncode == 1
    assert "raise RuntimeError('slip')" in result.stdout
    assert "1 failed" in result.stdout


def test_a_wrong_printed_number(course):
    def change_a_digit(cells):
        output = code(cells, "printed")["outputs"][0]
        texts = output["text"] if "text" in output else output["data"]["text/plain"]
        text = "".join(texts)
        digit = re.search(r"\d(?=\D*$)", text)
        wrong = str((int(digit[0]) + 1) % 10)
        changed = text[: digit.start()] + wrong + text[digit.end() :]
        if "text" in output:
            output["text"] = changed
        else:
            output["data"]["text/plain"] = changed

    edit(course, change_a_digit, SHORTEST)
    result = run_notebook(course)
    assert result.returncode == 1
    assert "1 failed" in result.stdout


def test_a_chapter_missing_from_the_contents(course):
    toc = course / "_toc.yml"
    lines = toc.read_text(encoding="utf-8").splitlines(keepends=True)
    toc.write_text("".join(li for li in lines if CHAPTER[:-6] not in li), "utf-8")
    result = check_structure(course)
    assert result.returncode == 1
    assert "FAILED tests/book/test_structure.py::test_contents_and_chapters_agree" in (
        result.stdout
    )


def test_a_notebook_with_leftover_outputs(course):
    leftover = {"name": "stdout", "output_type": "stream", "text": ["left over\n"]}
    edit(course, lambda cells: code(cells).update(outputs=[leftover]))
    result = check_structure(course)
    assert result.returncode == 1
    assert "test_notebook_is_in_committed_form[04-output-projection]" in result.stdout


def test_links_that_lead_nowhere_and_a_chapter_left_out_of_the_contents(tiny):
    page = tiny / "intro.md"
    broken = "\n[a chapter](chapters/99-nowhere.ipynb) [set it](#figure.d_k=3)\n"
    page.write_text(page.read_text(encoding="utf-8") + broken, encoding="utf-8")
    shutil.copy(tiny / TINY, tiny / "chapters/07-stray.ipynb")
    stray, lost, unset = build(tiny, warnings=3)
    assert "chapters/07-stray.ipynb is not in _toc.yml" in stray
    assert "99-nowhere" in lost
    assert "a link sets 'figure'; figures of this page are none" in unset


def test_a_figure_without_alt_text(tiny):
    draws = (
        "import matplotlib.pyplot as plt\nfrom course.kit import look\n\n"
        "look.use()\n_ = plt.subplots()"
    )
    (tiny / TINY).write_text(notebook("1", draws), encoding="utf-8")
    [warning] = build(tiny)
    assert "figure without alt text" in warning
    assert "chapters/01-tiny, cell 2" in warning
