"""What cuts cost, as the page reads it."""

import pytest

from course.chapters.translation import cuts
from transformer.effects import COUNT, stored_effects
from transformer.storage import SEEDS


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_lost_and_what_is_left_are_all_sentences(seed):
    whole, *others = stored_effects(seed)
    assert sum(whole.right.values()) == COUNT
    for row in others:
        left = sum(row.right.values()) / COUNT
        assert cuts.lost(seed, *row.off) + left == pytest.approx(1)


def test_heads_of_a_sublayer_stand_by_what_they_cost():
    costs = cuts.by_sublayer()
    assert len(costs) * 4 == len(cuts.HEADS)
    for sublayer, seeds in costs.items():
        assert len(seeds) == len(SEEDS)
        for seed, shares in enumerate(seeds):
            assert shares == sorted(shares, reverse=True)
            heads = [name for name in cuts.HEADS if name.startswith(sublayer)]
            assert sum(shares) == pytest.approx(sum(cuts.lost(seed, h) for h in heads))


def test_every_pair_is_there_once_those_first_that_hide_each_other():
    pairs = cuts.pairs()
    assert len({pair.heads for pair in pairs}) == len(pairs) == 24 * 23 // 2
    beyond = [pair.beyond for pair in pairs]
    assert beyond == sorted(beyond, reverse=True)
    for pair in pairs[::50]:
        assert pair.both == cuts.lost(0, *pair.heads)
        assert pair.beyond == pytest.approx(pair.both - sum(pair.alone))
