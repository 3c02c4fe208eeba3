"""What was once read by a person, and is on record since."""

import os
from pathlib import Path


def on_record(record: Path, lines: list[str]) -> list[str]:
    """Give the lines of a record; on an author's machine, write one where none is."""
    if not record.exists() and not os.environ.get("CI"):
        record.parent.mkdir(exist_ok=True)
        record.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert record.exists(), f"{record} is missing: run this test, read it and commit it"
    return record.read_text(encoding="utf-8").splitlines()
