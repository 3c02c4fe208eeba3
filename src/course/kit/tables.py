"""Stored tables whose numbers are read as numbers."""

from functools import cache
from pathlib import Path

from transformer.stored_files import read_table

Cell = str | float
Row = dict[str, Cell]


@cache
def read(path: Path) -> list[Row]:
    """Read a table that `transformer.stored_files.write_table` wrote."""
    rows = read_table(path)
    return [{key: _cell(value) for key, value in row.items()} for row in rows]


def _cell(text: str) -> Cell:
    try:
        return float(text)
    except ValueError:
        return text
