"""The rebuilt walkthrough keeps every feature that the page had: a checklist."""

import re
from pathlib import Path

import nbformat
import pytest

CHAPTER = Path(__file__).resolve().parents[5] / "chapters/05-walkthrough-apple.ipynb"
CELLS = nbformat.read(CHAPTER, as_version=4).cells
CODE = "\n".join(c.source for c in CELLS if c.cell_type == "code")
PROSE = "\n".join(c.source for c in CELLS if c.cell_type == "markdown")

# Feature of the page: what to look for in the chapter, and how many times it is there
# (in code: how many different calls).
FEATURES = {
    "title and promise": [(PROSE, r"\A# .*I bought apple to eat", 1)],
    "progress indicator": [(CODE, r'Worksheet\.preset\("apple", step="input"', 1)],
    "step headings": [(PROSE, r"^## Step (?:[1-9]|1[01]): ", 11)],
    "task and focus word": [(PROSE, r"Your task\n.*\*\*apple\*\*", 1)],
    "embedding table": [(CODE, r"walk\.embeddings\(\)", 1)],
    "matrix rule": [(PROSE, r"\\text\{result\}\[\d\] &= x\[0\]\\,W\[0,\d\]", 4)],
    "try it yourself": [
        (CODE, r'projection\(0, "Q"\)', 1),
        (PROSE, "Try it yourself", 1),
    ],
    "nine weight grids": [(CODE, r"weight_grids\([012]\)", 3)],
    "worked queries": [(CODE, r"projection_lines\([012]\)", 3)],
    "vector tables": [(CODE, r'walk\.vectors\([012], "[QKV]"\)', 9)],
    "your turn": [(CODE, r'projection\([012], "K"\)', 3), (PROSE, "Your turn", 3)],
    "score tables": [(CODE, r"figures\.scores\([012]\)", 3)],
    "dot-product lines": [(CODE, r"walk\.score_lines\([012]\)", 3)],
    "weight tables": [(CODE, r"figures\.weights\([012]\)", 3)],
    "practice softmax": [(CODE, r'practice_softmax\([012], "(eat|bought)"\)', 3)],
    "list of weights": [(CODE, r"walk\.weights_list\([012]\)", 3)],
    "weighted values": [(CODE, r"walk\.weighted_values\([012]\)", 3)],
    "concatenation panel": [
        (CODE, r"concatenation\(\)", 1),
        (CODE, r"walk\.panel\(\)", 1),
    ],
    "closing panel": [(PROSE, r"^### Understanding the result", 1)],
    "quiz": [(CODE, r"Quiz\(apple_quiz\.questions\(\)", 1)],
}


def test_the_page_had_twenty_features():
    assert len(FEATURES) == 20


@pytest.mark.parametrize("name", FEATURES)
def test_the_chapter_has(name):
    for text, pattern, count in FEATURES[name]:
        found = [match[0] for match in re.finditer(pattern, text, re.MULTILINE)]
        assert len(set(found) if text is CODE else found) == count, pattern


def test_steps_are_numbered_in_order():
    steps = re.findall(r"^## Step (\d+): ", PROSE, re.MULTILINE)
    assert steps == [str(i) for i in range(1, 12)]


def test_it_ends_with_the_output_projection():
    assert re.search(r"display\(apple_exercises\.final_output\(\)\)", CODE)
    assert re.search(r"figures\.projection\(MEAN_OF_HEADS\)", CODE)
