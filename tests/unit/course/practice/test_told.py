"""What a reader is told of each known mistake, as it was last read by a person.

No formula tells whether a name, a formula and a reason belong together. What pages show
of mistakes is on record with the pages (``tests/book/said/``), here is all the rest.
"""

from pathlib import Path

import pytest
from records import on_record

from course.practice.exercises import EXERCISES
from course.practice.gallery import ATTENTIONS, HEADS

RECORD = Path(__file__).with_name("told.txt")
KNOWN = [w for each in EXERCISES.values() for task in each.tasks for w in task.wrong]
USUAL = [w for each in EXERCISES.values() for w in each.usual_mistakes]
SHOWN = {wrong.told for wrong in (*ATTENTIONS.values(), *HEADS.values(), *USUAL)}
TOLD = [told for told in dict.fromkeys(w.told for w in KNOWN) if told not in SHOWN]


def test_what_is_told_of_mistakes_is_on_record(file_regression):
    on_record(file_regression, RECORD, TOLD)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_two_mistakes_of_an_exercise_are_told_alike(exercise):
    wrong = [w for task in EXERCISES[exercise].tasks for w in task.wrong]
    for told in ("formula", "why"):
        said = {(w.name, getattr(w, told)) for w in wrong}
        assert len({text for _, text in said}) == len(said)
