"""Compare texts with records that a person has read: one file for each page or class.

If a text differs from its record, the test fails and shows the difference. If the
change is right, pytest's option ``--force-regen`` writes a new record, whose diff you
should read before you commit it (pytest-regressions).
"""

from collections.abc import Callable
from difflib import unified_diff
from operator import eq
from pathlib import Path

Agree = Callable[[str, str], bool]


def on_record(
    file_regression, record: Path, lines: list[str], agree: Agree = eq
) -> None:
    """Fail unless the lines are those on record; `agree` compares two lines."""
    __tracebackhide__ = True

    def compare(_: Path, record: Path) -> None:
        __tracebackhide__ = True
        recorded = record.read_text(encoding="utf-8").splitlines()
        now = as_recorded(lines, recorded, agree)
        changes = unified_diff(recorded, now, "on record", "now", lineterm="", n=1)
        if difference := "\n".join(changes):
            raise AssertionError(
                f"{record.name} differs (if the change is right: make records):\n"
                f"{difference}"
            )

    file_regression.check(
        "\n".join(lines) + "\n", encoding="utf-8", fullpath=record, check_fn=compare
    )


def as_recorded(lines: list[str], recorded: list[str], agree: Agree) -> list[str]:
    """Return the lines; a recorded line replaces each line that agrees with it."""
    known = set(recorded)
    return [
        line
        if line in known
        else next((each for each in recorded if agree(line, each)), line)
        for line in lines
    ]
