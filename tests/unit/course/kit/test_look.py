"""Colours: contrast by WCAG 2.2 (1.4.3) in both themes; CSS variables; tick labels."""

import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course.kit.look import ROLES, mix, oklab, themed

SCALES = [("weight-low", "weight-high"), ("zero", "negative"), ("zero", "positive")]
TEXTS = ("ink", "muted", "query", "key", "value", "output", "right", "wrong")
GROUNDS = {"paper", "surface", "weight-low", "zero", "line"}  # behind other colours
ROOT = Path(__file__).resolve().parents[4]
# without book/vendor
SHEETS = [*ROOT.glob("src/course/**/*.css"), *ROOT.glob("book/[!v]*/*.css")]
STYLES = "".join(path.read_text("utf-8") for path in SHEETS)
FOCUS_RULES = re.findall(r":focus[^{}]*\{([^}]*)\}", STYLES)
each_theme = pytest.mark.parametrize("theme", ["light", "dark"])


def contrast(one, other):
    """Return the contrast of two colours, from 1 to 21."""
    rgb = np.array([to_rgb(one), to_rgb(other)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    low, high = sorted(linear @ [0.2126, 0.7152, 0.0722])
    return (high + 0.05) / (low + 0.05)


@each_theme
@pytest.mark.parametrize("scale", SCALES, ids="-".join)
def test_a_number_in_a_cell_cannot_be_read(scale, theme):
    roles = ("ink", "paper", *scale)
    ink, paper, low, high = (getattr(ROLES[role], theme) for role in roles)
    assert min(contrast(ink, c) for c in mix(low, high, np.linspace(0, 1, 101))) >= 4.5
    assert contrast(paper, low) < 1.3 < contrast(paper, high)


@each_theme
def test_a_focus_ring_cannot_be_seen(theme):
    """WCAG 1.4.11 asks for a contrast of at least 3 to the background."""
    roles = set(re.findall(r"var\(--abh-([\w-]+)\)", " ".join(FOCUS_RULES)))
    assert roles
    for role, behind in product(roles, ("paper", "surface")):
        colours = (getattr(ROLES[each], theme) for each in (role, behind))
        assert contrast(*colours) >= 3, (role, behind)


@each_theme
def test_two_roles_cannot_be_told_apart(theme):
    labs = {role: oklab(getattr(both, theme)) for role, both in ROLES.items()}
    for one, other in combinations(labs, 2):
        least = 0 if GROUNDS & {one, other} else 0.05  # black and white are 1 apart
        assert np.linalg.norm(labs[one] - labs[other]) > least, (one, other)


def test_a_drawn_colour_does_not_follow_the_theme():
    for role, colour in ROLES.items():
        drawn = f'<path style="fill: {colour.light}"/>'
        assert themed(drawn) == f'<path style="fill: var(--abh-{role})"/>'
    assert themed("#123456") == "#123456"
