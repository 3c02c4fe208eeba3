"""What a drawn figure shows is said beside it: after it, as a rule, or before it."""

from pathlib import Path

import nbformat
import pytest

CHAPTERS = sorted((Path(__file__).resolve().parents[2] / "chapters").glob("*.ipynb"))
SAYS = ("say(", "table(")  # a cell with these displays sentences or a table


def draws(cell):
    return "alt" in cell.metadata.get("mystnb", {}).get("image", {})


def is_source(cell):
    """Whether a cell only folds away how something was measured."""
    return cell.source.startswith("how_measured(")


def speaks(cell, line):
    """Whether there are words at an end of a cell: its first line or its last."""
    if cell.cell_type == "markdown":
        return not cell.source.splitlines()[line].startswith("#")
    return any(name in cell.source for name in SAYS)


def has_words(cells, place):
    before = cells[place - 1]
    after = next(cell for cell in cells[place + 1 :] if not is_source(cell))
    return speaks(before, -1) or speaks(after, 0)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_drawn_figure_has_words_beside_it(path):
    cells = nbformat.read(path, as_version=4).cells
    figures = [place for place, cell in enumerate(cells) if draws(cell)]
    silent = [cells[place].source for place in figures if not has_words(cells, place)]
    assert silent == []
