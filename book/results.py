"""Print the results of a class as one table: ``python -m book.results class/*.csv``.

Each file is a table of results that the page *Your progress* saved for one student. The
file's name, without its ending, becomes the student's name.
"""

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path

SAVED = ["page", "question", "answer", "first", "verdict", "first_verdict"]
TABLE = ["student", "page", "answered", "right", "right_at_first"]


def rows_of(file: Path) -> Iterator[list[str | int]]:
    """Yield a table row for each page: the counts of a student's answers."""
    with file.open(encoding="utf-8-sig", newline="") as opened:
        saved = csv.DictReader(opened)
        if saved.fieldnames != SAVED:
            raise ValueError(
                f"{file} must be a file from “Save results” on “Your progress”, "
                f"with the columns {SAVED}, got {saved.fieldnames}"
            )
        answers = list(saved)
    for page in dict.fromkeys(answer["page"] for answer in answers):
        on_page = [answer for answer in answers if answer["page"] == page]
        right, first = (
            sum(answer[verdict] == "right" for answer in on_page)
            for verdict in ("verdict", "first_verdict")
        )
        yield [file.stem, page, len(on_page), right, first]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table as CSV."""
    parser = argparse.ArgumentParser(prog="results", description=__doc__)
    parser.add_argument("files", nargs="*", help="the students' files")
    asked = parser.parse_args(arguments).files
    # On Windows the shell does not replace class/*.csv by the names of the files.
    files = [Path(name) for each in asked for name in sorted(glob(each)) or [each]]
    if not files:
        sys.exit(f'FILES must name the students\' files, as "class/*.csv", got {asked}')
    try:
        rows = [row for file in files for row in rows_of(file)]
    except OSError as error:
        sys.exit(f"{error.filename} cannot be read: {error.strerror}")
    except ValueError as error:
        sys.exit(str(error))
    # On Windows stdout itself writes "\n" as "\r\n".
    csv.writer(sys.stdout, lineterminator="\n").writerows([TABLE, *rows])


if __name__ == "__main__":
    main()
