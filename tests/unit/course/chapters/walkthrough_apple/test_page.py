"""The walkthrough's machine has the page's inputs, and nothing gives answers away."""

from pathlib import Path

import nbformat
import numpy as np

from course.chapters.walkthrough_apple import tables
from course.chapters.walkthrough_apple.questions import prediction
from course.kit.prose import differs
from course.notes import APPLE
from course.widgets.machine.presets import PRESETS

CHAPTER = Path(__file__).resolve().parents[5] / "chapters/05-walkthrough-apple.ipynb"
CELLS = nbformat.read(CHAPTER, as_version=4).cells
PROSE = "\n".join(c.source for c in CELLS if c.cell_type == "markdown")
HEADS = PRESETS["apple"].inputs.trace().heads


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


def test_a_table_marks_another_word_or_names_another_head():
    assert "**apple** ← your focus word" in tables.embeddings()
    assert tables.spoken(1).splitlines()[0].startswith("| Head 2 |")
