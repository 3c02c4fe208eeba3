"""Check an edit in seconds: ``python -m book.check``, which is `make check`.

First the command runs the tests of the files that differ from the last commit. Then it
runs all quick unit tests and checks the form of the notebooks. Then it runs the cells
of the notebooks that the next build would run again. ``python -m book.check 03`` checks
only the chapters whose file names begin with ``03``. A chapter that trains a model runs
only if it is named on the command line or its notebook has uncommitted changes.

`make test` checks the built book and the browser. Each core runs a share of the test
files in a separate pytest process, which is faster here than pytest-xdist. A share ends
at its first failure among the tests of edited files, and at the fifth among the others.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path, PurePosixPath

from book.build import ROOT, chapters, executions, folder_of, recorded

UNIT = "tests/unit"
NOTEBOOKS = ("tests/book/test_structure.py", "tests/book/test_names.py")
QUICK = ("-m", "not more and not slow and not weekly")
PLUGINS = ("xdist", "nbval", "cacheprovider", "logging")  # slow and not needed here
OFF = tuple(part for name in PLUGINS for part in ("-p", f"no:{name}"))  # no `PLUGINS`
TRAINS = {"chapters/07-translation.ipynb"}  # chapters that train for several seconds
NO_TESTS = 5  # pytest's exit status if a share holds no quick test


def differing(root: Path) -> list[str]:
    """List the files that differ from the last commit, and new files.

    The list is empty without git, as in a course that was downloaded as a zip file.
    """
    command = ["git", "status", "--porcelain", "--untracked-files=all", "--no-renames"]
    try:
        listed = subprocess.run(
            command, cwd=root, capture_output=True, text=True, check=True
        )
    except (FileNotFoundError, subprocess.CalledProcessError):
        return []
    return [line[3:] for line in listed.stdout.splitlines()]


def unit_tests(root: Path, folder: str = UNIT) -> list[str]:
    """List the files of unit tests below a folder."""
    found = sorted((root / folder).rglob("test_*.py"))
    return [path.relative_to(root).as_posix() for path in found]


def mirrors(root: Path, file: str) -> list[str]:
    """List a file's tests: itself, or tests named after the file or its folder."""
    path = PurePosixPath(file)
    if path.name.startswith("test_"):
        return [file] if (root / file).exists() and path.is_relative_to(UNIT) else []
    package = path.relative_to("src") if path.is_relative_to("src") else path
    folders = (UNIT / package.parent, UNIT / package.parent.parent)
    found = (
        test.relative_to(root).as_posix()
        for name in (path.stem.strip("_"), package.parent.name)
        for folder in folders
        for test in sorted((root / folder).glob("test_*.py"))
        if test.stem.endswith(f"_{name}")
    )
    return list(dict.fromkeys(found))


def shares(root: Path, files: Iterable[str], count: int) -> list[list[str]]:
    """Split files into at most `count` shares with about the same number of bytes."""
    size = {path: (root / path).stat().st_size for path in files}
    found: list[list[str]] = [[] for _ in range(count)]
    for path in sorted(size, key=size.__getitem__, reverse=True):
        min(found, key=lambda share: sum(map(size.__getitem__, share))).append(path)
    return [share for share in found if share]


def run_tests(root: Path, files: Iterable[str], *options: str) -> int:
    """Run the quick tests of files on every core; return a failed status or 0.

    The output of each share is printed when it ends; failed shares are printed last.
    """
    colour = ["--color=yes"] if sys.stdout.isatty() else []
    command = (sys.executable, "-m", "pytest", "-q", *QUICK, *OFF, *colour, *options)

    def run_share(share: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *share], cwd=root, stdout=subprocess.PIPE, text=True
        )

    failed = []
    with ThreadPoolExecutor() as pool:
        split = shares(root, files, os.cpu_count() or 1)
        for done in as_completed([pool.submit(run_share, share) for share in split]):
            result = done.result()
            if result.returncode in (0, NO_TESTS):
                print(result.stdout, end="", flush=True)
            else:
                failed.append(result)
    print(*(result.stdout for result in failed), sep="", end="", flush=True)
    return failed[0].returncode if failed else 0


def stale_notebooks(root: Path) -> list[str]:
    """List the chapters that the next build would run again."""
    at_last_build = recorded(root / "_build" / "inputs.json").get("execution", {})
    return [
        page
        for page, digest in executions(root).items()
        if page.endswith(".ipynb") and at_last_build.get(page) != digest
    ]


def tests_of(notebooks: list[str]) -> list[str]:
    """List the tests of some chapters."""
    folders = (folder_of(page).relative_to("src").as_posix() for page in notebooks)
    return [test for each in folders for test in unit_tests(ROOT, f"{UNIT}/{each}")]


def main(beginnings: list[str]) -> int:
    """Check the edit, or the named chapters; return the first failed status."""
    notebooks = [
        path.relative_to(ROOT).as_posix()
        for each in beginnings
        for path in chapters(each)
    ]
    if notebooks:
        edited_tests, other_tests = [], tests_of(notebooks)
    else:
        edited = differing(ROOT)
        mirroring = (test for file in edited for test in mirrors(ROOT, file))
        edited_tests = list(dict.fromkeys(mirroring))
        other_tests = [test for test in unit_tests(ROOT) if test not in edited_tests]
        stale = stale_notebooks(ROOT)
        left_out = TRAINS.intersection(stale).difference(edited)
        notebooks = [page for page in stale if page not in left_out]
        for page in sorted(left_out):
            print(f"Left out: {page}, which trains. `make check CHAPTER=07` runs it.")
    for title, files, option in (
        ("Tests of the edited files", edited_tests, "-x"),
        ("Other quick tests", [*other_tests, *NOTEBOOKS], "--maxfail=5"),
    ):
        if files:
            print(f"{title}:", flush=True)
            if status := run_tests(ROOT, files, option):
                return status
    command = (sys.executable, "-m", "book.run_cells", *notebooks)
    return subprocess.call(command, cwd=ROOT) if notebooks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
