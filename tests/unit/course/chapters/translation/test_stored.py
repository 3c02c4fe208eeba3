"""Chapter 7: its tables hold the stored numbers under the right names."""

from itertools import combinations

import pytest

from course.chapters.translation import cuts, stored
from transformer.ablations import QUARTER, WHOLE
from transformer.effects import COUNT, stored_effects
from transformer.storage import ABLATIONS, ACCURACY, SEEDS
from transformer.stored_files import read_table


@pytest.mark.parametrize("by", ["set", "kind"])
@pytest.mark.parametrize("only", [None, "held-out pairs"])
def test_a_share_counts_rows_of_another_seed_or_group(by, only):
    rows = [r for r in read_table(ACCURACY) if only in (None, r["set"])]
    found = stored.accuracy(by, only)
    assert found.keys() == {r[by] for r in rows}
    for name, share in found.items():
        for seed in SEEDS:
            mine = [r for r in rows if (r[by], r["seed"]) == (name, str(seed))]
            right = sum(int(r["right"]) for r in mine)
            assert share.sentences == sum(int(r["sentences"]) for r in mine)
            assert share.right[seed] == right
            assert share.shares[seed] == pytest.approx(right / share.sentences)


def test_a_variant_has_the_scores_of_another_seed_set_or_length():
    for steps, names in ((QUARTER, list(stored.NAMES)), (WHOLE, ["full"])):
        found = stored.results(steps)
        assert list(found) == [stored.NAMES[name] for name in names]
        table = read_table(ABLATIONS)
        rows = [r for r in table if r["steps"] == str(steps) and r["variant"] in names]
        assert {r["variant"] for r in rows} == {*names}
        for row in rows:
            scores = found[stored.NAMES[row["variant"]]][row["set"]]
            assert scores[int(row["seed"])] == float(row["exact_match"])


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
