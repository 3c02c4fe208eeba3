"""Check what an edit can have broken: ``python -m book.check``, which is `make check`.

The unit tests that import what differs from the last commit (all, where nothing
does); the notebooks as they are written; and those run whose chapters differ, or that
are named by how their files begin.
What takes longer (the built book, a browser) is left to `make test`.

Each core runs a share of the files in a pytest of its own. Workers of pytest-xdist
would each collect all files and send word of every test, which takes a quarter longer.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from book.affected import affected_tests, unit_tests
from book.build import ROOT, chapters, executed_pages, room_of

NOTEBOOKS = ("tests/book/test_structure.py", "tests/book/test_names.py")
NO_NBVAL = ("-p", "no:nbval")  # it takes half a second to load
ONCE = ("-m", "not more")  # no question twice: see `tests/unit/attention/repeats.py`
ALONE = ("-p", "no:xdist", "-p", "no:cacheprovider")  # one cache cannot serve two
NO_TESTS = 5  # pytest's exit status where nothing of a share is asked


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


def shares(root: Path, tests: list[str], count: int) -> list[list[str]]:
    """Share files of tests out, the largest first, to whoever has the fewest bytes."""
    size = {path: (root / path).stat().st_size for path in tests}
    found: list[list[str]] = [[] for _ in range(count)]
    for path in sorted(tests, key=size.__getitem__, reverse=True):
        min(found, key=lambda share: sum(map(size.__getitem__, share))).append(path)
    return [share for share in found if share]


def run(root: Path, tests: list[str], *options: str) -> int:
    """Run tests on every core, print what each says; give the status of who failed."""
    command = [sys.executable, "-m", "pytest", "-q", *ONCE, *ALONE, *options]
    command += ["--color=yes"] if sys.stdout.isatty() else []

    def run_share(share: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *share], cwd=root, stdout=subprocess.PIPE, text=True
        )

    statuses = []
    with ThreadPoolExecutor() as pool:
        of_cores = shares(root, tests, os.cpu_count() or 1)
        for done in as_completed([pool.submit(run_share, share) for share in of_cores]):
            sys.stdout.write(done.result().stdout)
            statuses.append(done.result().returncode)
    return next((status for status in statuses if status not in (0, NO_TESTS)), 0)


def main(beginnings: list[str]) -> int:
    """Run the tests; return pytest's exit status."""
    named = [path for each in beginnings for path in chapters(each)]
    notebooks = [path.relative_to(ROOT).as_posix() for path in named]
    files = [*differing(ROOT), *notebooks]
    notebooks = notebooks or changed_chapters(ROOT, files)
    units = affected_tests(ROOT, files) if files else unit_tests(ROOT)
    spared = () if notebooks else NO_NBVAL
    return run(ROOT, [*notebooks, *units, *NOTEBOOKS], *spared)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
