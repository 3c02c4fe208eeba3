"""The card of query gradients summarises the gradient norms that it gets."""

import numpy as np

from course.widgets import QueryGradients

UP = np.arange(1.0, 102)


def test_the_card_holds_the_median_and_the_middle_80_percent():
    norms = {(m, d): (UP / d, UP * m / d) for m in (2, 3) for d in (5, 7, 11)}
    card = QueryGradients(norms)
    assert card.widths == [5, 7, 11]
    assert [each["keys"] for each in card.found] == [2, 3]
    for each in card.found:
        for i, d in enumerate(card.widths):
            np.testing.assert_allclose(each["undivided"][i], np.array([11, 51, 91]) / d)
            by = each["keys"] / d
            np.testing.assert_allclose(each["divided"][i], np.array([11, 51, 91]) * by)


def test_the_reading_names_the_larger_median_and_the_share_of_tiny_gradients():
    few = np.concatenate([np.full(30, 1e-6), np.full(70, 1.0)])
    card = QueryGradients({(4, 8): (UP * 3, UP), (4, 16): (few / 9, UP)})
    assert card.reading() == (
        "With 4 keys the median without the division is larger at dₖ = 8 and smaller "
        "at 16. At dₖ = 16, without the division, 30% of the queries receive less than "
        "a hundredth of the mean gradient."
    )


def test_a_tiny_gradient_is_drawn_at_the_edge():
    card = QueryGradients({(4, 8): (UP * 0, UP)})
    assert card.found[0]["undivided"] == [[1e-9] * 3]
