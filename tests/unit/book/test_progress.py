"""The lists for measuring progress: pages to read, and their questions."""

import json

from book import progress
from book.live import Cell
from course.widgets import Exercise, Machine, Quiz, ScoreWalk, ask, contract

CHOICES = ("yes", True, "It is."), ("no", False, "It is not.")
TWO = [ask("Is it?", *CHOICES), ask("Was it?", *CHOICES)]


def state(card, name):
    saved = json.loads(json.dumps(card.get_state(), default=str))
    return {**saved, "_page": {**saved["_page"], "name": name}}


STATES = [
    state(ScoreWalk(), "asks"),
    state(ScoreWalk(question={}), "silent"),
    state(Quiz(TWO), "quiz"),
    state(Exercise("half", "Half of one?", truth=0.5), "half"),
    state(Machine(), "machine"),
]


def test_questions_are_not_counted_by_figure_or_have_other_checksums():
    questions = progress.questions(STATES)
    counts = {key: asked["count"] for key, asked in questions.items()}
    assert counts == {"asks": 1, "quiz": 2, "half": 1}
    choices = {key: asked["answers"][0]["choices"] for key, asked in questions.items()}
    yes_and_no = [contract.checksum(text) for text in ("no", "yes")]
    assert sorted(choices["quiz"]) == sorted(2 * yes_and_no)
    assert choices["half"] == []
    assert len(choices["asks"]) > 1


def test_a_wrong_page_counts_for_progress_or_a_right_one_does_not():
    assert progress.counts_for_progress("chapters/03-multi-head", "intro")
    assert progress.counts_for_progress("intro", "intro")
    assert not progress.counts_for_progress("glossary", "intro")


def test_a_written_list_has_wrong_entries(tmp_path):
    (tmp_path / "_static").mkdir()
    cells = [Cell("ab12", "x = 1"), Cell("softmax", "check()", "Softmax")]
    one = progress.CountedPage("one", "One &amp; all", "1", STATES, cells)
    progress.write(tmp_path, [one])
    written = (tmp_path / "_static" / progress.COURSE).read_text("utf-8")
    course = json.loads(written.partition(" = ")[2].rstrip(";\n"))
    called = course["called"]
    assert called["answer"] == ["prediction", "predictions"]
    assert called["marks"] == called["entry"] == ["exercise", "exercises"]
    assert called["picked"] == ["quiz", "quizzes"]
    assert course["pages"] == [
        {
            "page": "one",
            "title": "One & all",
            "number": "1",
            "questions": progress.questions(STATES),
            "code": [["softmax", "Softmax"]],
        }
    ]
    questions = progress.stored_questions(tmp_path)["one"]
    assert set(questions) == {
        *("asks", "quiz", "half", "machine"),
        *("cell-ab12", "cell-softmax"),  # their stored code can be imported
    }
    assert questions["half"]["truth"] == 0.5
    assert questions["machine"]["edits"] == {}
    assert not any("_esm" in figure for figure in questions.values())
