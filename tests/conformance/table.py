"""The tables of what is compared and counted; the book shows them."""

import csv
from pathlib import Path


def read(name):
    """Return the rows of a table beside this file, by its column names."""
    path = Path(__file__).with_name(name)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows(suite):
    """Return the numbers of a suite: cases, compared and left out, by group."""
    return {
        row["what"]: tuple(int(row[name]) for name in ("cases", "compared", "left out"))
        for row in read("conformance.csv")
        if row["suite"] == suite
    }


def trust():
    """Return how many wrong and how many unusual calls the tests make."""
    return [int(row["how many"]) for row in read("trust.csv")][:2]
