"""Small tables that a program writes and nobody edits: CSV with a digest above it."""

import csv
import hashlib
import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path

Cell = str | float
Row = dict[str, Cell]
_MARK = "# sha256 "


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write a table, and above it the digest of its content."""
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    content = text.getvalue()
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{_MARK}{_digest(content)}\n{content}", encoding="utf-8")
    read.cache_clear()


@cache
def read(path: Path) -> list[Row]:
    """Read a table; numbers are floats.

    Raises
    ------
    ValueError
        If the content does not match the digest above it.
    """
    first, _, content = path.read_text(encoding="utf-8").partition("\n")
    if first != _MARK + _digest(content):
        raise ValueError(f"{path.name} was changed by hand; a program writes it")
    table = csv.DictReader(io.StringIO(content))
    return [{key: _cell(value) for key, value in row.items()} for row in table]


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()


def _cell(text: str) -> Cell:
    try:
        return float(text)
    except ValueError:
        return text
