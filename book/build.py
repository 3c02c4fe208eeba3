"""Build the book: ``python -m book.build``, which is what ``make book`` runs.

Jupyter Book alone serves old output after an edit under ``src/`` (its cache
knows only the notebooks), passes a build that a warning has broken when it is
run again, and takes seconds to find that nothing has changed. So this command
keeps two hashes of what went into the last good build:

* nothing changed: there is nothing to do;
* code, notes' data or dependencies changed: every notebook runs again;
* anything else changed: every page is written again, from cached results.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXECUTION = ("src", "requirements.lock")
PAGES = ("book", "chapters", "_config.yml", "_toc.yml", "*.md", "references.bib")
IGNORED_PARTS = {"__pycache__", ".ipynb_checkpoints", ".virtual_documents"}
KERNEL_NOISE = "Kernel is running over TCP without encryption"  # to this machine only
TOLD = (
    "REPOSITORY_URL",
    "REPOSITORY_REF",
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


def fingerprint(root: Path, patterns: Iterable[str], *words: str) -> str:
    """Hash the names and contents of files, and further `words`."""
    digest = hashlib.sha256(json.dumps(words).encode())
    for path in files_of(root, patterns):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def inputs(root: Path) -> dict[str, str]:
    """Hashes of everything that a build depends on."""
    told = [os.environ.get(name, "") for name in TOLD]
    return {
        "execution": fingerprint(root, EXECUTION, sys.version),
        "pages": fingerprint(root, PAGES, *told),
    }


def recorded(stamp: Path) -> dict[str, str]:
    """Hashes of the last good build; empty if there was none."""
    try:
        return json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def run(root: Path, *command: str) -> int:
    """Run a Python command on the book's own code; return its exit status."""
    paths = [str(root), str(root / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
    }
    with subprocess.Popen(
        [sys.executable, *command],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stderr:
            if KERNEL_NOISE not in line:
                print(line, end="", file=sys.stderr, flush=True)
    return process.returncode


def run_notebooks(root: Path, cache: Path) -> None:
    """Run every notebook anew, side by side if there are several."""
    shutil.rmtree(cache, ignore_errors=True)
    if len(list((root / "chapters").glob("*.ipynb"))) > 1:
        run(root, "-m", "book.execute", str(root), str(cache))


def run_jupyter_book(root: Path, build: Path, strict: bool = True) -> int:
    """Write every page, warnings being errors if `strict`; return the exit status."""
    return run(
        root,
        *("-c", "from jupyter_book.cli.main import main; main()"),
        *("build", str(root), "--path-output", str(build.parent)),
        *(("-W", "--keep-going") if strict else ()),
        *("--all", "-q"),
    )


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
    stamp.unlink(missing_ok=True)
    if now["execution"] != then.get("execution"):
        run_notebooks(root, build / ".jupyter_cache")
    shutil.rmtree(build / "html", ignore_errors=True)
    status = run_jupyter_book(root, build)
    if status:
        print("The book has errors: see above.", file=sys.stderr)
        return status
    stamp.write_text(json.dumps(now), encoding="utf-8")
    _say_where(door, "is built")
    return 0


def _say_where(door: Path, what: str) -> None:
    print(f"The book {what}: open {os.path.relpath(door)}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m book.build", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the book")
    return build_book(parser.parse_args(arguments).root.resolve())


if __name__ == "__main__":
    sys.exit(main())
