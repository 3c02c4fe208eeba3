"""Small blocks for the kernels, and the number of examples that Hypothesis draws."""

import math

import pytest
from hypothesis import HealthCheck, settings
from repeats import is_quick

from attention import _blocked, _parts

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
    """Let Hypothesis draw fewer examples in `make check` than in `make test`."""
    settings.load_profile("quick" if is_quick(config) else "whole")


RECOMPUTED = pytest.param(
    "all rows recomputed", marks=[pytest.mark.more, pytest.mark.weekly]
)


@pytest.fixture(params=["one block", "several blocks", RECOMPUTED])
def kernel(request, monkeypatch):
    """Run a test on one block, on several blocks, and with all rows recomputed."""
    if request.param != "one block":
        monkeypatch.setattr(_parts, "BLOCK_SCORES", 6)
        monkeypatch.setattr(_parts, "BLOCK_KEYS", 2)
        monkeypatch.setattr(_blocked, "ALIGNED", 2)
    if request.param == "all rows recomputed":
        monkeypatch.setattr(_blocked, "LEAST_SUM", math.inf)
