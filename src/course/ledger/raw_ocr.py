"""The numbers of ``handwritten-notes-raw-ocr.md``: what each of them is.

The raw OCR and the cleaned notes are two readings of the same handwritten pages. Each
number of the raw OCR has a *twin*: the number of the cleaned notes at the same place of
the page. The ledger judges a number of the raw OCR by the calculation that gives its
twin, because the numbers before it in the raw OCR are often unreadable. Where the two
readings differ, the ledger keeps both and says which reading the calculation confirms.

A row of ``raw_ocr_readings.csv`` describes a line of the raw OCR. ``cleaned_lines``
names the lines of the cleaned notes that hold the twins: ``12`` starts at the first
number of line 12, and ``12:3`` leaves out the first three. Twins that remain after the
last mark are not used. ``marks`` has one character for each number of the raw line, and
``_`` for each number that the raw line lacks. Empty ``marks`` mean ``=`` for all.

- ``=``: the number can be read, and the ledger compares it with its twin.
- ``!``: the number cannot be read (a digit or the point is lost).
- ``?``: a misread letter or a stray mark, which has no twin.
- ``_``: the number is missing in the raw OCR; only the cleaned notes have it.

To *claim* a number means to say what it is, as a row of the ledger (`note`).
"""

import csv
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from course.ledger.note import LedgerRow, Note
from course.ledger.verdicts import Verdict, judge, judge_copy

NOTE = "handwritten-notes-raw-ocr.md"

_LETTERS = {2: "b.4101", 6: "b.1945", 8: "b.3182", 9: "b.0106"}
_AS_PRINTED = {(142, 0): "ti.1", (571, 31): "5/12"} | {
    (line, position): text for line in (170, 171) for position, text in _LETTERS.items()
}
"""Text of a number with a letter or a stroke among its digits, by line and position."""


@dataclass(frozen=True)
class DifferingReading:
    """A number that the raw OCR and the cleaned notes read differently."""

    raw: LedgerRow
    cleaned: LedgerRow
    text: str  # the raw reading, with the letters among its digits
    confirmed: str  # by the calculation: "raw", "cleaned", "both" or "neither"


def declare(note: Note, cleaned: list[LedgerRow]) -> list[DifferingReading]:
    """Claim every number of the raw OCR; return those that differ from their twins.

    The twins are among the rows of the `cleaned` notes.
    """
    by_line = defaultdict(list)
    for row in cleaned:
        by_line[row.line].append(row)
    path = Path(__file__).with_name("raw_ocr_readings.csv")
    with path.open(encoding="utf-8", newline="") as file:
        readings = {int(row["raw_line"]): row for row in csv.DictReader(file)}
    differing = []
    for line, numbers in note.numbers.items():
        if line not in readings:
            note.step = "text"
            note.unreadable(line, len(numbers), "misread letters or stray marks")
            continue
        twins = []
        for place in readings[line]["cleaned_lines"].split():
            cleaned_line, _, first = place.partition(":")
            twins += by_line[int(cleaned_line)][int(first or 0) :]
        marks = readings[line]["marks"] or "=" * len(numbers)
        differing += _read_line(note, line, twins, marks)
    return differing


def _read_line(
    note: Note, line: int, twins: list[LedgerRow], marks: str
) -> list[DifferingReading]:
    """Claim the numbers of a line; return those that differ from their twins."""
    remaining = iter(twins)
    differing = []
    for mark in marks:
        if mark == "?":  # has no twin
            note.step = "text"
            note.unreadable(line, what="misread letter or stray mark")
            continue
        twin = next(remaining)
        if mark == "_":
            continue
        note.step = twin.step
        if mark == "!" or twin.verdict == "unreadable":
            note.unreadable(line, what=f"damaged: {twin.quantity}")
        elif reading := _read_number(note, line, twin):
            differing.append(reading)
    return differing


def _read_number(note: Note, line: int, twin: LedgerRow) -> DifferingReading | None:
    """Claim a number; return it with its twin if their values or texts differ."""
    printed = note.next_number(line)
    if float(printed) == float(twin.printed):
        raw = note.same_as(line, twin)
        text = _AS_PRINTED.get((line, raw.position))
        return DifferingReading(raw, twin, text, "cleaned") if text else None
    # A number that the notes state without a calculation has no `chained`.
    meant = float(twin.printed) if twin.chained is None else twin.chained
    verdict = _verdict(twin, printed)
    raw = note.misread(line, twin, meant, verdict)
    text = _AS_PRINTED.get((line, raw.position), printed)
    return DifferingReading(raw, twin, text, _confirmed(verdict, twin.verdict))


def _confirmed(raw: Verdict, cleaned: Verdict) -> str:
    """Return which of two readings the calculation confirms, from their verdicts."""
    accepted = ("copy-faithful", "right", "inherited")
    raw_is_right = raw in accepted
    cleaned_is_right = cleaned in (*accepted, "input", "label")
    if raw_is_right and cleaned_is_right:
        return "both"
    if raw_is_right:
        return "raw"
    return "cleaned" if cleaned_is_right else "neither"


def _verdict(twin: LedgerRow, printed: str) -> Verdict:
    """Judge a reading that differs from its twin, by the twin's calculation."""
    if twin.chained is None or twin.source is None:
        return "copy-miscopied"
    if twin.kind == "copy":
        return judge_copy(printed, twin.chained)
    verdict = judge(printed, twin.chained, twin.source)
    return verdict if verdict in ("right", "inherited") else "copy-miscopied"
