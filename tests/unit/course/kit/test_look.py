"""Colours can be read: contrast as WCAG 2.2 (1.4.3) reckons it, in both themes."""

from itertools import combinations, product

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from course.kit.look import ROLES, mix, oklab, powers_of_ten, themed

SCALES = [
    ("weight-low", "weight-high"),
    ("zero", "negative"),
    ("zero", "positive"),
]
BACKGROUNDS = ("paper", "surface")
TEXTS = ("ink", "muted", "query", "key", "value", "output", "right", "wrong")


def luminance(colour: str) -> float:
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("scale", SCALES, ids="-".join)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_number_can_be_read_on_every_colour_of_a_cell(scale, theme):
    ink = getattr(ROLES["ink"], theme)
    ends = [getattr(ROLES[role], theme) for role in scale]
    for cell in mix(*ends, np.linspace(0, 1, 101)):
        assert contrast(ink, cell) >= 4.5, cell


@pytest.mark.parametrize("scale", SCALES, ids="-".join)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_scale_begins_at_the_paper(scale, theme):
    paper, low, high = (getattr(ROLES[name], theme) for name in ("paper", *scale))
    assert contrast(paper, low) < 1.3 < contrast(paper, high)


@pytest.mark.parametrize(("text", "behind"), [*product(TEXTS, BACKGROUNDS)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_can_be_read_on_the_page(text, behind, theme):
    words, back = (getattr(ROLES[role], theme) for role in (text, behind))
    assert contrast(words, back) >= 4.5


GROUNDS = {"paper", "surface", "weight-low", "zero", "line"}  # what others stand on


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_two_roles_look_alike(theme):
    colours = {role: getattr(both, theme) for role, both in ROLES.items()}
    pairs = combinations(colours, 2)
    apart = {pair: difference(*(colours[role] for role in pair)) for pair in pairs}
    assert {pair for pair, far in apart.items() if far == 0} == set()
    names = {pair: far for pair, far in apart.items() if not GROUNDS & set(pair)}
    assert {pair for pair, far in names.items() if far < 0.05} == set()


def difference(one: str, other: str) -> float:
    """Distance of two colours in OKLab, where black and white are 1 apart."""
    return float(np.linalg.norm(np.subtract(*map(oklab, (one, other)))))


def test_logarithmic_axes_are_lettered_with_powers_of_ten():
    fig, ax = plt.subplots()
    ax.plot([1e-3, 1, 1e12], [1e-3, 1, 1e12])
    powers_of_ten(ax.yaxis)
    ax.set_yticks([1e-3, 1, 1e12])
    fig.canvas.draw()
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "10⁻³",
        "10⁰",
        "10¹²",
    ]
    assert {label.get_text() for label in ax.get_yticklabels(minor=True)} <= {""}
    heights = [ax.transData.transform((0, tick))[1] for tick in (1e-3, 1, 1e12)]
    assert heights[2] - heights[1] == pytest.approx(4 * (heights[1] - heights[0]))
    assert ax.get_xscale() == "linear"
    plt.close(fig)


@pytest.mark.parametrize("role", ROLES)
def test_a_drawn_colour_becomes_the_variable_of_its_role(role):
    drawn = f'<path style="fill: {ROLES[role].light}"/>'
    assert themed(drawn) == f'<path style="fill: var(--abh-{role})"/>'
