"""Build the book: ``python -m book.build``, which is what ``make book`` runs.

Jupyter Book alone shows old results after an edit under ``src/``, since its cache knows
only the notebooks. So this command stores hashes of all that the last build used:

* Nothing changed: no page runs or is written.
* The code of a page changed, or a file that the page may import: the page runs again. A
  page may import its own folder (``src/course/chapters/<slug>``) and all of ``src``
  outside the chapters' folders. Views of widgets do not count: no notebook runs them.
* Settings (`SETTINGS`, `ENVIRONMENT`) or the day changed: every page is written again,
  from cached results.
* Anything else changed: Sphinx writes the pages that changed, and `book.extension` adds
  the pages that show a part of them. The site is the same as after a clean build.

A build goes on after a broken cell, so that one report lists all problems. If a page
fails, the pages that ran well need not run again.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from book import report
from book.formulas.site import of_site
from book.repository import Repository

ROOT = Path(__file__).resolve().parent.parent
SHARED = ("src", "requirements.lock")  # every page with code depends on these
CHAPTER_FOLDERS = Path("src/course/chapters")
VIEWS = ("src/**/*.js", "src/**/*.css")  # run in no notebook: see `book.widgets`
SETTINGS = (
    *("book", "src", "pyproject.toml", "requirements.lock"),
    *("_config.yml", "_toc.yml", "references.bib"),
)
PAGES = (*SETTINGS, "chapters", "*.md")
# A change of these files of `SETTINGS` does not concern every page.
NO_SETTINGS = ("**/*.js", "**/*.css", f"{CHAPTER_FOLDERS.as_posix()}/**/*")
IGNORED_PARTS = {"__pycache__", ".ipynb_checkpoints", ".virtual_documents"}
_CODE_CELL = re.compile(r"^---\n.*?^---$|^```\{code-cell.*?^```$", re.M | re.S)
RAISES = "raises-exception"  # the tag of a cell that may fail
KERNEL = "\nkernelspec:"  # in the head of a Markdown page that has code to run
ENVIRONMENT = (  # environment variables that the pages depend on
    "REPOSITORY_URL",
    "REPOSITORY_REF",
    "SITE_URL",
    "SITE_BRANCH",
    "GITHUB_SERVER_URL",
    "GITHUB_REPOSITORY",
    "GITHUB_REF_NAME",
)


def files_of(root: Path, patterns: Iterable[str]) -> list[Path]:
    """List the files that `patterns` name under `root`, in a fixed order."""
    found = set()
    for pattern in patterns:
        for path in root.glob(pattern):
            found.update(path.rglob("*") if path.is_dir() else [path])
    return sorted(
        path
        for path in found
        if path.is_file() and not IGNORED_PARTS.intersection(path.parts)
        if not any(part.endswith(".egg-info") for part in path.parts)
    )


@cache
def _digest_of(path: Path, _changed: int, _size: int) -> bytes:
    """Return a file's hash; cached, because several fingerprints contain a file."""
    return hashlib.sha256(path.read_bytes()).digest()


def fingerprint(
    root: Path, patterns: Iterable[str], *words: str, leave_out: Iterable[str] = ()
) -> str:
    """Return a hash of the names and contents of files, and of further `words`."""
    digest = hashlib.sha256(json.dumps(words).encode())
    left_out = {path for pattern in leave_out for path in root.glob(pattern)}
    for path in files_of(root, patterns):
        if path in left_out:
            continue
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        state = path.stat()
        digest.update(_digest_of(path, state.st_mtime_ns, state.st_size))
    return digest.hexdigest()


def pages_of(root: Path) -> list[str]:
    """List the pages of the book, whether code runs on them or not."""
    pages = [*root.glob("*.md"), *(root / "chapters").glob("*.ipynb")]
    return [path.relative_to(root).as_posix() for path in pages]


def executed_pages(root: Path) -> list[str]:
    """List the pages with code to run: the chapters, and Markdown with a kernel."""
    texts = [path for path in root.glob("*.md") if KERNEL in path.read_text("utf-8")]
    pages = [*texts, *(root / "chapters").glob("*.ipynb")]
    return sorted(path.relative_to(root).as_posix() for path in pages)


def chapters(beginning: str = "", folder: Path = ROOT / "chapters") -> list[Path]:
    """List the notebooks whose names begin so; if there are none, end the program."""
    found = sorted(folder.glob(f"{beginning}*.ipynb"))
    if not found:
        sys.exit(f"No notebook in chapters/ begins with {beginning!r}.")
    return found


def folder_of(page: str) -> Path:
    """Return a page's code folder: ``x_y`` for ``01-x-y``, ``01b-x-y``, ``x-y-b``."""
    slug = re.sub(r"^\d+[a-z]?-|-b$", "", Path(page).stem)
    return CHAPTER_FOLDERS / slug.replace("-", "_")


def code_of(path: Path) -> str:
    """Return the parts of a page that run: its code cells and its kernel's name."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return "\n".join(_CODE_CELL.findall(text))
    notebook = json.loads(text)
    cells = [
        ["".join(cell["source"]), RAISES in cell["metadata"].get("tags", [])]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]
    return json.dumps([notebook["metadata"].get("kernelspec", {}).get("name"), cells])


def executions(root: Path) -> dict[str, str]:
    """Return, for each page with code, a hash of all that its results depend on."""
    folders = f"{CHAPTER_FOLDERS.as_posix()}/*/**/*"
    shared = fingerprint(root, SHARED, sys.version, leave_out=(folders, *VIEWS))
    return {
        page: fingerprint(
            root, [folder_of(page).as_posix()], page, code_of(root / page), shared
        )
        for page in executed_pages(root)
    }


def inputs(root: Path) -> dict[str, Any]:
    """Return hashes of everything that a build depends on."""
    environment = [os.environ.get(name, "") for name in ENVIRONMENT]
    return {
        "execution": executions(root),
        "pages": fingerprint(root, PAGES, *environment),
        "settings": fingerprint(root, SETTINGS, *environment, leave_out=NO_SETTINGS),
    }


def today() -> str:
    """Return a text that changes with the footer's date."""
    stated = os.environ.get("SOURCE_DATE_EPOCH")
    return stated or time.strftime("%Y-%m-%d")


def recorded(stamp: Path) -> dict[str, Any]:
    """Return the hashes of the last build; empty if there was none."""
    try:
        return json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def run(
    root: Path, *command: str, verbose: bool = True, **environment: str
) -> tuple[int, str, str]:
    """Run a Python command that can import the book's own code.

    Return its exit status, its output and its error output. If `verbose`, the error
    output is printed at once, and the last string is empty.
    """
    paths = [str(root), str(root / "src"), os.environ.get("PYTHONPATH", "")]
    paths = [path for path in paths if path]
    # The output goes to files: a kernel may outlive the command and keep a pipe open.
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        done = subprocess.run(
            [sys.executable, *command],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
            stdout=output,
            stderr=None if verbose else errors,
        )
        for file in (output, errors):
            file.seek(0)
        return done.returncode, output.read(), errors.read()


def run_pages(
    root: Path, cache: Path, pages: list[str], verbose: bool = False
) -> tuple[list[str], list[dict[str, Any]]]:
    """Run these pages anew, in parallel.

    Return the pages that ran to their end, and for each other page the fields of its
    `book.execute.Failure`.
    """
    command = ("-m", "book.execute", str(root), str(cache), *pages)
    status, output, errors = run(root, *command, verbose=verbose)
    if status:  # do not go on: Jupyter Book could use old results from its cache
        raise RuntimeError(f"the pages could not be run anew: {errors}")
    result = json.loads(output)
    return result["ran"], result["failed"]


def run_jupyter_book(
    root: Path,
    build: Path,
    every_page: bool = True,
    broken: Iterable[str] = (),
    verbose: bool = False,
) -> tuple[list[report.Problem] | None, str]:
    """Write the changed pages, or every page; write `broken` pages without results.

    Return Sphinx's warnings (None if an error ended the build) and its error output.
    If `verbose`, the output is printed, and the text is empty.
    """
    problems = build / report.FILE
    problems.unlink(missing_ok=True)
    _, _, said = run(
        root,
        *("-c", "from jupyter_book.cli.main import main; main()"),
        *("build", str(root), "--path-output", str(build.parent)),
        *(("--all",) if every_page else ()),
        "-q",
        verbose=verbose,
        **{report.BROKEN_PAGES: json.dumps(list(broken))},
    )
    return report.read(problems), said


def bring_up_to_date(
    root: Path,
    build: Path,
    now: dict[str, str],
    then: dict[str, str],
    verbose: bool = False,
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Run the pages whose hash `now` differs from the hash of the last build, `then`.

    Return the hashes of all pages that are up to date now, and for each other page the
    fields of its `book.execute.Failure`.
    """
    stale = [page for page, digest in now.items() if then.get(page) != digest]
    ran, failed = [], []
    if stale:
        read_again(build, stale)
        ran, failed = run_pages(root, build / ".jupyter_cache", stale, verbose)
    fresh = {
        page: digest for page, digest in now.items() if page in ran or page not in stale
    }
    return fresh, failed


def read_again(build: Path, pages: Iterable[str]) -> None:
    """Make the next build read and write these pages, even if they did not change."""
    for page in pages:
        doctree = build / ".doctrees" / Path(page).with_suffix(".doctree")
        doctree.unlink(missing_ok=True)


def build_book(root: Path = ROOT, verbose: bool = False) -> int:
    """Bring ``_build/html`` up to date.

    Return the exit status: 0 only if every cell ran and Sphinx gave no warning. If
    `verbose`, print tracebacks and all that Sphinx says.
    """
    build = root / "_build"
    stamp = build / "inputs.json"
    now, then = inputs(root), recorded(stamp)
    index = build / "html" / "index.html"
    day = then.pop("day", None)
    if now == then and index.exists():
        _say_where(index, "is up to date")
        return 0
    build.mkdir(exist_ok=True)
    fresh, failed = bring_up_to_date(
        root, build, now["execution"], then.get("execution", {}), verbose
    )
    every_page = then.get("settings") != now["settings"] or day != today()
    _write(stamp, execution=fresh)
    if every_page:
        for folder in ("html", ".doctrees"):
            shutil.rmtree(build / folder, ignore_errors=True)
    broken = [failure["page"] for failure in failed]
    problems, said = run_jupyter_book(root, build, every_page, broken, verbose)
    at_fault = [problem.page for problem in problems or ()]
    if problems is not None and all(page in pages_of(root) for page in at_fault):
        # Sphinx repeats a warning only if it reads and writes the page again.
        read_again(build, at_fault)
        _write(stamp, execution=fresh, settings=now["settings"], day=today())
    if problems is None or problems or failed:
        _say_what_is_wrong(failed, problems, said, verbose)
        return 1
    if Repository.from_environment():  # pages link to the copies for GitHub and Colab
        status, _, _ = run(root, "-m", "book.readable", "--root", str(root))
        if status:
            return status
    _write(stamp, **now, day=today())
    _say_where(index, "is built")
    return 0


def _write(stamp: Path, **hashes: Any) -> None:
    stamp.write_text(json.dumps(hashes), encoding="utf-8")


def _say_what_is_wrong(
    failed: list[dict[str, Any]],
    problems: list[report.Problem] | None,
    said: str,
    verbose: bool,
) -> None:
    """Print tracebacks if `verbose`, then the report as the last lines."""
    if verbose:
        for failure in failed:
            print(failure["traceback"], file=sys.stderr)
    if problems is None:  # Sphinx stopped: the end of its output names the error
        last = report.last_error(said)
        problems = [report.Problem("", "", f"Sphinx stopped: {last}", is_link=False)]
    print(report.written(failed, problems), file=sys.stderr)


def _say_where(index: Path, what: str) -> None:
    print(f"The book {what}: open {os.path.relpath(index)}")


def say_unset(site: Path) -> None:
    """Print the formulas that the table lacks, and the command that sets them."""
    missing = of_site(site, only_unset=True)
    for formula, page in missing.items():
        print(f"{page} shows a formula as LaTeX: {formula.latex}", file=sys.stderr)
    if missing:
        print("`make formulas` sets such formulas; it needs Chromium.", file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    """Build the book and add the model; print unset formulas and reading times."""
    parser = argparse.ArgumentParser(prog="python -m book.build", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the book")
    parser.add_argument("--verbose", action="store_true", help="show tracebacks")
    asked = parser.parse_args(arguments)
    root = asked.root.resolve()
    status = build_book(root, asked.verbose)
    if status == 0:
        say_unset(root / "_build" / "html")
        # Imported here: both take half a second, and other commands import this module.
        from book import model
        from book.reading_time import chapter_times

        model.write(root / "_build" / "html")
        print(chapter_times(root / "_build" / "html"))
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # the reader stops the build by Ctrl+C
        sys.exit(130)
