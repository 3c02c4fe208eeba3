"""The tables that the book shows, and texts that are hard to cut into pieces."""

import csv
from pathlib import Path

HARD = (
    *("", " ", "   ", "\n\n", "\t a", "a  b   c", "it's I'll we've", "ÀÉÎ naïve"),
    *("日本語のテキスト", "🙂👩‍👩‍👧", "x=1;y=22;z=333", "<|im_end|>x", "<|endoftext|>"),
    *("e\u0301", "\u00a0nbsp", "½ ² ٣ 四", "$1,234.56", "CamelCaseWord", "--- ###"),
)


def read(name):
    """Return the rows of a table beside this file, by its column names."""
    path = Path(__file__).with_name(name)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows(suite):
    """Return how many cases each group of a suite has, compares and leaves out."""
    return {
        row["what"]: tuple(int(row[name]) for name in ("cases", "compared", "left out"))
        for row in read("conformance.csv")
        if row["suite"] == suite
    }


def trust():
    """Return the stored numbers of bad calls and of unusual calls in the tests."""
    return [int(row["how many"]) for row in read("trust.csv")]
