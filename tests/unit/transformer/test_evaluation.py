"""The measures, on cases whose answer is known."""

import numpy as np
import pytest

from transformer.evaluation import (
    Tally,
    aligned,
    alignment,
    bleu,
    ends_right,
    exact_match,
    parting,
    tally,
    undecided,
)
from transformer.grammar import KINDS_OF_SENTENCES, MAX_FRENCH, MAX_WORDS
from transformer.model import forward
from transformer.parameters import Config, initial
from transformer.sentences import held_out_sentences
from transformer.trace import Trace
from transformer.training import batch_of
from transformer.vocabulary import FRENCH

SENTENCES = held_out_sentences(40, pairs=False)
RIGHT = [list(sentence.french) for sentence in SENTENCES]


def test_one_wrong_word_is_a_wrong_sentence():
    assert exact_match(SENTENCES, RIGHT) == 1
    spoilt = [[*RIGHT[0][:-1], "noir"], RIGHT[1][:-1], *RIGHT[2:]]
    assert exact_match(SENTENCES, spoilt) == 38 / 40


def test_a_tally_adds_up_and_tells_whose_mistake_it_was():
    whole = tally(SENTENCES, RIGHT)
    assert sum(t.sentences for t in whole) == sum(t.right for t in whole) == 40
    order = [(KINDS_OF_SENTENCES.index(t.kind), t.words) for t in whole]
    assert order == sorted(set(order))
    last = SENTENCES[-1].kind, len(SENTENCES[-1].english)
    missed = set(tally(SENTENCES, [*RIGHT[:-1], RIGHT[-1][:-1]])) - set(whole)
    (changed,) = missed
    assert changed[:2] == last
    same = [(s.kind, len(s.english)) for s in SENTENCES].count(last)
    assert changed == Tally(*last, sentences=same, right=same - 1)


AMBIGUOUS = held_out_sentences(20, pairs=False, ambiguous=True)


def test_right_translations_part_at_the_pronoun():
    for sentence in AMBIGUOUS:
        at = parting(sentence)
        words = {sentence.french[at], sentence.other[at]}
        assert words in ({"il", "elle"}, {"ils", "elles"})
        assert sentence.french[at - 1] == "car"


def test_what_is_undecided_is_read_where_the_translations_part():
    config = Config(num_layers=1)
    weights = initial(config, 0, np.float64)
    found = undecided(AMBIGUOUS, weights, config)
    assert found.shape == (20, 2)
    one, trace = AMBIGUOUS[7], Trace()
    batch = batch_of([one])
    forward(batch.source, batch.target, weights, config, trace)
    before = [*batch.target[0]].index(FRENCH.numbers["car"])
    for column, words in enumerate((one.french, one.other)):
        number = FRENCH.numbers[words[before]]  # the target begins with a mark
        assert found[7, column] == pytest.approx(trace["next"][0, before, number])


def test_an_untrained_machine_does_not_end_right():
    config = Config(num_layers=1)
    assert not ends_right(AMBIGUOUS, initial(config, 0), config).any()


def test_the_stored_model_is_undecided_and_agrees_with_either(stored):
    both = undecided(AMBIGUOUS, *stored)
    assert both.sum(axis=1).min() > 0.98
    assert 0.4 < both.mean() < 0.6
    assert ends_right(AMBIGUOUS, *stored).all()


def test_bleu_counts_runs_of_words():
    assert bleu(SENTENCES, RIGHT) == pytest.approx(100)
    # Of 6 words the first 5 agree: 5/6 words, 4/5 pairs, 3/4 triples, 2/3 fours.
    six = next(s for s in SENTENCES if len(s.french) == 6)
    found = [*six.french[:5], "never"]
    expected = 100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25
    assert bleu([six], [found]) == pytest.approx(expected)


@pytest.mark.more
@pytest.mark.parametrize("measure", [bleu, exact_match])
def test_every_sentence_counts_wherever_it_stands(measure):
    """Of 2,000 sentences one half, or the last alone, ends in a wrong word."""
    many = SENTENCES * 50
    wrong = [[*words[:-1], "never"] for words in RIGHT]
    halves = measure(many, RIGHT * 25 + wrong * 25)
    assert halves == pytest.approx(measure(many, wrong * 25 + RIGHT * 25))
    assert halves == pytest.approx(measure(SENTENCES * 2, RIGHT + wrong))
    last = measure(many, [*(RIGHT * 50)[:-1], wrong[-1]])
    first = measure([many[-1], *many], [wrong[-1], *(RIGHT * 50)])
    assert halves < last < measure(many, RIGHT * 50)
    assert last == pytest.approx(first, rel=1e-4)


def test_every_sentence_counts_in_what_heads_look_at():
    """Of 600 sentences the half that comes last counts as much as the first."""
    config = Config(num_layers=1, num_heads=1, d_model=8, d_ff=4)
    weights = initial(config, 0)
    few, other = SENTENCES[:20], SENTENCES[20:]
    (halves,) = alignment(few * 15 + other * 15, weights, config)
    (both,) = alignment(SENTENCES, weights, config)
    assert halves[2:] == pytest.approx(both[2:], rel=1e-5)
    np.testing.assert_allclose(
        undecided(AMBIGUOUS * 30, weights, config)[-20:],
        undecided(AMBIGUOUS, weights, config),
        rtol=1e-5,
    )


@pytest.mark.more
def test_the_alignment_table_is_the_grammars():
    drawn = held_out_sentences(300, pairs=False)
    sentence = next(s for s in drawn if "not" in s.english)
    table = aligned([sentence], MAX_WORDS, MAX_FRENCH)[0]
    for row, places in zip(table, sentence.alignment, strict=False):
        assert np.flatnonzero(row).tolist() == list(places)
    assert not table[len(sentence.french) :].any()


def test_a_head_that_looks_at_all_alike_is_at_chance():
    config = Config(num_layers=1, num_heads=2, cross="mean")
    heads = alignment(SENTENCES, initial(config, 0, np.float64), config)
    assert [(h.layer, h.head) for h in heads] == [(0, 0), (0, 1)]
    expected = np.mean(
        [len(at) / len(s.english) for s in SENTENCES for at in s.alignment]
    )
    for head in heads:
        assert head.chance == pytest.approx(expected)
        assert head.mass == pytest.approx(expected)
        first = np.mean([0 in at for s in SENTENCES for at in s.alignment])
        assert head.largest == pytest.approx(first)  # of equals, argmax takes place 0


def test_the_diagonal_is_place_by_place():
    config = Config(num_layers=1, num_heads=2)
    heads = alignment(SENTENCES, initial(config, 0, np.float64), config)
    expected = np.mean(
        [
            min(i, len(s.english) - 1) in at
            for s in SENTENCES
            for i, at in enumerate(s.alignment)
        ]
    )
    assert [head.diagonal for head in heads] == pytest.approx([expected] * 2)


def test_the_stored_model_looks_where_the_grammar_says(stored):
    heads = alignment(SENTENCES, *stored)
    best = max(heads, key=lambda head: head.mass)
    assert best.layer == 1
    assert best.mass > 5 * best.chance
    assert best.largest > best.diagonal + 0.2
