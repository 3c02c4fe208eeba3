"""Chapter 7: effects of heads on *it*, the cost of a layer, stored tables, figures."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from drawn import check_matrices, named_lines
from matplotlib.colors import to_hex

from course.chapters.translation import claims, cuts, experiments, figures, stored
from course.chapters.translation.links import translator
from transformer.ablations import QUARTER, WHOLE
from transformer.decoding import trace_translation
from transformer.effects import COUNT, stored_effects
from transformer.laboratory import heads_of
from transformer.lexicon import NOUNS
from transformer.storage import ABLATIONS, ACCURACY, SEEDS, load
from transformer.stored_files import read_table

WEIGHTS, CONFIG = load()
REFERENCES = experiments.references(38, seed=1)


def test_a_reference_has_a_wrong_noun_or_position():
    gender = {noun.english[0]: noun.gender for noun in NOUNS}
    for one in REFERENCES:
        english, french = one.sentence.english, one.sentence.french
        assert english[one.it] == "it"
        pronoun = french[french.index("car") + 1]
        assert {"il": "m", "elle": "f"}[pronoun] == gender[english[one.referent]]
        assert gender[english[one.other]] != gender[english[one.referent]]
        assert one.means_subject == (one.referent == 1)
        assert {one.referent, one.other} == {1, one.it - 2}
        assert one.reason == len(english) - 1
        assert one.sentence.other == ()
    assert sum(one.means_subject for one in REFERENCES) == 19


@pytest.mark.more
def test_a_head_has_the_weights_of_another_row_word_or_head():
    """Compare every head with the pass over one sentence alone."""
    found = experiments.readings(REFERENCES, WEIGHTS, CONFIG)
    every = heads_of(CONFIG)
    asked = [name for name in every if "decoder" not in name or "cross" in name]
    assert [one.name for one in found] == asked
    for i, one in [*enumerate(REFERENCES)][::3]:
        trace = trace_translation(one.sentence.english, WEIGHTS, CONFIG)
        car = trace.target.index("car")
        assert tuple(trace.french[:car]) == one.sentence.french[:car]
        row = {"encoder": one.it, "decoder": car}
        for head in found:
            weights = trace.arrays[f"{head.name}.weights"][row[head.name[:7]]]
            expected = weights[[one.referent, one.other, one.reason, one.it]]
            close = [x[i] for x in (head.referent, head.other, head.reason, head.it)]
            np.testing.assert_allclose(close, expected, atol=1e-10)
    best = max(found, key=lambda head: (head.referent - head.other).mean())
    assert experiments.watched(found) == best.name
    assert best.difference == pytest.approx((best.referent - best.other).mean())


def test_costliest_is_not_the_head_with_most_wrong_pronouns():
    shares = {"a": (0.6, 0.3, 0.1), "b": (0.2, 0.1, 0.7), "c": (0.5, 0.5, 0.0)}
    became = {name: experiments.Pronouns(*each) for name, each in shares.items()}
    assert experiments.costliest(became) == "c"


def test_multiplications_of_a_layer_are_wrong():
    assert experiments.multiplications(n=7, d_model=5, d_ff=11) == {
        "projections": 4 * (7 * 5 * 5),
        "scores and mixing": 7 * 5 * 7 + 7 * 7 * 5,
        "feed-forward": 7 * 5 * 11 + 7 * 11 * 5,
    }


def test_a_translator_link_has_wrong_settings():
    link = translator("Off", "a dog", 3, ["encoder.0"], ["", "le"])
    assert link == (
        "[Off](#translator.sentence=a%20dog&translator.level=heads&translator.step=3&"
        "translator.forced=%5B%22%22%2C%20%22le%22%5D&"
        "translator.off=%5B%22encoder.0%22%5D)"
    )


def test_pairs_behind_has_a_wrong_value_or_sign(monkeypatch):
    shares = {"held-out sentences": [0.75], "held-out pairs": [0.5]}

    def accuracy(_, only):
        return {"state": SimpleNamespace(shares=shares[only])}

    monkeypatch.setattr(claims.stored, "accuracy", accuracy)
    assert claims.pairs_behind(0, kind="state") == 0.25


def test_patching_a_head_of_the_same_layer_changes_the_answer():
    found, model = experiments.references(8, seed=3), load()
    first, later = (f"decoder.1.cross_attention.head.{head}" for head in (1, 0))
    route = experiments.route(found, *model, first, later)  # neither reads the other
    assert route.restored == route.deleted
    assert route.replaced == experiments.chooses_right(found, *model).mean()


def dots(axes):
    """Return the points by the name of their row and the name of their colour."""
    colours = {to_hex(text.get_color()): text.get_text() for text in axes.texts}
    rows = [label.get_text() for label in axes.get_yticklabels()]
    return {
        (rows[round(y[0])], colours[to_hex(line.get_color())]): x.tolist()
        for line in axes.lines
        if line.get_marker() == "o"
        for x, y in [line.get_data()]
    }


def test_a_part_has_the_cost_of_another_part():
    parts = {"projections": [8, 16], "attention": [4, 64], "feed-forward": [16, 32]}
    axes = figures.cost_by_length([2, 4], parts).axes[0]
    assert named_lines(axes) == parts
    assert {tuple(line.get_xdata()) for line in axes.lines} == {(2, 4)}


@pytest.mark.more
def test_a_learning_curve_draws_wrong_points():
    curve = figures.LearningCurve(steps=30)
    for step, held_out in ((1, None), (10, 0.2), (11, None), (20, 0.7)):
        curve.add(step, 40 / step, held_out, held_out and held_out / 2)
    named = {"held-out sentences": [0.2, 0.7], "held-out pairs": [0.1, 0.35]}
    assert named_lines(curve.right) == named
    assert {tuple(line.get_xdata()) for line in curve.right.lines} == {(10, 20)}
    assert curve.loss.lines[0].get_xdata().tolist() == [1, 10, 11, 20]
    assert curve.bar.get_title() == "step 20 of 30"


def test_a_variant_has_the_dots_of_another_variant_or_set():
    found = {
        "full": {"held-out sentences": [0.9, 1.0, 0.8], "held-out pairs": [0.8, 0.7]},
        "no mask": {"held-out sentences": [0.1, 0.2], "held-out pairs": [0.0, 0.3]},
    }
    axes = figures.accuracy_by_variant(found).axes[0]
    expected = {(v, s): row for v, sets in found.items() for s, row in sets.items()}
    assert dots(axes) == expected


def test_heads_are_not_drawn_best_first_or_a_baseline_is_named_wrong():
    heads = [[0.2, 0.5, 0.9, 0.1], [0.6, 0.3, 0.8, 0.7]]
    axes = figures.alignment_by_head(heads, 2, chance=0.25, diagonal=0.4).axes[0]
    random_head, same_place, *rows = axes.lines
    assert [random_head.get_ydata()[0], same_place.get_ydata()[0]] == [0.25, 0.4]
    drawn = [row.get_ydata().tolist() for row in rows]
    assert drawn == [[0.5, 0.2], [0.6, 0.3], [0.9, 0.1], [0.8, 0.7]]
    heights = {t.get_text(): t.get_position()[1] for t in axes.texts}
    assert 0 < heights["random head, 25%"] - 0.25 < 0.03
    assert 0 < heights["same place, 40%"] - 0.4 < 0.03
    ranks = [label.get_text() for label in axes.get_xticklabels()]
    assert ranks == ["1st", "2nd"] * 2


def test_weights_stand_under_wrong_words():
    rows = {"hot": [0.25, 0.1, 0.65], "cold": [0.5, 0.3, 0.2]}
    drawn = figures.weights_by_ending(rows, ["it", "was"])
    words = ["it", "was", "…"], ["… hot", "… cold"]
    check_matrices(drawn, ("", np.array([*rows.values()]).T, *words))


def test_a_head_has_the_dots_of_another_head_or_the_wrong_mark():
    rows = {
        "encoder.0.self_attention.head.0": (0.4, 0.5),
        "encoder.0.self_attention.head.1": (0.7, 0.2),
        "decoder.1.cross_attention.head.0": (0.9, 0.0),
    }
    figure = figures.weights_on_nouns(rows, "encoder.0.self_attention.head.1")
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["encoder layer 1", "decoder layer 2, cross-attention"]
    # three lines a row: a connection, the other word, the meant word
    drawn = [
        [other.get_xdata()[0], meant.get_xdata()[0]]
        for axes in figure.axes
        for other, meant in zip(axes.lines[1::3], axes.lines[2::3], strict=True)
    ]
    assert drawn == [[0.5, 0.4], [0.2, 0.7], [0.0, 0.9]]
    labels = [y.get_text() for axes in figure.axes for y in axes.get_yticklabels()]
    assert labels == ["head 1", "head 2, chapter 7", "head 1"]


# --- stored tables --------------------------------------------------------------------


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


def test_the_object_is_chosen_where_the_subject_is_meant_or_a_head_stays_on():
    found = experiments.references(8, seed=3)
    subject = np.array([one.means_subject for one in found])
    chosen = experiments.chooses_object(found, WEIGHTS, CONFIG, ())
    assert (chosen == ~subject).all(), "with all heads on, every choice is right"
    reason_head = "decoder.0.cross_attention.head.1"
    chosen = experiments.chooses_object(found, WEIGHTS, CONFIG, {reason_head})
    assert chosen[subject].sum() >= 2, "without this head the object is chosen"
