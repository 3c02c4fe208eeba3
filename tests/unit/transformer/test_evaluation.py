"""The measures, on cases whose answer is known."""

import numpy as np
import pytest

from transformer.evaluation import aligned, alignment, bleu, exact_match
from transformer.parameters import Config, initial
from transformer.sentences import held_out_sentences

SENTENCES = held_out_sentences(40, pairs=False)
RIGHT = [list(sentence.french) for sentence in SENTENCES]


def test_one_wrong_word_is_a_wrong_sentence():
    assert exact_match(SENTENCES, RIGHT) == 1
    spoilt = [[*RIGHT[0][:-1], "noir"], RIGHT[1][:-1], *RIGHT[2:]]
    assert exact_match(SENTENCES, spoilt) == 38 / 40


def test_bleu_counts_runs_of_words():
    assert bleu(SENTENCES, RIGHT) == pytest.approx(100)
    # Of 6 words the first 5 agree: 5/6 words, 4/5 pairs, 3/4 triples, 2/3 fours.
    six = next(s for s in SENTENCES if len(s.french) == 6)
    found = [*six.french[:5], "never"]
    expected = 100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25
    assert bleu([six], [found]) == pytest.approx(expected)


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


def test_the_alignment_table_is_the_grammars():
    sentence = next(s for s in SENTENCES if "not" in s.english)
    table = aligned([sentence], 9, 11)[0]
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
