"""The register of statements about grammar, data, heads and runs that a page types.

A sentence that code says has its numbers from code. What a page types, and what it says
in words such as *every* or *none*, stands in ``statements.csv`` with what decides it:

- ``function``: ``room.name`` in that room's ``facts.py``, and the ``value`` that it
  gives; what a count or a comparison of the stored runs decides, without any spread;
- ``claim``: words of the row of ``claims.csv`` that measures it;
- ``why``: why nothing has to be computed, one of `WHY`.
"""

import csv
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

CSV = Path(__file__).with_name("statements.csv")

WHY = {
    "defined": "it says what a word or a part of a figure means",
    "done": "it says what is done next, and the cell beside it does it",
    "asserted": "a cell of the page asserts it",
    "follows": "it follows from what stands before it, by arithmetic or a theorem",
    "cited": "its source stands beside it",
    "guess": "it says that it is a guess",
    "asked": "it is a question, or a choice that the page calls wrong",
}


class Statement(NamedTuple):
    """A row of the register: a sentence, and one of three things that decide it."""

    page: str  # the file's name, without its ending
    words: str  # of the sentence, enough to tell it
    function: str
    value: str
    claim: str
    why: str


def statements(path: Path = CSV) -> list[Statement]:
    """Read every row."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Statement(**row) for row in csv.DictReader(file)]


def computed(statement: Statement) -> str:
    """Compute what a statement says, in the form in which its row holds it.

    Returns
    -------
    str
        ``yes`` or ``no`` of what is true or not; numbers otherwise, a comma between.
    """
    room, name = statement.function.split(".")
    found = getattr(import_module(f"course.chapters.{room}.facts"), name)()
    if isinstance(found, bool):
        return "yes" if found else "no"
    several = found if isinstance(found, tuple) else (found,)
    return ", ".join(f"{number:g}" for number in several)
