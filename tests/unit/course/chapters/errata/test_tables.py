"""The opening table of the errata, and the list of lost figures."""

import re

from committed import cells

from book.build import chapters
from course.ledger import lost_figures
from course.notes import APPLE


def test_bought_has_another_place_in_the_scores_of_head_3_than_the_errata_say():
    Q, K = (APPLE.X @ W[2] for W in (APPLE.W_Q, APPLE.W_K))
    bought, apple, eat = (APPLE.tokens.index(w) for w in ("bought", "apple", "eat"))
    assert (Q @ K.T)[apple].argmax() == bought
    printed = APPLE.printed["apple_scores"][2]
    assert (printed > printed[eat]).sum() == 2


def headings_and_cells(path):
    """Yield each cell of a chapter with the heading above the cell."""
    heading = ""
    for cell in cells(path):
        if cell.cell_type == "markdown":
            found = re.findall(r"^#{1,4} (.*)$", cell.source, re.MULTILINE)
            heading = found[-1] if found else heading
        yield heading, cell


def test_a_lost_figure_is_not_redrawn_in_its_listed_section():
    drawn = {
        int(tag.removeprefix("lost-")): heading
        for path in chapters("06")
        for heading, cell in headings_and_cells(path)
        for tag in cell.metadata.get("tags", [])
        if tag.startswith("lost-")
    }
    assert drawn == {n: f.section for n, f in enumerate(lost_figures(), start=1)}
