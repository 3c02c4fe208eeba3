"""Compare the costs of cuts with the stored effects, for single heads and pairs."""

from itertools import combinations

import pytest

from course.chapters.translation import cuts
from transformer.effects import COUNT, stored_effects
from transformer.storage import SEEDS


@pytest.mark.parametrize("seed", SEEDS)
def test_a_cost_is_not_the_share_of_lost_sentences(seed):
    whole, *others = stored_effects(seed)
    assert COUNT >= sum(whole.right.values()) >= 0.99 * COUNT
    for row in others:
        lost = sum(whole.right.values()) - sum(row.right.values())
        assert cuts.lost(seed, *row.off) == pytest.approx(lost / COUNT), row.off


def test_a_pair_of_heads_has_the_costs_of_another_pair():
    pairs = {pair.heads: pair for pair in cuts.pairs()}
    assert {*pairs} == {*combinations(cuts.HEADS, 2)}
    for (a, b), pair in pairs.items():
        assert pair.both == cuts.lost(0, a, b)
        assert pair.alone == (cuts.lost(0, a), cuts.lost(0, b))
        assert pair.beyond == pytest.approx(pair.both - sum(pair.alone))
    beyond = [pair.beyond for pair in pairs.values()]
    assert beyond == sorted(beyond, reverse=True)
