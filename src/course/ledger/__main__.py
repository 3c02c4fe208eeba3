"""Write the ledger as a file: ``python -m course.ledger FILE``."""

import sys
from pathlib import Path

from course.ledger import CHECKED, as_csv, rows


def main(file: str) -> None:
    """Write every row into a file."""
    Path(file).write_text(as_csv(rows()), encoding="utf-8")
    checked = sum(row.verdict in CHECKED for row in rows())
    print(f"{len(rows()):,} numbers, {checked:,} of them recomputed: see {file}")


if __name__ == "__main__":
    main(*sys.argv[1:])
