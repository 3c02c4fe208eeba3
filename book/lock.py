"""Resolve the bounds of `requirements.txt` into the tested sets.

``python -m book.lock`` writes `requirements.lock` (everything) and
`.binder/requirements.txt` (what a running chapter needs, nothing else), both
for every supported Python and with hashes. It needs ``uv``.
"""

import subprocess
import sys

from book.build import ROOT

RUN_TIME_ENDS = "# the book"


def run_time(requirements: str) -> str:
    """Cut the first section out of the requirements: what a chapter needs."""
    section, marker, _ = requirements.partition(RUN_TIME_ENDS)
    if not marker:
        raise ValueError(f"requirements.txt has no line that starts {RUN_TIME_ENDS!r}")
    return section


def resolve(requirements: str, target: str) -> None:
    """Pin a set of requirements, with hashes, for Python 3.11 and later."""
    command = (
        "uv pip compile - --universal --python-version 3.11 --generate-hashes"
        " --no-header --no-annotate --no-strip-extras --upgrade --quiet --output-file"
    )
    subprocess.run(
        [sys.executable, "-m", *command.split(), target],
        input=requirements,
        text=True,
        check=True,
        cwd=ROOT,
    )


def main() -> None:
    """Write both locks."""
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    resolve(requirements, "requirements.lock")
    resolve(run_time(requirements), ".binder/requirements.txt")


if __name__ == "__main__":
    main()
