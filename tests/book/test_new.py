"""A chapter that `book.new` writes passes the checks of every chapter."""

from pathlib import Path

import nbformat
import pytest
from copies import copy_course, run_in

from book.check import NOTEBOOKS
from book.new import begin, listed
from book.notebooks import problems

NAME = "09-long-context"
TITLE = r'What "long" costs: a context of $10^6$ tokens, and why $n \times n$ hurts'
ROOM = "course/chapters/long_context"


def run(root: Path, *command: str) -> None:
    done = run_in(root, *command)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def course(tmp_path):
    return copy_course(tmp_path / "course")


@pytest.mark.more
@pytest.mark.weekly
def test_a_new_chapter_passes_its_checks(course):
    run(course, "book.new", NAME, TITLE)
    page = nbformat.read(course / f"chapters/{NAME}.ipynb", as_version=4)
    assert problems(page) == []
    assert page.cells[1].source.startswith(f"# {TITLE}\n")
    run(course, "ruff", "check", ".")
    run(course, "ruff", "format", "--check", ".")
    checks = (f"tests/unit/{ROOM}", "tests/unit/test_layers.py", *NOTEBOOKS)
    about_it = ("-k", "long or layers or contents")  # only the new notebook
    run(course, "pytest", "-q", "-p", "no:cacheprovider", *checks, *about_it)


def test_a_name_with_capitals_or_spaces_is_refused(tmp_path):
    with pytest.raises(ValueError, match="small letters, digits and hyphens"):
        begin("Long Context", "Long context", tmp_path)


def test_an_existing_chapter_is_not_overwritten():
    with pytest.raises(FileExistsError, match=r"02-why-sqrt-dk\.ipynb already"):
        begin("02-why-sqrt-dk", "Again")


def test_the_contents_list_a_new_chapter_after_the_last_number():
    toc = "- file: chapters/01-a\n- file: chapters/05-b\n- file: chapters/errata\n"
    assert listed(toc, NAME).splitlines()[2] == f"- file: chapters/{NAME}"
