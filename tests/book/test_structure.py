"""The parts of the course fit together: contents, notebooks and prose."""

import re
from functools import cache

import committed
import nbformat
import numpy as np
from committed import each_chapter

from book.notebooks import FIRST_CELL, problems, tags
from course import notes

NOT_PROSE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)", re.DOTALL)
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
REFERENCE = re.compile(r"(?:[Ss]ections?|Python|version) \d+(?:\.\d+)*")

# Decimals that prose may state though no note gives them as an input.
STATED = {"1.0": "a weight of one", "0.0": "a weight of zero", "0.5": "one half"}


@cache
def note_inputs() -> set[float]:
    """Return every number that the notes state as an input of a worked example."""
    examples = (notes.FOOTBALL, notes.CAT, notes.EIGHT_TOKENS, notes.APPLE)
    matrices = ("X", "W_Q", "W_K", "W_V", "W_O")
    return {
        float(x)
        for example in examples
        for name in matrices
        if getattr(example, name, None) is not None
        for x in np.abs(np.ravel(getattr(example, name)))
    }


def typed_results(markdown: str) -> list[str]:
    """Return decimals in prose that are no input of the notes and no reference."""
    prose = REFERENCE.sub("", NOT_PROSE.sub("", markdown))
    inputs = note_inputs()
    return [
        found
        for found in DECIMAL.findall(prose)
        if found not in STATED and float(found) not in inputs
    ]


@each_chapter
def test_a_notebook_is_not_in_committed_form(path):
    assert problems(nbformat.read(path, as_version=4)) == []


@each_chapter
def test_a_result_is_typed_into_prose(path):
    assert typed_results("\n\n".join(committed.sources(path, "markdown"))) == []


# JupyterLab shows the first line of a folded cell, which must give no answer away.
NEUTRAL = re.compile(
    r"# A solution|# Draws the figure below|# Checks what the text says"
    r"|(?:from|import) \w|_ = (?:figures|sketch)\."
)


@each_chapter
def test_the_first_line_of_a_folded_cell_gives_an_answer_away(path):
    folded = [c.source for c in committed.cells(path) if "hide-input" in tags(c)]
    assert [source for source in folded if not NEUTRAL.match(source)] == []


def test_a_notebook_does_not_say_that_the_course_is_missing(capsys, monkeypatch):
    exec(FIRST_CELL)
    assert capsys.readouterr().out == ""
    # Python finds the library, and not the course.
    found = {"attention": "here"}.get
    monkeypatch.setattr("importlib.util.find_spec", found)
    exec(FIRST_CELL)
    assert "`make lab` installs them" in capsys.readouterr().out
