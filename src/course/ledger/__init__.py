"""The ledger: every printed number of the five notes; results are recomputed twice.

`rows` returns the ledger's rows. `link` makes a link from a chapter to the rows of a
line in the table of the errata page. `readings` lists the numbers that the raw OCR and
the cleaned notes read differently.

`course.notes.extract` takes the numbers out of the notes. A module for each note
(`apple_walkthrough`, `handwritten_notes`, ...) declares what each number is. `note`
recomputes it, and `verdicts` judges it. ``make ledger`` writes all rows into a file.
"""

import csv
import io
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from course.ledger import (
    apple_walkthrough,
    handwritten_notes,
    multi_head_operation,
    raw_ocr,
    transformer_lecture,
)
from course.ledger.note import LedgerRow, Note
from course.ledger.raw_ocr import DifferingReading
from course.ledger.verdicts import CHECKED, VERDICTS
from course.notes.extract import NOTES, load

__all__ = [
    "CHECKED",
    "NOTES",
    "VERDICTS",
    "as_csv",
    "build",
    "counts",
    "link",
    "lost_figures",
    "readings",
    "rows",
    "shown",
]

COLUMNS = ("note", "line", "quantity", "printed", "chained", "from_source", "verdict")
"""Columns of the ledger as a file."""

_DECLARATIONS = {
    "handwritten-notes.md": handwritten_notes.declare,
    "apple-walkthrough.md": apple_walkthrough.declare,
    "multi-head-operation.md": multi_head_operation.declare,
    "transformer-self-attention.md": transformer_lecture.declare,
}


class LostFigure(NamedTuple):
    """A figure that the copy of the transformer lecture has lost."""

    line: int  # of transformer-self-attention.md
    shows: str  # what the figure must have shown, from the text around it
    section: str  # heading of chapter 6 under which the course draws it again


def build(
    numbers: dict[str, dict[int, list[str]]],
) -> tuple[list[LedgerRow], list[DifferingReading]]:
    """Make the ledger from the numbers that `course.notes.extract.load` returns.

    The first list has a row for each number, note by note in reading order. The second
    has the numbers that the raw OCR and the cleaned notes read differently. Raise a
    ValueError if no declaration claims a number, or if a declared number is missing.
    """
    found = {}
    for name, declare in _DECLARATIONS.items():
        note = Note(name, numbers[name])
        declare(note)
        found[name] = note.finish()
    raw = Note(raw_ocr.NOTE, numbers[raw_ocr.NOTE])
    differing = raw_ocr.declare(raw, found["handwritten-notes.md"])
    found[raw.name] = raw.finish()
    return [row for name in NOTES for row in found[name]], differing


@cache
def _ledger() -> tuple[list[LedgerRow], list[DifferingReading]]:
    return build(load())


def lost_figures() -> list[LostFigure]:
    """Return the figures that the lecture's copy has lost, in reading order."""
    path = Path(__file__).with_name("lost_figures.csv")
    with path.open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        return [LostFigure(int(r["line"]), r["shows"], r["section"]) for r in table]


def note_name(note: str) -> str:
    """Return the file name of a note, whose ending ``.md`` may be left out."""
    name = note if note.endswith(".md") else f"{note}.md"
    if name not in NOTES:
        raise ValueError(f"note must be one of {', '.join(NOTES)}; got {note!r}")
    return name


def rows(note: str | None = None, line: int | None = None) -> tuple[LedgerRow, ...]:
    """Return rows of the ledger in reading order: all, or those of a note or a line.

    >>> row = rows("apple-walkthrough", 43)[-1]
    >>> row.printed, shown(row.chained), row.verdict
    ('0.81', '1.18', 'wrong')
    """
    name = None if note is None else note_name(note)
    return tuple(
        row
        for row in _ledger()[0]
        if name in (None, row.note) and line in (None, row.line)
    )


def readings() -> tuple[DifferingReading, ...]:
    """Return the numbers that the raw OCR and the cleaned notes read differently."""
    return tuple(_ledger()[1])


def link(note: str, line: int, text: str = "") -> str:
    """Return a link to the rows of a line in the table of the errata page.

    Use it in a sentence that `course.kit.prose.say` displays. The link is an HTML
    element, because Markdown's own links must lead to a heading. JupyterLab opens the
    notebook of the errata; the build of the site turns the target into an address that
    the table reads. By default the link's text is the name of the note and the line.

    >>> link("apple-walkthrough", 43)
    '<a href="errata.ipynb#apple-walkthrough:43">apple-walkthrough, line 43</a>'
    """
    if not rows(note, line):
        raise ValueError(f"line {line} of {note} has no numbers")
    name = note_name(note).removesuffix(".md")
    text = text or f"{name}, line {line}"
    return f'<a href="errata.ipynb#{name}:{line}">{text}</a>'


def counts(*fields: str) -> Counter:
    """Count the rows by one or more of their fields.

    >>> counts("note", "verdict")["multi-head-operation.md", "copy-miscopied"]
    3
    """
    return Counter(tuple(getattr(row, field) for field in fields) for row in rows())


def shown(value: float | None) -> str:
    """Write a recomputed value for a reader, with at most six decimals.

    >>> shown(1.18), shown(-1e-9), shown(2 / 3), shown(None)
    ('1.18', '0', '0.666667', '')
    """
    if value is None:
        return ""
    text = format(value, ".6f").rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def as_csv(selected: tuple[LedgerRow, ...]) -> str:
    """Write rows as comma-separated values; recomputed values have all their digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in selected:
        place = row.note, row.line, row.quantity, row.printed
        writer.writerow([*place, row.chained, row.source, row.verdict])
    return text.getvalue()
