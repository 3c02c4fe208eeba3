"""The gate catches faults: all planted in one copy, each is told by its own name."""

import json
import re
from pathlib import Path

import pytest
from copies import copy_course, run_in

CHAPTER = "chapters/04-output-projection.ipynb"
UNLISTED = "chapters/05-walkthrough-apple"
SHORTEST = "chapters/your-own-attention.ipynb"  # to run
NBVAL = ("--nbval", "--nbval-current-env", "--nbval-sanitize-with", "tests/nbval.cfg")
STRUCTURE = "tests/book/test_structure.py"


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


def raise_at_the_end(cells: list[dict]) -> None:
    raising = {"id": "slip", "source": "raise RuntimeError('slip')", "outputs": []}
    cells.append({**code(cells), **raising})


def change_a_printed_digit(cells: list[dict]) -> None:
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


def leave_an_output(cells: list[dict]) -> None:
    leftover = {"name": "stdout", "output_type": "stream", "text": ["left over\n"]}
    code(cells).update(outputs=[leftover])


def forget_in_contents(course: Path, chapter: str) -> None:
    toc = course / "_toc.yml"
    lines = toc.read_text(encoding="utf-8").splitlines(keepends=True)
    toc.write_text("".join(li for li in lines if chapter not in li), "utf-8")


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> str:
    """What the tests say of a course with every fault of this module."""
    course = copy_course(tmp_path_factory.mktemp("faults") / "course")
    edit(course, raise_at_the_end, SHORTEST)
    edit(course, change_a_printed_digit, SHORTEST)
    edit(course, leave_an_output)
    forget_in_contents(course, UNLISTED)
    result = run_in(course, "pytest", "-q", *NBVAL, SHORTEST, STRUCTURE)
    assert result.returncode == 1, result.stdout + result.stderr
    return result.stdout


def failures(told: str, where: str) -> list[str]:
    """List the tests of a file that failed, each named once."""
    return re.findall(rf"^FAILED {re.escape(where)}::(.*?)(?: - .*)?$", told, re.M)


def test_a_cell_that_raises_and_a_wrong_printed_number(told):
    printed, raising = sorted(failures(told, SHORTEST), key=lambda cell: int(cell[5:]))
    assert f"Cell {raising[5:]}: Cell execution caused an exception" in told
    assert "raise RuntimeError('slip')" in told
    assert f"Cell {printed[5:]}: Cell outputs differ" in told


def test_a_chapter_missing_from_the_contents_and_a_notebook_with_leftover_outputs(told):
    assert sorted(failures(told, STRUCTURE)) == [
        "test_contents_and_chapters_agree",
        "test_notebook_is_in_committed_form[04-output-projection]",
        "test_notebook_is_in_committed_form[your-own-attention]",  # what was appended
    ]
