"""Check what an edit can have broken: ``python -m book.check``, which is `make check`.

The unit tests that import what differs from the last commit (all, where nothing
does); the notebooks as they are written; and those run whose chapters differ, or that
are named by how their files begin.
What takes longer (the built book, a browser) is left to `make test`.
"""

import subprocess
import sys
from pathlib import Path

from book.affected import UNIT, affected_tests
from book.build import ROOT, chapters, executed_pages, room_of

NOTEBOOKS = ("tests/book/test_structure.py", "tests/book/test_names.py")
NO_NBVAL = ("-p", "no:nbval")  # it takes half a second in each worker
ONCE = ("-m", "not more")  # no question twice: see `tests/unit/attention/repeats.py`
WORKERS = ("-n", "logical", "--dist", "loadfile", "--no-loadscope-reorder")


def differing(root: Path) -> list[str]:
    """List the files that differ from the last commit, new ones included."""
    listed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all", "--no-renames"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line[3:] for line in listed.stdout.splitlines()]


def changed_chapters(root: Path, files: list[str]) -> list[str]:
    """Of `files`, find the chapters whose notebook or whose room is among them."""
    notebooks = [page for page in executed_pages(root) if page.endswith(".ipynb")]
    return [
        page
        for page in notebooks
        if page in files or any(room_of(page) in Path(file).parents for file in files)
    ]


def main(beginnings: list[str]) -> int:
    """Run the tests; return pytest's exit status."""
    named = [path for each in beginnings for path in chapters(each)]
    notebooks = [path.relative_to(ROOT).as_posix() for path in named]
    files = [*differing(ROOT), *notebooks]
    notebooks = notebooks or changed_chapters(ROOT, files)
    units = affected_tests(ROOT, files) if files else [UNIT]
    spared = () if notebooks else NO_NBVAL
    command = [sys.executable, "-m", "pytest", "-q", *ONCE, *WORKERS, *spared]
    return subprocess.call([*command, *notebooks, *units, *NOTEBOOKS], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
