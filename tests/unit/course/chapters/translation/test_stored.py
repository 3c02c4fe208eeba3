"""The tables of chapter 7 hold every stored number under the right names."""

import pytest

from course.chapters.translation import stored
from transformer.ablations import QUARTER, WHOLE
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
