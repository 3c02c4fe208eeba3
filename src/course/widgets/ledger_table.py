"""A table to look up any printed number of the notes."""

import re
from collections import Counter
from typing import Any

import traitlets as t

from course.ledger import CHECKED, NOTES, VERDICTS, rows, shown
from course.widgets.card import Card, still
from course.widgets.contract import sent, setting

SHORT_NAMES = ("handwritten", "raw reading", "apple", "shapes", "lecture")
"""Short names of the notes, in the order of `course.ledger.NOTES`."""

WRONG = 2 + VERDICTS.index("wrong")
"""The initial filter by verdict: numbers that are wrong."""


def address_of(line: str) -> str:
    """Return the part of an address that shows and marks a line of the ledger."""
    return f"{LedgerTable.__name__.lower()}.{LedgerTable.row.name}={line}"


class LedgerTable(Card, view="ledger_table"):
    """Search the ledger, filter it by note and verdict, and go to a line.

    The table asks no question and first shows the wrong numbers. A row matches a search
    if each word occurs in its note, line, quantity, printed number or verdict.

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
        Index of the first of the 20 shown rows, among the rows that match.
    row : str
        A line to go to and mark, such as ``apple-walkthrough:185``, or empty.
    """

    title = sent(t.Unicode("Every printed number of the notes"))
    packed = sent(t.Unicode())
    notes = sent(t.List([note.removesuffix(".md") for note in NOTES]))
    shorts = sent(t.List(list(SHORT_NAMES)))
    verdicts = sent(t.List(list(VERDICTS)))
    find = setting(t.Unicode())
    note = setting(t.Int(0, min=0, max=len(NOTES)))
    verdict = setting(t.Int(WRONG, min=0, max=len(VERDICTS) + 1))
    first = setting(t.Int(0, min=0))
    row = setting(t.Unicode())

    @t.default("packed")
    def _default_packed(self) -> str:
        """Return rows as lines of tab-separated fields, note and verdict as indices."""
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
            for row in rows()
        )

    def _counts(self) -> Counter[str]:
        """Count the rows by verdict."""
        lines = self.packed.splitlines()
        return Counter(VERDICTS[int(line.rpartition("\t")[2])] for line in lines)

    def pictures(self) -> list[str]:
        """Draw the share of each verdict among the recomputed numbers."""
        counts = self._counts()
        checked = sum(counts[verdict] for verdict in CHECKED)
        labels = [f"{verdict}, {counts[verdict]:,}" for verdict in CHECKED]
        return [still.bars(labels, [counts[verdict] / checked for verdict in CHECKED])]

    def reading(self) -> str:
        """Return a text: how many numbers were recomputed, and where the rows are."""
        counts = self._counts()
        checked = sum(counts[verdict] for verdict in CHECKED)
        return (
            f"Of {counts.total():,} printed numbers {checked:,} were recomputed. A "
            "file holds all rows: on the site, open the link “Ledger” at the head of "
            "this page; in a copy of the course, make ledger writes it."
        )

    @t.validate("row")
    def _valid_row(self, proposal: dict[str, Any]) -> str:
        if not re.fullmatch(r"([\w-]+:\d+)?", proposal["value"]):
            raise t.TraitError(
                f"row is a note and a line, as in apple-walkthrough:185, "
                f"not {proposal['value']!r}"
            )
        return proposal["value"]
