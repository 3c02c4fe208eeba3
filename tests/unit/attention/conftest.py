"""On which kernel tests run, and how many arrays Hypothesis makes up for them."""

import math

import pytest
from hypothesis import HealthCheck, settings

from attention import _blocked, _dot_product

settings.register_profile(
    "whole",
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("quick", settings.get_profile("whole"), max_examples=12)


def pytest_configure(config):
    """Load what `make test` asks of a law, or what `make check` does (`repeats`)."""
    without_more = config.option.markexpr == "not more"
    settings.load_profile("quick" if without_more else "whole")


@pytest.fixture(params=["plain", "blocked"])
def kernel(request, monkeypatch):
    """Run a test on the formula, and on blocks so small that there are several."""
    plain = request.param == "plain"
    monkeypatch.setattr(_dot_product, "PLAIN_UP_TO", math.inf if plain else -1)
    monkeypatch.setattr(_blocked, "ROWS", 3)
    monkeypatch.setattr(_blocked, "BLOCK", 6)
    return request.param
