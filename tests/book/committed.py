"""The pages as they are committed: notebooks of the chapters, and Markdown files."""

from functools import cache
from pathlib import Path

import nbformat
import pytest

from book.build import ROOT, chapters

GUIDES = ("README.md", "CONTRIBUTING.md", "DEVELOPING.md")  # not pages of the site
CHAPTERS = chapters()
PAGES = [*CHAPTERS, *(path for path in ROOT.glob("*.md") if path.name not in GUIDES)]
each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


@cache
def cells(path: Path) -> list[nbformat.NotebookNode]:
    """Return the cells of a notebook."""
    return nbformat.read(path, as_version=4).cells


def sources(path: Path, kind: str) -> list[str]:
    """Return the sources of a notebook's cells of one kind, "markdown" or "code"."""
    return [cell.source for cell in cells(path) if cell.cell_type == kind]
