"""Measures of the translator on cases with known results."""

import numpy as np
import pytest

from transformer import evaluation, seeds
from transformer.grammar import KINDS_OF_SENTENCES
from transformer.model import forward
from transformer.parameters import Config, initial
from transformer.sentences import held_out_sentences
from transformer.trace import Trace
from transformer.training import batch_of
from transformer.vocabulary import FRENCH

SENTENCES = held_out_sentences(41, pairs=False)
RIGHT = [list(sentence.french) for sentence in SENTENCES]
AMBIGUOUS = held_out_sentences(19, pairs=False, ambiguous=True)


def test_a_sentence_with_one_wrong_word_counts_as_right():
    """Change or leave out the last word of one of 41 sentences at a time."""
    assert evaluation.exact_match(SENTENCES, RIGHT) == 1
    for i, words in enumerate(RIGHT):
        for wrong in ([*words[:-1], "never"], words[:-1]):
            spoilt = [*RIGHT[:i], wrong, *RIGHT[i + 1 :]]
            assert evaluation.exact_match(SENTENCES, spoilt) == 40 / 41


def test_tally_does_not_count_a_mistake_by_kind_and_english_length():
    """The French length of the wrong sentence differs from its English length."""
    whole = evaluation.tally(SENTENCES, RIGHT)
    assert sum(t.sentences for t in whole) == sum(t.right for t in whole) == 41
    order = [(KINDS_OF_SENTENCES.index(t.kind), t.words) for t in whole]
    assert order == sorted({*order})
    one = next(s for s in SENTENCES if len(s.french) != len(s.english))
    translations = [[] if s is one else s.french for s in SENTENCES]
    [changed] = {*evaluation.tally(SENTENCES, translations)} - {*whole}
    at = one.kind, len(one.english)
    same = [(s.kind, len(s.english)) for s in SENTENCES].count(at)
    assert changed == evaluation.Tally(*at, sentences=same, right=same - 1)


def test_undecided_does_not_read_the_probabilities_after_the_word_car():
    config = Config(num_layers=1)
    weights = initial(config, 0, np.float64)
    found = evaluation.undecided(AMBIGUOUS, weights, config)
    assert found.shape == (19, 2)
    for row, one in zip(found, AMBIGUOUS, strict=True):
        batch, trace = batch_of([one]), Trace()
        forward(batch.source, batch.target, weights, config, trace)
        before = [*batch.target[0]].index(FRENCH.numbers["car"])
        words = [FRENCH.numbers[w[before]] for w in (one.french, one.other)]
        np.testing.assert_allclose(row, trace["next"][0, before, words])


@pytest.mark.more
def test_the_stored_model_prefers_a_pronoun_or_does_not_agree_with_it(stored):
    both = evaluation.undecided(AMBIGUOUS, *stored)
    assert both.sum(axis=1).min() > 0.98
    assert 0.4 < both.mean() < 0.6
    assert evaluation.ends_right(AMBIGUOUS, *stored).all()
    config = Config(num_layers=1)
    assert not evaluation.ends_right(AMBIGUOUS, initial(config, 0), config).any()


@pytest.mark.more
def test_calibration_gives_the_probability_of_elle_if_elle_was_drawn(monkeypatch):
    sentences = held_out_sentences(43, pairs=False, ambiguous=True)
    drawn = np.array([[{"elle", "elles"}.isdisjoint(s.french)] for s in sentences])
    assert 0 < drawn.sum() < 43  # both readings occur
    il = np.where(drawn, [[0.9, 0.07]], [[0.07, 0.9]])
    monkeypatch.setattr(seeds, "undecided", lambda *_: il)
    monkeypatch.setattr(seeds, "ends_right", lambda *_: il > 0.5)
    row = seeds.calibration(sentences, {}, Config())
    assert row["mean"] == 0.9
    assert (row["il_ends_right"], row["elle_ends_right"]) == (43, 0)


def test_a_head_with_equal_weights_is_not_at_chance():
    """Compare four measures with means over the alignment, in two sentence orders."""
    config = Config(num_layers=1, num_heads=2, cross="mean")
    weights = initial(config, 0, np.float64)
    heads = evaluation.alignment(SENTENCES, weights, config)
    assert [(h.layer, h.head) for h in heads] == [(0, 0), (0, 1)]

    def mean(measure):
        cases = ((s, i, at) for s in SENTENCES for i, at in enumerate(s.alignment))
        return pytest.approx(np.mean([measure(*case) for case in cases]))

    for head in (*heads, *evaluation.alignment(SENTENCES[::-1], weights, config)):
        chance = mean(lambda s, i, at: len(at) / len(s.english))
        assert head.chance == head.mass == chance
        # Of equal weights, argmax takes the first.
        assert head.largest == mean(lambda s, i, at: 0 in at)
        assert head.diagonal == mean(lambda s, i, at: min(i, len(s.english) - 1) in at)


def test_no_head_of_the_stored_model_attends_to_aligned_words(stored):
    best = max(evaluation.alignment(SENTENCES, *stored), key=lambda head: head.mass)
    assert best.layer == 1
    assert best.mass > 5 * best.chance
    assert best.largest > best.diagonal + 0.2
