"""Copies of the course for tests that change it, and Python run in them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat

ROOT = Path(__file__).resolve().parents[2]
# Variables of a build whose site is published.
ENVIRONMENT = {
    "REPOSITORY_URL": "https://github.com/owner/name",
    "REPOSITORY_REF": "v1",
}
HALF_WRITTEN = "*.pyc.*"  # temporary; finished .pyc files are copied, to save time
NOT_SOURCE = (
    *(".git", ".venv", ".pytest_cache", ".ruff_cache", ".mypy_cache", ".hypothesis"),
    *("mutants", "_build", HALF_WRITTEN),
)


def copy_course(to: Path) -> Path:
    """Copy the source files of the course; return the path of the copy."""
    return shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*NOT_SOURCE))


def run_in(
    course: Path, *command: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a module in a copy of the course, as ``python -m`` does."""
    paths = os.pathsep.join([str(course / "src"), str(course)])
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=course,
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        text=True,
        timeout=170,
    )


# --- A book of one short chapter ----------------------------------------------------

TOC = "format: jb-book\nroot: intro\nchapters:\n  - file: chapters/01-tiny\n"
INTRO = (
    "# A tiny book\n\nIts first page.\n\n![One grey dot.](dot.png)\n\n"
    "```{bibliography}\n```\n"
)


def notebook(*cells: str) -> str:
    chapter = nbformat.v4.new_notebook()
    chapter.cells.append(nbformat.v4.new_markdown_cell("# Tiny\n\nA page."))
    chapter.cells.extend(nbformat.v4.new_code_cell(cell) for cell in cells)
    chapter.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    return nbformat.writes(chapter)


def write_tiny_book(to: Path) -> None:
    """Write a book of one chapter that shows one value of the course's package."""
    ignored = shutil.ignore_patterns(HALF_WRITTEN, "*.egg-info")
    for name in ("src", "book"):
        shutil.copytree(ROOT / name, to / name, ignore=ignored)
    for name in ("_config.yml", "requirements.lock"):
        shutil.copy(ROOT / name, to / name)
    files = {
        "_toc.yml": TOC,
        "intro.md": INTRO,
        "references.bib": "@misc{a, title={A}, author={B}, year={2000}}\n",
        "src/course/tiny.py": "VALUE = 4041\n",
        "chapters/01-tiny.ipynb": notebook(
            "from course.tiny import VALUE\nprint('value', VALUE)"
        ),
    }
    for name, text in files.items():
        path = to / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    plt.imsave(to / "dot.png", [[0.5]])
