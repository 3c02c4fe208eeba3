"""Stored results: every file with a digest beside it, and tables as CSV.

A program that stores results writes its files with `write_file`, which also writes the
file's SHA-256 digest into ``SHA256SUMS`` of the same folder. A test compares every
stored file with its digest, so it finds a digit that was changed by hand. The command
``sha256sum --check SHA256SUMS`` makes the same comparison.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

DIGESTS = "SHA256SUMS"
Row = Mapping[str, str | int | float | bool]
NumberRow = dict[str, float | str]


def write_file(path: Path, content: bytes) -> None:
    """Write a stored file and its digest."""
    path.write_bytes(content)
    known = digests(path.parent) | {path.name: sha256(content).hexdigest()}
    lines = [
        f"{digest}  {name}\n"
        for name, digest in sorted(known.items())
        if (path.parent / name).exists()
    ]
    (path.parent / DIGESTS).write_text("".join(lines), encoding="utf-8")


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each stored file of a folder, by the file's name."""
    path = folder / DIGESTS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def changed_files(folder: Path) -> list[str]:
    """Return the names of stored files that are missing or have another digest."""
    return [
        name
        for name, digest in digests(folder).items()
        if not (folder / name).exists()
        or sha256((folder / name).read_bytes()).hexdigest() != digest
    ]


def write_table(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as a CSV file; the names in the first row become the header."""
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write_file(path, text.getvalue().encode())


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def read_numbers(path: Path) -> list[NumberRow]:
    """Return the rows of a CSV file whose numbers are read as numbers."""
    return [
        {name: _number_or_text(text) for name, text in row.items()}
        for row in read_table(path)
    ]


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
