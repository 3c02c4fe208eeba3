"""Pin the version bounds of `requirements.txt` to exact versions.

``python -m book.lock`` writes `requirements.lock` (all requirements) and
`.binder/requirements.txt` (only what a running chapter needs). Both files hold
hashes and serve every supported Python. The command needs ``uv``.
"""

import subprocess
import sys

from book.build import ROOT

RUN_TIME_ENDS = "# the book"


def run_time(requirements: str) -> str:
    """Return the first section of the requirements: what a running chapter needs."""
    section, marker, _ = requirements.partition(RUN_TIME_ENDS)
    if not marker:
        raise ValueError(f"requirements.txt has no line that starts {RUN_TIME_ENDS!r}")
    return section


def resolve(requirements: str, target: str) -> None:
    """Write pinned requirements with hashes to `target`, for Python 3.11 and later."""
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
    """Write both files of pinned requirements."""
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    resolve(requirements, "requirements.lock")
    resolve(run_time(requirements), ".binder/requirements.txt")


if __name__ == "__main__":
    main()
