"""Every figure of chapter 2 can be drawn, holds its labels and our colours."""

import numpy as np
import pytest

from course.chapters.why_sqrt_dk import experiments, figures, training
from course.kit import look

D = [1, 4, 16, 64]
RAW = experiments.saturation(D, 8, 10)
SPREADS = np.linspace(0.1, 5, 5)

FIGURES = {
    "divisors": lambda: figures.divisors(
        D, dict.fromkeys(experiments.DIVISORS, RAW["largest"]), 8
    ),
    "two_keys": figures.two_keys,
    "norm_by_spread": lambda: figures.norm_by_spread(
        SPREADS, {m: SPREADS / (m + 12) for m in (2, 3, 8, 64)}, SPREADS[:, None] / 9
    ),
    "learning_rates": lambda: figures.learning_rates(training.stored_sweep(), 256),
}
LABELS = {
    "norm_by_spread": ["2 keys", "64 keys"],
}


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_drawn_in_our_colours_with_its_labels(name, svg):
    text = svg(FIGURES[name]())
    for label in LABELS.get(name, []):
        assert label in text


def test_means_are_named_and_single_rows_stand_behind_them():
    norms = {m: SPREADS / (m + 12) for m in (2, 3, 8, 64)}
    single = np.outer(SPREADS, [0.01, 0.02])
    axes = figures.norm_by_spread(SPREADS, norms, single).axes[0]
    *faint, bound = (x for x in axes.lines if x.get_color() == look.colour("line"))
    np.testing.assert_allclose([x.get_ydata() for x in faint], single.T)
    assert set(bound.get_ydata()) == {0.5}
    means = [x for x in axes.lines if x.get_color() != look.colour("line")]
    np.testing.assert_allclose([x.get_ydata() for x in means], [*norms.values()])
    assert max(x.zorder for x in faint) < min(x.zorder for x in means)
    at = {t.get_text(): t.get_position() for t in axes.texts}
    for m, mean in norms.items():
        x, y = at[f"{m} keys"]
        assert SPREADS[0] <= x < SPREADS[1]
        assert abs(y - mean[0]) < 0.05


def test_learning_rates_names_its_curves(named):
    ways = {"unscaled": 2.0, "scaled": 1.0}
    rows = [
        {"d_k": 256, "way": way, "rate": 10.0**power, "loss": loss + power}
        for way, loss in ways.items()
        for power in range(5)
    ]
    axes = figures.learning_rates(rows, 256).axes[0]
    assert named(axes) == {
        "not divided": [2, 3, 4, 5, 6],
        "divided by √dₖ": [1, 2, 3, 4, 5],
    }
