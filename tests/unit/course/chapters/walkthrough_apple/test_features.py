"""The rebuilt walkthrough keeps every feature that the page had: a checklist."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course.chapters.walkthrough_apple.questions import prediction
from course.widgets.worksheet.presets import PRESETS

CHAPTER = Path(__file__).resolve().parents[5] / "chapters/05-walkthrough-apple.ipynb"
CELLS = nbformat.read(CHAPTER, as_version=4).cells
CODE = "\n".join(c.source for c in CELLS if c.cell_type == "code")
PROSE = "\n".join(c.source for c in CELLS if c.cell_type == "markdown")

SHEET = PRESETS["apple"].inputs
HEADS = SHEET.trace().heads

# Feature of the page: what to look for in the chapter, and how many times it is there
# (in code: how many different calls). Head 1 is worked in full; what `ON_THE_SHEET`
# names is there for heads 2 and 3 on the worksheet.
FEATURES = {
    "title and promise": [(PROSE, r"\A# .*I bought apple to eat", 1)],
    "progress indicator": [(CODE, r'Worksheet\.preset\("apple", step="weights"', 1)],
    "step headings": [(PROSE, r"^## Step (?:[1-9]|1[01]): ", 11)],
    "task and focus word": [(PROSE, r"Your task\n.*\*\*apple\*\*", 1)],
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

# Feature: what of the worksheet's computation holds it, and its shape in a head.
ON_THE_SHEET = {
    "nine weight grids": [(lambda h: SHEET.W_K[h], (4, 4))],
    "worked queries": [(lambda h: HEADS[h].query, (5, 4))],
    "vector tables": [
        (lambda h: HEADS[h].key, (5, 4)),
        (lambda h: HEADS[h].value, (5, 4)),
    ],
    "score tables": [(lambda h: HEADS[h].scores, (5, 5))],
    "dot-product lines": [(lambda h: HEADS[h].scores[2], (5,))],
    "weight tables": [(lambda h: HEADS[h].weights, (5, 5))],
    "weighted values": [(lambda h: HEADS[h].output, (5, 4))],
}


def test_the_page_had_twenty_features():
    assert len(FEATURES) == 20


@pytest.mark.parametrize("name", FEATURES)
def test_the_chapter_has(name):
    for text, pattern, count in FEATURES[name]:
        found = [match[0] for match in re.finditer(pattern, text, re.MULTILINE)]
        assert len(set(found) if text is CODE else found) == count, pattern


@pytest.mark.parametrize("name", ON_THE_SHEET)
def test_the_sheet_carries_for_heads_2_and_3(name):
    assert name in FEATURES
    for part, shape in ON_THE_SHEET[name]:
        first, second, third = (part(h) for h in range(3))
        assert second.shape == third.shape == shape
        assert not np.allclose(first, second)
        assert not np.allclose(second, third)


def test_the_reader_is_sent_to_the_sheet_for_them():
    step = PROSE[PROSE.index("## Step 9") : PROSE.index("## Step 10")]
    assert "on the sheet above" in step


def test_nothing_before_the_first_question_gives_it_away():
    before = PROSE[: PROSE.index("## Step 2")]
    (right,) = (c["text"] for c in prediction()["choices"] if c["right"])
    assert right.startswith("bought, because")
    assert before.lower().count("bought") == before.count("I bought apple to eat")


def test_steps_are_numbered_in_order():
    steps = re.findall(r"^## Step (\d+): ", PROSE, re.MULTILINE)
    assert steps == [str(i) for i in range(1, 12)]


def test_it_goes_on_to_the_output_projection():
    assert re.search(r"display\(apple_exercises\.final_output\(\)\)", CODE)
    assert "trace.concat @ mha.W_O" in CODE


def test_it_ends_on_what_became_of_the_words():
    headings = re.findall(r"^## (.*)$", PROSE, re.MULTILINE)
    assert headings[-2:] == ["What became of the five words", "What comes next"]
