"""Assignments for nbgrader: a right answer passes, and students see no answer."""

import re

import nbformat
import pytest

from book.assignments import assignments, write
from book.build import chapters

NOTEBOOKS = dict(
    pair
    for chapter in chapters()
    for pair in assignments(nbformat.read(chapter, as_version=4))
)
each_assignment = pytest.mark.parametrize("name", NOTEBOOKS)


def answer_and_grader(name):
    answer, grader = (c for c in NOTEBOOKS[name].cells if c.cell_type == "code")
    assert answer.metadata.nbgrader.solution
    assert grader.metadata.nbgrader.grade
    return answer.source, grader.source


def without_solution(source):
    """Replace the marked lines as nbgrader does."""
    region = re.compile(r"^( *)### BEGIN SOLUTION.*?### END SOLUTION$", re.S | re.M)
    return region.sub(r"\1raise NotImplementedError()", source)


def test_an_exercise_in_code_is_no_assignment():
    cells = [c for p in chapters() for c in nbformat.read(p, as_version=4).cells]
    exercises = [c for c in cells if "exercise" in c.metadata.get("tags", [])]
    assert len(NOTEBOOKS) == len(exercises)


def test_a_second_writing_deletes_the_grades_or_keeps_an_old_assignment(tmp_path):
    grades, old = tmp_path / "gradebook.db", tmp_path / "source/old/old.ipynb"
    old.parent.mkdir(parents=True)
    old.touch()
    grades.touch()
    assert {path.stem for path in write(tmp_path)} == NOTEBOOKS.keys()
    assert grades.exists()
    assert not old.exists()


@pytest.mark.more
@each_assignment
def test_the_solution_gets_no_points_or_an_empty_answer_gets_some(name):
    answer, grader = answer_and_grader(name)
    exec(f"{answer}\n{grader}", {})
    with pytest.raises(AssertionError, match="NotImplementedError"):
        exec(f"{without_solution(answer)}\n{grader}", {})


@each_assignment
def test_students_can_change_more_than_their_answer(name):
    marks = [cell.metadata.nbgrader for cell in NOTEBOOKS[name].cells]
    assert [each.solution for each in marks] == [not each.locked for each in marks]
    assert sum(each.solution for each in marks) == 1


@each_assignment
def test_students_get_a_line_of_a_solution(name):
    answer, _ = answer_and_grader(name)
    chosen = "\n".join(re.findall(r"BEGIN SOLUTION(.*?)### END", answer, re.S))
    shown = without_solution(answer)
    lines = [line.strip() for line in chosen.splitlines() if line.strip()]
    assert lines
    assert [line for line in lines if line in shown] == []
