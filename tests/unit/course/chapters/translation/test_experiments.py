"""What chapter 7 says of the stored model, and of what a layer costs."""

import numpy as np
import pytest

from course.chapters.translation import experiments
from transformer.decoding import translate
from transformer.laboratory import cut, heads_of
from transformer.lexicon import NOUNS
from transformer.storage import load

WEIGHTS, CONFIG = load()
REFERENCES = experiments.references(40, seed=1)


def test_a_reference_names_the_noun_that_it_stands_for():
    gender = {noun.english[0]: noun.gender for noun in NOUNS}
    for one in REFERENCES:
        english, french = one.sentence.english, one.sentence.french
        assert english[one.it] == "it"
        pronoun = french[french.index("car") + 1]
        assert {"il": "m", "elle": "f"}[pronoun] == gender[english[one.referent]]
        assert gender[english[one.other]] != gender[english[one.referent]]
        assert one.means_subject == (one.referent == 1)
        assert {one.referent, one.other} == {1, one.it - 2}
        assert one.sentence.other == ()
    assert sum(one.means_subject for one in REFERENCES) == 20


@pytest.mark.parametrize(
    "look", experiments.looks(REFERENCES, WEIGHTS, CONFIG), ids=lambda x: x.name
)
def test_a_look_is_a_pair_of_weights(look):
    total = look.referent + look.other
    assert total.shape == (40,)
    assert (total > 0).all()
    assert (total <= 1 + 1e-12).all()


def test_heads_are_compared_by_their_mean_difference():
    look = experiments.HeadReading(
        "head", np.array([0.1, 0.2, 0.9]), np.zeros(3), np.zeros(3)
    )
    assert look.difference == pytest.approx(0.4)


def without_all(sublayer):
    heads = [name for name in heads_of(CONFIG) if name.startswith(sublayer)]
    return cut(WEIGHTS, CONFIG, heads).weights


def test_pronouns_are_right_with_all_heads_and_guessed_without_those_that_ask():
    whole = experiments.pronouns(REFERENCES, WEIGHTS, CONFIG)
    assert whole.right > 0.95
    assert whole.missing == 0
    off = without_all("decoder.1.cross_attention")
    found = experiments.pronouns(REFERENCES, off, CONFIG)
    assert found.right < 0.6
    assert found.wrong > 0.2
    assert sum(found) == pytest.approx(1)


def test_a_pronoun_that_is_not_written_is_neither_right_nor_wrong():
    off = without_all("decoder.1.cross_attention")  # the reason may be left out
    english = [one.sentence.english for one in REFERENCES]
    written = [list(french) for french in translate(english, off, CONFIG)]
    silent = [
        "car" not in french
        or {"il", "elle"}.isdisjoint(french[french.index("car") + 1 :][:1])
        for french in written
    ]
    assert sum(silent) > 5
    assert experiments.pronouns(REFERENCES, off, CONFIG).missing == np.mean(silent)


def test_multiplications_of_the_base_model():
    counted = experiments.multiplications(n=10, d_model=512, d_ff=2048)
    assert counted == {
        "projections": 10 * 512 * 512 * 4,
        "scores and mixing": 2 * 10 * 10 * 512,
        "feed-forward": 2 * 10 * 512 * 2048,
    }
