"""The walkthrough keeps every feature of the page that it replaces."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course.chapters.walkthrough_apple import tables
from course.chapters.walkthrough_apple.questions import prediction
from course.kit.prose import differs
from course.notes import APPLE
from course.widgets.machine.presets import PRESETS

CHAPTER = Path(__file__).resolve().parents[5] / "chapters/05-walkthrough-apple.ipynb"
CELLS = nbformat.read(CHAPTER, as_version=4).cells
CODE = "\n".join(c.source for c in CELLS if c.cell_type == "code")
PROSE = "\n".join(c.source for c in CELLS if c.cell_type == "markdown")
HEADS = PRESETS["apple"].inputs.trace().heads

# A feature of the page: a pattern of the chapter, and the number of its matches (in
# code: of different calls). Head 1 is worked out in full, heads 2 and 3 in the machine.
FEATURES = {
    "title and promise": [(PROSE, r"\A# .*I bought apple to eat", 1)],
    "progress indicator": [(CODE, r'Machine\.preset\("apple", stage="weights"', 1)],
    "step headings": [(PROSE, r"^## Step (?:[1-9]|1[01]): ", 11)],
    "task and focus word": [(PROSE, r"Your task\*\*\n>\n> .*\*\*apple\*\*", 1)],
    "embedding table": [(CODE, r"walk\.embeddings\(\)", 1)],
    "matrix rule": [(PROSE, r"\\text\{result\}_\d &= x_1 W_\{1\d\}", 4)],
    "try it yourself": [
        (CODE, r'projection\(0, "Q"\)', 1),
        (PROSE, "Try it yourself", 1),
    ],
    "nine weight grids": [(CODE, r"weight_grids\(0\)", 1)],
    "worked queries": [(CODE, r"projection_lines\(0\)", 1)],
    "vector tables": [
        (CODE, r'walk\.vectors\(0, "[QKV]"\)', 3),
        (CODE, r"walk\.spoken\([12]\)", 2),
    ],
    "your turn": [(CODE, r'projection\(0, "K"\)', 1), (PROSE, "Your turn", 2)],
    "score tables": [(CODE, r"figures\.scores\(0\)", 1)],
    "dot-product lines": [(CODE, r"walk\.score_lines\(0\)", 1)],
    "weight tables": [(CODE, r"figures\.weights\(0\)", 1)],
    "practice softmax": [
        (CODE, r'practice_softmax\(0, "eat"\)', 1),
        (CODE, r"ranking\([12]\)", 2),
    ],
    "list of weights": [
        (CODE, r"walk\.weights_list\(0\)", 1),
        (CODE, r"figures\.apples_rows\(\)", 1),
    ],
    "weighted values": [(CODE, r"walk\.weighted_values\(0\)", 1)],
    "concatenation panel": [(CODE, r"figures\.concatenation\(\)", 1)],
    "closing panel": [(PROSE, r"^### Understanding the result", 1)],
    "quiz": [(CODE, r"Quiz\(apple_quiz\.questions\(\)", 1)],
}


@pytest.mark.parametrize("name", FEATURES)
def test_the_chapter_lacks_a_feature_of_the_page(name):
    for text, pattern, count in FEATURES[name]:
        found = [match[0] for match in re.finditer(pattern, text, re.MULTILINE)]
        assert len(set(found) if text is CODE else found) == count, pattern


def test_the_machine_has_other_numbers_for_heads_2_and_3_than_the_page():
    for head, trace in enumerate(HEADS):
        parts = {"Q": trace.query, "K": trace.key, "V": trace.value}
        for kind, part in parts.items():
            due = APPLE.X @ getattr(APPLE, f"W_{kind}")[head]
            np.testing.assert_allclose(part, due)
            np.testing.assert_allclose(tables.matrix(head, kind), due)
        assert trace.weights.shape == (5, 5)


def test_something_before_the_first_question_gives_it_away():
    before = PROSE[: PROSE.index("## Step 2")]
    [right] = (c["text"] for c in prediction()["choices"] if c["right"])
    word = right.split(",")[0]
    assert word == APPLE.tokens[HEADS[0].weights[2].argmax()]
    assert before.lower().count(word) == before.count("I bought apple to eat")


def test_steps_are_out_of_order_or_the_end_is_missing():
    steps = re.findall(r"^## Step (\d+): ", PROSE, re.MULTILINE)
    assert steps == [str(i) for i in range(1, 12)]
    assert re.search(r"display\(apple_exercises\.final_output\(\)\)", CODE)


def test_the_notes_print_more_than_apple_s_vectors_rightly():
    right = {
        APPLE.tokens[word]
        for kind in "QKV"
        for head in range(3)
        for word, _ in np.argwhere(
            ~differs(APPLE.printed[kind][head], tables.matrix(head, kind), 2)
        )
    }
    assert right == {"apple"}


def test_worked_lines_or_tables_mark_another_word_or_sum():
    first, *_, last = tables.projection_lines(0).splitlines()
    assert first.endswith("= 0.48 + 0.04 + 0.60 + 0.06 = **1.18**")
    assert last.endswith("= **0.92**")
    assert "**apple** ← your focus word" in tables.embeddings()
    [highest] = [x for x in tables.score_lines(0).splitlines() if "highest" in x]
    assert highest.startswith("- apple → bought")
    [starred] = [x for x in tables.weights_list(0).splitlines() if "★" in x]
    assert starred.split("|")[1].strip() == "bought"
    assert len(tables.vectors(2, "K").splitlines()) == 2 + 5
    assert tables.spoken(1).splitlines()[0].startswith("| Head 2 |")
    total = tables.weighted_values(0).splitlines()[-1]
    assert total.startswith("| sum | 1.000 |")
    assert f"{HEADS[0].output[2, 0]:.3f}" in total
