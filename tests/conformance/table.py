"""The table of what is compared and what is left out, and why; the book shows it."""

import csv
from pathlib import Path


def rows(suite):
    """Return the numbers of a suite: cases, compared and left out, by group."""
    path = Path(__file__).with_name("conformance.csv")
    with path.open(encoding="utf-8", newline="") as file:
        table = [row for row in csv.DictReader(file) if row["suite"] == suite]
    return {
        row["group"]: tuple(
            int(row[name]) for name in ("cases", "compared", "left out")
        )
        for row in table
    }
