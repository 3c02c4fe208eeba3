"""Draws in the course's style, and checks the width of each figure of a test."""

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

from course.kit import look

mpl.use("svg")


@pytest.fixture(autouse=True)
def _style():
    with mpl.rc_context():
        look.use()
        yield
        try:
            for figure in map(plt.figure, plt.get_fignums()):
                assert figure.get_figwidth() <= 7.2, "at most 7.2 inches wide"
        finally:
            plt.close("all")
