"""Every drawn figure has words directly after it or before it."""

import nbformat
import pytest

from book.build import chapters

SAYS = ("say(", "table(")  # a cell with these displays sentences or a table


def draws(cell):
    return "alt" in cell.metadata.get("mystnb", {}).get("image", {})


def is_source(cell):
    """Whether a cell only shows folded source code, by `how_measured`."""
    return cell.source.startswith("how_measured(")


def speaks(cell, line):
    """Whether a cell shows words; a heading at `line` of Markdown does not count."""
    if cell.cell_type == "markdown":
        return not cell.source.splitlines()[line].startswith("#")
    return any(name in cell.source for name in SAYS)


def has_words(cells, place):
    before = cells[place - 1]
    after = next(cell for cell in cells[place + 1 :] if not is_source(cell))
    return speaks(before, -1) or speaks(after, 0)


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_every_drawn_figure_has_words_beside_it(path):
    cells = nbformat.read(path, as_version=4).cells
    figures = [place for place, cell in enumerate(cells) if draws(cell)]
    silent = [cells[place].source for place in figures if not has_words(cells, place)]
    assert silent == []
