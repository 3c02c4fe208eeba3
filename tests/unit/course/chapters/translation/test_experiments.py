"""Effects of heads on *it* in the stored model, and the cost of a layer."""

import numpy as np
import pytest

from course.chapters.translation import experiments
from transformer.decoding import trace_translation
from transformer.laboratory import heads_of
from transformer.lexicon import NOUNS
from transformer.storage import load

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
            expected = weights[[one.referent, one.other, one.reason]]
            close = [head.referent[i], head.other[i], head.reason[i]]
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


def test_patching_a_head_of_the_same_layer_changes_the_answer():
    found, model = experiments.references(8, seed=3), load()
    first, later = (f"decoder.1.cross_attention.head.{head}" for head in (1, 0))
    route = experiments.route(found, *model, first, later)  # neither reads the other
    assert route.restored == route.deleted
    assert route.replaced == experiments.chooses_right(found, *model).mean()
