"""What a person once read, and what is on record since: one file a page or a class.

Where the record differs from what is there now, a test fails with the difference. Where
the change is meant, pytest's option ``--force-regen`` writes it into the record, which
is read as a diff before it is committed (pytest-regressions).
"""

from collections.abc import Callable
from difflib import unified_diff
from operator import eq
from pathlib import Path

Agree = Callable[[str, str], bool]


def on_record(
    file_regression, record: Path, lines: list[str], agree: Agree = eq
) -> None:
    """Demand that lines are those on record; `agree(line, recorded)` may be lenient."""
    __tracebackhide__ = True

    def compare(_: Path, record: Path) -> None:
        __tracebackhide__ = True
        recorded = record.read_text(encoding="utf-8").splitlines()
        now = leniently(lines, recorded, agree)
        changes = unified_diff(recorded, now, "on record", "now", lineterm="", n=1)
        if difference := "\n".join(changes):
            raise AssertionError(
                f"{record.name} says otherwise (if this is meant: make records):\n"
                f"{difference}"
            )

    file_regression.check(
        "\n".join(lines) + "\n", encoding="utf-8", fullpath=record, check_fn=compare
    )


def leniently(lines: list[str], recorded: list[str], agree: Agree) -> list[str]:
    """Give the lines as they are recorded, where they agree with a recorded one."""
    known = set(recorded)
    return [
        line
        if line in known
        else next((each for each in recorded if agree(line, each)), line)
        for line in lines
    ]
