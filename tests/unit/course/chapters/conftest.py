"""Draws in the course's style, and checks each figure that a test has drawn."""

import io
import re

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt
from repeats import is_quick

from course.kit import look

mpl.use("svg")
RAMPS = {mpl.colors.to_hex(c) for m in (look.WEIGHTS, look.SIGNED) for c in m.colors}
COLOURS = {colour.light for colour in look.ROLES.values()} | RAMPS


@pytest.fixture(autouse=True)
def _style(request):
    """Draw in the course's style, then check colours and width of each open figure.

    `make check` leaves these checks out, because they draw every figure once more.
    """
    with mpl.rc_context():
        look.use()
        yield
        try:
            checked = [] if is_quick(request.config) else plt.get_fignums()
            for figure in map(plt.figure, checked):
                figure.savefig(file := io.StringIO(), format="svg")
                drawn = set(re.findall(r"#[0-9a-f]{6}\b", file.getvalue()))
                assert drawn <= COLOURS, "colours come from course.kit.look"
                assert figure.get_figwidth() <= 7.2, "at most 7.2 inches wide"
        finally:
            plt.close("all")
