"""A table to look up any printed number of the notes."""

import re
from collections.abc import Sequence
from typing import Any

import traitlets as t

from course.ledger import NOTES, VERDICTS, Row, rows, shown
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card

SHORT_NAMES = ("handwritten", "raw OCR", "apple", "multi-head", "transformer")
"""What the table calls the notes, in the order of `course.ledger.NOTES`."""


def _packed(some: Sequence[Row]) -> str:
    """Write rows as lines of tab-separated fields, notes and verdicts by index."""
    return "\n".join(
        "\t".join(
            (
                str(NOTES.index(row.note)),
                str(row.line),
                row.quantity,
                row.printed,
                shown(row.chained),
                shown(row.source),
                str(VERDICTS.index(row.verdict)),
            )
        )
        for row in some
    )


class LedgerTable(Card):
    """Search the ledger, filter it by note and verdict, and go to a line.

    It opens without a question: it is for looking things up. The words searched
    for must all occur in a row's note, line, quantity, printed number or verdict.

    Parameters
    ----------
    some : sequence of Row, optional
        The rows to show; the whole ledger if left out.

    Attributes
    ----------
    find : str
        Words to search for.
    note : int
        0 for all notes, else 1 + the note's place in `course.ledger.NOTES`.
    verdict : int
        0 for all but labels, 1 for all, else 2 + the verdict's place in
        `course.ledger.VERDICTS`.
    first : int
        Place, from 0, of the first of the 20 rows that are shown.
    row : str
        A line to go to and mark, such as ``apple-walkthrough:185``, or empty.

    Raises
    ------
    TraitError
        If `row` is not of that form.
    """

    _esm = bundle("ledger_table.js")
    _css = stylesheet("ledger_table.css")
    own_tests = "browser/test_ledger_table.py"

    title = t.Unicode("Every printed number of the notes").tag(sync=True)
    packed = t.Unicode().tag(sync=True)
    notes = t.List(t.Unicode()).tag(sync=True)
    shorts = t.List(t.Unicode()).tag(sync=True)
    verdicts = t.List(t.Unicode()).tag(sync=True)
    find = t.Unicode().tag(sync=True, url=True)
    note = t.Int(0, min=0, max=len(NOTES)).tag(sync=True, url=True)
    verdict = t.Int(0, min=0, max=len(VERDICTS) + 1).tag(sync=True, url=True)
    first = t.Int(0, min=0).tag(sync=True, url=True, undo=False)
    row = t.Unicode().tag(sync=True, url=True, undo=False)

    def __init__(self, some: Sequence[Row] | None = None, **traits: Any) -> None:
        super().__init__(
            packed=_packed(rows() if some is None else some),
            notes=[note.removesuffix(".md") for note in NOTES],
            shorts=list(SHORT_NAMES),
            verdicts=list(VERDICTS),
            **traits,
        )

    def reading(self) -> str:
        """Say where the rows are."""
        return (
            "The table needs JavaScript. Its rows are a file too: on the site the link "
            "“Ledger” at the head of this page, in a copy of the course what "
            "make ledger writes."
        )

    @t.validate("row")
    def _valid_row(self, proposal: dict[str, Any]) -> str:
        if not re.fullmatch(r"([\w-]+:\d+)?", proposal["value"]):
            raise t.TraitError(
                f"row is a note and a line, as in apple-walkthrough:185, "
                f"not {proposal['value']!r}"
            )
        return proposal["value"]
