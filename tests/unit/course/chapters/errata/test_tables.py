"""The opening table of the errata, and the list of lost figures."""

import re

import numpy as np
from committed import cells

from book.build import chapters
from course.ledger import lost_figures, rows
from course.notes import APPLE


def test_weights_of_head_3_do_not_follow_from_the_page_s_exponentials():
    exponentials = APPLE.printed["apple_exp"][2]
    own = exponentials / exponentials.sum()
    np.testing.assert_allclose(own, [0.163, 0.272, 0.283, 0.107, 0.176], atol=5e-4)
    name = re.compile(r"weights3\[apple\]\[\w+\] in the list")
    listed = [r for r in rows("apple-walkthrough") if name.match(r.quantity)]
    np.testing.assert_allclose(own, [r.chained for r in listed], atol=5e-4)


def test_a_printed_row_of_weights_passes_the_sum_and_order_tests():
    page = APPLE.printed
    sums = abs(page["weights"].sum(axis=-1) - 1) > 0.002
    order = np.argsort(page["scores"], axis=-1) != np.argsort(page["weights"], axis=-1)
    assert (sums.sum(), (order.any(axis=-1) & ~sums).sum()) == (12, 3)  # of 15 rows


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
