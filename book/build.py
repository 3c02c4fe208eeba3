"""Build the book: ``python -m book.build``, which is what ``make book`` runs.

Jupyter Book alone serves old output after an edit under ``src/`` (its cache
knows only the notebooks), passes a build that a warning has broken when it is
run again, and takes seconds to find that nothing has changed. So this command
keeps hashes of what went into the last good build:

* nothing changed: there is nothing to do;
* what a notebook imports changed: that notebook runs again. A notebook may import
  its own room (``src/course/chapters/<slug>``) and all of ``src`` outside the rooms
  (but for the views of widgets, which a page takes from their source);
* anything else changed: every page is written again, from cached results.

What ran well is noted at once: a broken link does not make it run again.
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
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from book.formulas.site import of_site
from book.reading_time import chapter_times
from book.repository import Repository

ROOT = Path(__file__).resolve().parent.parent
SHARED = ("src", "requirements.lock")
ROOMS = Path("src/course/chapters")
VIEWS = ("src/**/*.js", "src/**/*.css")  # run in no notebook: see `book.widgets`
PAGES = ("book", "chapters", "_config.yml", "_toc.yml", "*.md", "references.bib")
READS_EVERY_ROOM = "what-is-measured.md"  # it measures every chapter's claims again
IGNORED_PARTS = {"__pycache__", ".ipynb_checkpoints", ".virtual_documents"}
KERNEL = "\nkernelspec:"  # in the head of a Markdown page that has code to run
KERNEL_NOISE = "Kernel is running over TCP without encryption"  # to this machine only
TOLD = (
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


def fingerprint(
    root: Path, patterns: Iterable[str], *words: str, leave_out: Iterable[str] = ()
) -> str:
    """Hash the names and contents of files, and further `words`."""
    digest = hashlib.sha256(json.dumps(words).encode())
    left_out = {path for pattern in leave_out for path in root.glob(pattern)}
    for path in files_of(root, patterns):
        if path in left_out:
            continue
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def executed_pages(root: Path) -> list[str]:
    """List the pages with code to run: the chapters, and Markdown with a kernel."""
    texts = [path for path in root.glob("*.md") if KERNEL in path.read_text("utf-8")]
    pages = [*texts, *(root / "chapters").glob("*.ipynb")]
    return sorted(path.relative_to(root).as_posix() for path in pages)


def chapters(beginning: str = "", folder: Path = ROOT / "chapters") -> list[Path]:
    """List the notebooks of a folder, or those whose file's name begins so.

    Raises
    ------
    ValueError
        If there is none.
    """
    found = sorted(folder.glob(f"{beginning}*.ipynb"))
    if not found:
        raise ValueError(f"no notebook in chapters/ begins with {beginning!r}")
    return found


def room_of(page: str) -> Path:
    """Name the folder that is a page's own: of ``01-a-b``, the room ``a_b``."""
    if page == READS_EVERY_ROOM:
        return ROOMS
    slug = re.sub(r"^\d+b?-", "", Path(page).stem)
    return ROOMS / slug.replace("-", "_")


def executions(root: Path) -> dict[str, str]:
    """Hash, for each page with code, everything that its results depend on."""
    rooms = f"{ROOMS.as_posix()}/*/**/*"
    shared = fingerprint(root, SHARED, sys.version, leave_out=(rooms, *VIEWS))
    return {
        page: fingerprint(root, [page, room_of(page).as_posix()], shared)
        for page in executed_pages(root)
    }


def inputs(root: Path) -> dict[str, Any]:
    """Hashes of everything that a build depends on."""
    told = [os.environ.get(name, "") for name in TOLD]
    return {
        "execution": executions(root),
        "pages": fingerprint(root, (*PAGES, *VIEWS), *told),
    }


def recorded(stamp: Path) -> dict[str, Any]:
    """Hashes of the last good build; empty if there was none."""
    try:
        return json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def run(root: Path, *command: str) -> tuple[int, str]:
    """Run Python on the book's own code; return its exit status and its output."""
    paths = [str(root), str(root / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
    }
    with subprocess.Popen(
        [sys.executable, *command],
        env=environment,
        stdout=(output := tempfile.TemporaryFile("w+")),
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stderr:
            if KERNEL_NOISE not in line:
                print(line, end="", file=sys.stderr, flush=True)
    with output:
        output.seek(0)
        return process.returncode, output.read()


def run_pages(root: Path, cache: Path, pages: list[str]) -> list[str]:
    """Run these pages anew, side by side; return those that ran to their end."""
    status, output = run(root, "-m", "book.execute", str(root), str(cache), *pages)
    if status:  # old results may still be there, which Jupyter Book would serve
        raise RuntimeError(f"the pages could not be run anew: {', '.join(pages)}")
    return output.split()


def run_jupyter_book(root: Path, build: Path, strict: bool = True) -> int:
    """Write every page, warnings being errors if `strict`; return the exit status."""
    status, _ = run(
        root,
        *("-c", "from jupyter_book.cli.main import main; main()"),
        *("build", str(root), "--path-output", str(build.parent)),
        *(("-W", "--keep-going") if strict else ()),
        *("--all", "-q"),
    )
    return status


def bring_up_to_date(
    root: Path, build: Path, now: dict[str, str], then: dict[str, str]
) -> dict[str, str]:
    """Run what is stale; return the hashes of all pages that are not stale now."""
    stale = [page for page, digest in now.items() if then.get(page) != digest]
    ran = run_pages(root, build / ".jupyter_cache", stale) if stale else []
    return {
        page: digest for page, digest in now.items() if page in ran or page not in stale
    }


def build_book(root: Path = ROOT) -> int:
    """Bring ``_build/html`` up to date.

    Parameters
    ----------
    root : Path
        Folder that holds ``_config.yml``.

    Returns
    -------
    int
        Exit status: 0 only if every cell ran and nothing was warned about.
    """
    build = root / "_build"
    stamp = build / "inputs.json"
    now, then = inputs(root), recorded(stamp)
    door = build / "html" / "index.html"
    if now == then and door.exists():
        _say_where(door, "is up to date")
        return 0
    build.mkdir(exist_ok=True)
    fresh = bring_up_to_date(root, build, now["execution"], then.get("execution", {}))
    stamp.write_text(json.dumps({"execution": fresh}), encoding="utf-8")
    shutil.rmtree(build / "html", ignore_errors=True)
    status = run_jupyter_book(root, build)
    if status:
        print("The book has errors: see above.", file=sys.stderr)
        return status
    if Repository.told():  # pages link to the copies for GitHub and Colab
        status, _ = run(root, "-m", "book.readable", "--root", str(root))
        if status:
            return status
    stamp.write_text(json.dumps(now), encoding="utf-8")
    _say_where(door, "is built")
    return 0


def _say_where(door: Path, what: str) -> None:
    print(f"The book {what}: open {os.path.relpath(door)}")


def say_unset(site: Path) -> None:
    """Name the formulas that no author has set, and what sets them."""
    missing = of_site(site, only_unset=True)
    for formula, page in missing.items():
        print(f"{page} shows a formula as LaTeX: {formula.latex}", file=sys.stderr)
    if missing:
        print("`make formulas` sets such formulas; it needs Chromium.", file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m book.build", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the book")
    root = parser.parse_args(arguments).root.resolve()
    status = build_book(root)
    say_unset(root / "_build" / "html")
    print(chapter_times(root / "_build" / "html"))
    return status


if __name__ == "__main__":
    sys.exit(main())
