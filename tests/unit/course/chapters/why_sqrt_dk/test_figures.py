"""Every figure of chapter 2 can be drawn, holds its labels and our colours."""

import numpy as np
import pytest

from attention import softmax
from course.chapters.why_sqrt_dk import experiments, figures, training
from course.kit import look
from course.kit.measures import jacobian

D = [1, 4, 16, 64]
RAW = experiments.saturation(D, 8, 10)
SPREADS = np.linspace(0.1, 5, 5)

FIGURES = {
    "rows_of_weights": lambda: figures.rows_of_weights(D, experiments.one_row(D, m=8)),
    "divisors": lambda: figures.divisors(
        D, dict.fromkeys(experiments.DIVISORS, RAW["largest"]), 8
    ),
    "saturation": lambda: figures.saturation(D, RAW, RAW),
    "two_keys": figures.two_keys,
    "jacobians": lambda: figures.jacobians(
        {"even": (np.full(3, 1 / 3), jacobian(np.full(3, 1 / 3)))}
    ),
    "norm_by_spread": lambda: figures.norm_by_spread(
        SPREADS, {m: SPREADS / (m + 12) for m in (2, 3, 8, 64)}, SPREADS[:, None] / 9
    ),
    "query_gradients": lambda: figures.query_gradients(
        {(m, d): experiments.query_gradients(d, m, 1) for m in (3, 5) for d in D}
    ),
    "losses": lambda: figures.losses({"divided": np.exp(-np.arange(50.0))}),
    "learning_rates": lambda: figures.learning_rates(training.stored_sweep(), 256),
}
LABELS = {
    "rows_of_weights": ["dₖ = 64"],
    "norm_by_spread": ["2 keys", "64 keys"],
    "query_gradients": ["3 keys", "5 keys"],
}


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_drawn_in_our_colours_with_its_labels(name, svg):
    text = svg(FIGURES[name]())
    for label in LABELS.get(name, []):
        assert label in text


def test_rows_of_weights_holds_both_softmaxes(svg):
    scores = experiments.one_row(D, m=8)
    text = svg(figures.rows_of_weights(D, scores))
    for row in (softmax(scores[-1]), softmax(scores[-1] / 8)):
        assert f"{row.max():.2f}" in text


RAW_AND_SCALED = [
    {"largest": [0.3, 0.5, 0.8, 0.9], "entropy": [2.0, 1.5, 0.5, 0.1]},
    {"largest": [0.2, 0.25, 0.3, 0.35], "entropy": [1.9, 1.8, 1.7, 1.6]},
]


def test_saturation_names_its_curves_and_panels(named):
    raw, scaled = RAW_AND_SCALED
    largest, entropy = figures.saturation(D, raw, scaled).axes
    assert largest.get_title() == "largest weight"
    assert entropy.get_title() == "entropy, in nats"
    for axes, key in ((largest, "largest"), (entropy, "entropy")):
        assert named(axes) == {"not divided": raw[key], "divided by √dₖ": scaled[key]}


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


def test_gradients_are_drawn_as_medians_and_the_middle_four_fifths():
    undivided, divided = np.arange(1, 102) / 10, np.arange(1, 102) / 100
    found = {(8, d): experiments.Gradients(undivided, divided) for d in (1, 4)}
    found |= {(64, d): experiments.Gradients(divided, undivided) for d in (1, 4)}
    panels = {ax.get_title(): ax for ax in figures.query_gradients(found).axes}
    assert list(panels) == ["8 keys", "64 keys"]
    for name, first, second in (("8 keys", 10, 100), ("64 keys", 100, 10)):
        drawn = {line.get_color(): line.get_ydata() for line in panels[name].lines}
        bars = [c.get_segments()[0][:, 1] for c in panels[name].collections]
        for role, by, ends in zip(
            ("ink", "output"), (first, second), bars, strict=True
        ):
            np.testing.assert_allclose(drawn[look.colour(role)], 51 / by)
            np.testing.assert_allclose(ends, [11 / by, 91 / by])
    names = {t.get_text(): t.get_color() for t in panels["64 keys"].texts}
    assert names == {
        "not divided": look.colour("ink"),
        "divided by √dₖ": look.colour("output"),
    }


def test_losses_are_drawn_as_running_means(named):
    axes = figures.losses({"divided": [8, 0, 0, 4, 1, 0]}).axes[0]
    assert named(axes) == {"divided": [8, 4, 8 / 3, 3, 1.25, 1.25]}
