import math

import pytest

from attention import _blocked, _dot_product


@pytest.fixture(params=["plain", "blocked"])
def kernel(request, monkeypatch):
    """Run a test on the formula, and on blocks so small that there are several."""
    plain = request.param == "plain"
    monkeypatch.setattr(_dot_product, "PLAIN_UP_TO", math.inf if plain else -1)
    monkeypatch.setattr(_blocked, "ROWS", 3)
    monkeypatch.setattr(_blocked, "BLOCK", 6)
    return request.param
