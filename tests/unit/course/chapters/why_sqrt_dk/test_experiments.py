"""Compare experiments of chapter 2 with derivatives and closed forms.

The register of claims checks gradients and starting weights at more sizes.
"""

import numpy as np
import pytest

from attention import softmax
from course.chapters.why_sqrt_dk import experiments


def test_the_spread_of_random_scores_is_not_sqrt_d_k():
    rows = experiments.score_rows(16, m=7, rows=3000)
    assert rows.shape == (3000, 7)
    assert rows.std() == pytest.approx(4, rel=0.03)


def test_a_query_gradient_differs_from_finite_differences():
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((20, 3)), rng.standard_normal((7, 3))
    above = rng.standard_normal((20, 7))

    def loss(q, scale):
        return above[0] @ softmax(scale * (key @ q))

    steps = 1e-6 * np.eye(3)
    found = experiments.query_gradients(3, m=7, sequences=1)
    for norms, scale in ((found.undivided, 1), (found.divided, 3**-0.5)):
        ends = [loss(query[0] + s, scale) - loss(query[0] - s, scale) for s in steps]
        assert norms[0] == pytest.approx(np.linalg.norm(ends) / 2e-6, rel=1e-6)


def test_broken_assumptions_give_other_spreads_than_the_page_says():
    spreads = list(experiments.unusual_spreads(64, count=4000).values())
    np.testing.assert_allclose(spreads, [1, 4, 8, 1, np.sqrt(2)], rtol=0.06)
    assert spreads[3] == pytest.approx(spreads[0])
