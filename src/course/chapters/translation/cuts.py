"""Share of translations lost when parts of the model are off, from stored effects."""

from functools import cache
from itertools import combinations
from typing import NamedTuple

from transformer.effects import COUNT, stored_effects
from transformer.laboratory import heads_of
from transformer.parameters import Config
from transformer.storage import SEEDS

HEADS = heads_of(Config())
SUBLAYERS = tuple(dict.fromkeys(name.split(".head.")[0] for name in HEADS))
"""Names of the attention sublayers: first the encoder, then the decoder."""


@cache
def _lost(seed: int) -> dict[tuple[str, ...], float]:
    """Return the share of held-out sentences lost by each stored cut."""
    rows = stored_effects(seed)
    whole = sum(rows[0].right.values())
    return {row.off: (whole - sum(row.right.values())) / COUNT for row in rows}


def lost(seed: int, *off: str) -> float:
    """Return the share of held-out sentences lost when some parts are off.

    `off` is one name from `transformer.laboratory.switches`. For seed 0 it may also be
    two names of heads, in the order of `HEADS`.
    """
    return _lost(seed)[off]


def by_sublayer() -> dict[str, list[list[float]]]:
    """Return the costs of switching each head off alone: by sublayer, one list a seed.

    The largest cost comes first, because the order of heads within a sublayer has no
    meaning.
    """
    return {
        sublayer: [_costs(sublayer, seed) for seed in SEEDS] for sublayer in SUBLAYERS
    }


def _costs(sublayer: str, seed: int) -> list[float]:
    """Return the costs of the heads of a sublayer, the largest first."""
    heads = (name for name in HEADS if name.startswith(sublayer))
    return sorted((lost(seed, name) for name in heads), reverse=True)


class HeadPair(NamedTuple):
    """Costs of two heads of the shipped model, as shares of the sentences."""

    heads: tuple[str, str]
    alone: tuple[float, float]  # cost of each head alone
    both: float  # cost of both heads together

    @property
    def beyond(self) -> float:
        """Cost of both heads together minus the sum of their costs alone."""
        return self.both - sum(self.alone)


def pairs() -> list[HeadPair]:
    """Return all pairs of heads, sorted by `beyond` with the largest first."""
    found = [
        HeadPair((a, b), (lost(0, a), lost(0, b)), lost(0, a, b))
        for a, b in combinations(HEADS, 2)
    ]
    return sorted(found, key=lambda pair: -pair.beyond)
