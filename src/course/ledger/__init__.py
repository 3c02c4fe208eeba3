"""Every printed number of the five notes, recomputed twice.

`rows` gives the rows of the ledger, `link` a link to one of them on the
errata page (for the chapters, beside a figure of the notes that they show), and
`readings` the numbers that the raw OCR and the cleaned notes read differently.

How it is made: `course.notes.extract` takes the numbers out of the notes; the
declarations `handwritten`, `apple`, `multi_head`, `transformer` and `raw_ocr`
say of each what it is; `page` recomputes it from the printed previous step
(*chained*) and from the stated inputs (*from source*); `verdicts` judges.
``make ledger`` writes all rows into a file, which the errata page offers too.
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
from course.ledger.verdicts import CHECKED, VERDICTS, Verdict
from course.notes.extract import NOTES, load

__all__ = [
    "CHECKED",
    "COLUMNS",
    "NOTES",
    "STEPS",
    "VERDICTS",
    "DifferingReading",
    "LedgerRow",
    "LostFigure",
    "Verdict",
    "as_csv",
    "build",
    "checked_by_note",
    "checked_by_step",
    "counts",
    "link",
    "lost_figures",
    "margin_note",
    "page_name",
    "readings",
    "rows",
    "shown",
]

COLUMNS = ("note", "line", "quantity", "printed", "chained", "from_source", "verdict")
"""Columns of the ledger as a file."""

STEPS = (
    "queries, keys, values",
    "scores",
    "scaled scores",
    "softmax",
    "weighted sum",
    "concatenation",
    "output projection",
    "shapes",
)
"""Steps in which figures are computed, in the order of the calculation."""

_LOST = Path(__file__).with_name("lost_figures.csv")


class LostFigure(NamedTuple):
    """A figure of the transformer lecture that its copy has lost."""

    line: int  # of transformer-self-attention.md
    shows: str  # what it must have shown, by the text around it
    section: str  # heading of chapter 6 under which it is drawn again


_DECLARATIONS = {
    "handwritten-notes.md": handwritten_notes.declare,
    "apple-walkthrough.md": apple_walkthrough.declare,
    "multi-head-operation.md": multi_head_operation.declare,
    "transformer-self-attention.md": transformer_lecture.declare,
}


def build(
    numbers: dict[str, dict[int, list[str]]],
) -> tuple[list[LedgerRow], list[DifferingReading]]:
    """Make the ledger from extracted numbers.

    Parameters
    ----------
    numbers : dict
        Note, line, numbers as printed: what `course.notes.extract.load` gives.

    Returns
    -------
    rows : list of LedgerRow
        One row per number, note by note in reading order.
    readings : list of DifferingReading
        Where the raw OCR and the cleaned notes differ.

    Raises
    ------
    ValueError
        If a number is claimed by no declaration, or a declared one is not there.
    """
    found = {}
    for note, declare in _DECLARATIONS.items():
        note = Note(note, numbers[note])
        declare(note)
        found[note] = note.finish()
    raw = Note("handwritten-notes-raw-ocr.md", numbers["handwritten-notes-raw-ocr.md"])
    differing = raw_ocr.declare(raw, found["handwritten-notes.md"])
    found[raw.note] = raw.finish()
    return [row for note in NOTES for row in found[note]], differing


@cache
def _ledger() -> tuple[tuple[LedgerRow, ...], tuple[DifferingReading, ...]]:
    made, differing = build(load())
    return tuple(made), tuple(differing)


def lost_figures() -> list[LostFigure]:
    """List the figures that the lecture's copy has lost, in reading order."""
    with _LOST.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [LostFigure(int(r["line"]), r["shows"], r["section"]) for r in rows]


def page_name(note: str) -> str:
    """File name of a note; the ending may be left out.

    Raises
    ------
    ValueError
        If there is no such note.
    """
    name = note if note.endswith(".md") else f"{note}.md"
    if name not in NOTES:
        raise ValueError(f"note must be one of {', '.join(NOTES)}; got {note!r}")
    return name


def rows(note: str | None = None, line: int | None = None) -> tuple[LedgerRow, ...]:
    """Rows of the ledger, in reading order.

    Parameters
    ----------
    note : str, optional
        Only this note, with or without ``.md``.
    line : int, optional
        Only this line of it.

    Returns
    -------
    tuple of LedgerRow

    Raises
    ------
    ValueError
        If there is no such note.

    Examples
    --------
    >>> row = rows("apple-walkthrough", 43)[-1]
    >>> row.printed, row.chained, row.verdict
    ('0.81', 1.18, 'wrong')
    """
    name = None if note is None else page_name(note)
    return tuple(
        row
        for row in _ledger()[0]
        if name in (None, row.note) and line in (None, row.line)
    )


def readings() -> tuple[DifferingReading, ...]:
    """Numbers that the raw OCR and the cleaned notes read differently."""
    return _ledger()[1]


def link(note: str, line: int, text: str | None = None) -> str:
    """Link to a line's rows in the table of the errata note, for use in Markdown.

    For the chapters: put it into a sentence that `course.kit.prose.say` displays,
    beside a figure of the notes. It is an HTML element, because Markdown's own
    links are checked against headings, and a line of the ledger is none.
    JupyterLab opens the notebook; the site's build makes of the target the
    address that the table reads.

    Parameters
    ----------
    note : str
        The note, with or without ``.md``.
    line : int
        A line of it that has numbers.
    text : str, optional
        What the link reads; the note's name and the line if left out.

    Raises
    ------
    ValueError
        If there is no such note, or no number in that line.

    Examples
    --------
    >>> link("apple-walkthrough", 43)
    '<a href="errata.ipynb#apple-walkthrough:43">apple-walkthrough, line 43</a>'
    """
    if not rows(note, line):
        raise ValueError(f"line {line} of {note} has no numbers")
    name = page_name(note).removesuffix(".md")
    shown_text = text or f"{name}, line {line}"
    return f'<a href="errata.ipynb#{name}:{line}">{shown_text}</a>'


def margin_note(note: str, line: int, printed: str, *, first: bool = False) -> str:
    """Say in the margin what the notes print, with a link to its row of the ledger.

    For the chapters: put it directly behind the right figure, without a space, in a
    sentence that `course.kit.prose.say` displays. On a wide screen of the site it
    stands beside the text, elsewhere and in JupyterLab in parentheses.

    Parameters
    ----------
    note : str
        The note, with or without ``.md``.
    line : int
        The line that prints the figure.
    printed : str
        The figure, as printed.
    first : bool
        Whether it is the first of its note, and so says what such a note is.

    Raises
    ------
    ValueError
        If there is no such note, or that line prints no such figure.

    Examples
    --------
    >>> margin_note("apple-walkthrough", 43, "0.81").count("printed 0.81")
    1
    """
    figures = [row.printed for row in rows(note, line)]
    if printed not in figures:
        raise ValueError(
            f"line {line} of {note} prints {', '.join(figures) or 'no number'}; "
            f"got {printed!r}"
        )
    told = "slip in the notes, see errata: " if first else ""
    inner = link(note, line, f"{told}printed {printed}")
    return f'<span class="margin-note"> <span>(</span>{inner}<span>)</span></span>'


def counts(*keys: str) -> Counter:
    """Count the rows by one or more of their attributes.

    Examples
    --------
    >>> counts("note", "verdict")["multi-head-operation.md", "copy-miscopied"]
    3
    """
    return Counter(tuple(getattr(row, key) for key in keys) for row in rows())


def checked_by_note() -> dict[str, list[int]]:
    """Count each note's recomputed figures, by verdict in the order of `CHECKED`."""
    found = counts("note", "verdict")
    return {
        note.removesuffix(".md"): [found[note, verdict] for verdict in CHECKED]
        for note in NOTES
    }


def checked_by_step(note: str) -> dict[str, list[int]]:
    """Count one note's recomputed figures by step, then by verdict.

    Steps that the note does not have are left out.
    """
    found = counts("note", "step", "verdict")
    name = page_name(note)
    table = {step: [found[name, step, v] for v in CHECKED] for step in STEPS}
    return {step: line for step, line in table.items() if sum(line)}


def shown(value: float | None) -> str:
    """Give a recomputed value for a note: up to six decimals, no tail of zeros."""
    if value is None:
        return ""
    text = format(value, ".6f").rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _exact(value: float | None) -> str:
    """Write a float so that it reads back as the same float."""
    return "" if value is None else repr(value)


def as_csv(some: tuple[LedgerRow, ...]) -> str:
    """Write rows as comma-separated values, recomputed ones in full."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in some:
        recomputed = _exact(row.chained), _exact(row.source)
        writer.writerow(
            [row.note, row.line, row.quantity, row.printed, *recomputed, row.verdict]
        )
    return text.getvalue()
