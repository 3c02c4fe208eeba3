"""The notebooks of the chapters, as they are committed."""

from functools import cache
from pathlib import Path

import nbformat
import pytest

from book.build import chapters

CHAPTERS = chapters()
each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


@cache
def cells(path: Path) -> list[nbformat.NotebookNode]:
    """Return the cells of a notebook."""
    return nbformat.read(path, as_version=4).cells


def sources(path: Path, kind: str) -> list[str]:
    """Return the sources of a notebook's cells of one kind, "markdown" or "code"."""
    return [cell.source for cell in cells(path) if cell.cell_type == kind]
