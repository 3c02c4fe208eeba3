"""Assignments for nbgrader: a right answer passes, and students see no answer."""

import re

import nbformat
import pytest

from book.assignments import assignments, write
from book.build import chapters

CHAPTERS = [nbformat.read(path, as_version=4) for path in chapters()]
NOTEBOOKS = dict(pair for chapter in CHAPTERS for pair in assignments(chapter))
each_assignment = pytest.mark.parametrize("name", NOTEBOOKS)


def without_solution(source):
    """Replace the marked lines as nbgrader does."""
    region = re.compile(r"^( *)### BEGIN SOLUTION.*?### END SOLUTION$", re.S | re.M)
    return region.sub(r"\1raise NotImplementedError()", source)


def test_an_exercise_is_no_assignment_or_a_second_writing_deletes_the_grades(tmp_path):
    every = (cell for chapter in CHAPTERS for cell in chapter.cells)
    exercises = [cell for cell in every if "exercise" in cell.metadata.get("tags", [])]
    grades, old = tmp_path / "gradebook.db", tmp_path / "source/old/old.ipynb"
    old.parent.mkdir(parents=True)
    old.touch()
    grades.touch()
    written = {path.stem for path in write(tmp_path)}
    assert written == NOTEBOOKS.keys()
    assert len(written) == len(exercises)
    assert grades.exists()
    assert not old.exists(), "an old assignment is kept"


@pytest.mark.more
@each_assignment
def test_the_solution_gets_no_points_or_an_empty_answer_gets_some(name):
    answer, grader = (c.source for c in NOTEBOOKS[name].cells if c.cell_type == "code")
    exec(f"{answer}\n{grader}", {})
    with pytest.raises(AssertionError, match="NotImplementedError"):
        exec(f"{without_solution(answer)}\n{grader}", {})


@each_assignment
def test_students_can_change_more_than_their_answer_or_see_a_solution(name):
    cells = NOTEBOOKS[name].cells
    assert [c.source for c in cells if c.metadata.nbgrader.grade] == [cells[-1].source]
    [answer] = [cell for cell in cells if cell.metadata.nbgrader.solution]
    assert [cell for cell in cells if not cell.metadata.nbgrader.locked] == [answer]
    chosen = "\n".join(re.findall(r"BEGIN SOLUTION(.*?)### END", answer.source, re.S))
    shown = without_solution(answer.source)
    lines = [line.strip() for line in chosen.splitlines() if line.strip()]
    assert lines
    assert [line for line in lines if line in shown] == []
