"""Parts switched off, words drawn and searched: laws."""

import random

import numpy as np
import pytest

from attention import softmax
from transformer.decoding import trace_translation, translate
from transformer.laboratory import (
    beam,
    chances,
    choice,
    cut,
    head_means,
    heads_of,
    stored_means,
    switches,
    trace_run,
)
from transformer.model import forward
from transformer.parameters import MAX_LENGTH, Config, initial
from transformer.sentences import draw, held_out_sentences
from transformer.storage import load
from transformer.vocabulary import END, ENGLISH, FRENCH, START, split

WEIGHTS, CONFIG = load()
DOG = split("a dog ate the food because it was hungry")


def test_nothing_off_is_the_whole_machine():
    run = trace_run(DOG, cut(WEIGHTS, CONFIG, ()))
    whole = trace_translation(DOG, WEIGHTS, CONFIG)
    assert run.french == whole.french
    assert run.arrays.keys() == whole.arrays.keys()
    for name, array in whole.arrays.items():
        np.testing.assert_array_equal(run.arrays[name], array)


@pytest.mark.parametrize("name", heads_of(CONFIG)[::7])
def test_a_head_that_is_off_adds_nothing_or_its_mean(name):
    means = stored_means()
    for wanted, given in ((0, None), (means[name], means)):
        run = trace_run(DOG, cut(WEIGHTS, CONFIG, [name], given))
        sublayer = name.split(".head.")[0]
        others = sum(
            run.arrays[f"{sublayer}.head.{head}.added"]
            for head in range(CONFIG.num_heads)
        )
        np.testing.assert_array_equal(run.arrays[f"{name}.added"], 0)
        expected = others + wanted
        found = run.arrays[f"{sublayer}.output"]
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_sublayer_without_its_heads_passes_on_what_came_in():
    off = [name for name in heads_of(CONFIG) if name.startswith("encoder.0")]
    arrays = trace_run(DOG, cut(WEIGHTS, CONFIG, off)).arrays
    before, after = arrays["encoder.input"], arrays["encoder.0.self_attention.residual"]
    np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_positions_and_residuals_are_switched_a_side(side):
    other = {"encoder": "decoder", "decoder": "encoder"}[side]
    off = [f"{side}.positions", f"{side}.residuals"]
    arrays = trace_run(DOG, cut(WEIGHTS, CONFIG, off)).arrays
    assert (arrays[f"{side}.positions"] == 0).all()
    assert (arrays[f"{other}.positions"] != 0).any()
    at = f"{side}.0.self_attention"
    found = arrays[f"{at}.output"]
    np.testing.assert_allclose(arrays[f"{at}.residual"], found, atol=1e-12)


def test_order_of_the_switches_does_not_matter():
    names = random.Random(0).sample(switches(CONFIG), 6)
    one, other = (
        trace_run(DOG, cut(WEIGHTS, CONFIG, off, stored_means()))
        for off in (names, names[::-1])
    )
    assert one.french == other.french


def test_a_part_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match=r"off must name parts .* \['encoder.9'\]"):
        cut(WEIGHTS, CONFIG, ["encoder.9"])


def test_means_are_those_of_the_words_and_not_of_the_filling():
    sentences = held_out_sentences(2, pairs=False)
    means = head_means(sentences, WEIGHTS, CONFIG)
    name = heads_of(CONFIG)[0]
    rows = [
        trace_translation(s.english, WEIGHTS, CONFIG).arrays[f"{name}.added"]
        for s in sentences
    ]
    np.testing.assert_allclose(means[name], np.concatenate(rows).mean(axis=0))


def test_every_sentence_counts_in_what_a_head_adds_in_the_mean():
    """Of 600 sentences the half that comes last counts as much as the first."""
    config = Config(num_layers=1, num_heads=1, d_model=8, d_ff=4)
    weights = initial(config, 0, np.float64)
    few, other = (held_out_sentences(20, pairs=pairs) for pairs in (False, True))
    halves = head_means(few * 15 + other * 15, weights, config)
    for name, mean in head_means(few + other, weights, config).items():
        np.testing.assert_allclose(halves[name], mean)


def test_a_sentence_that_does_not_end_is_cut_off_at_one_length():
    endless = ["chat"] * (MAX_LENGTH + 5)
    (found,) = translate([DOG], WEIGHTS, CONFIG, [endless])
    run = trace_run(DOG, cut(WEIGHTS, CONFIG, ()), endless)
    assert run.french == found == endless[:MAX_LENGTH]


def test_a_forced_word_stands_and_the_others_go_on():
    english = split("the horse washed the food because it was small")
    begun = translate([english], WEIGHTS, CONFIG)[0][:7]
    forced = [*[""] * 7, "elle"]
    run = trace_run(english, cut(WEIGHTS, CONFIG, ()), forced)
    (expected,) = translate([english], WEIGHTS, CONFIG, [[*begun, "elle"]])
    assert run.french == expected
    assert "petite" in expected


def test_chances_are_even_and_the_same_for_a_seed():
    drawn = np.array([list(chances(seed)) for seed in range(1, 2001)])
    assert list(chances(5)) == list(drawn[4])
    np.testing.assert_allclose(drawn.mean(axis=0), 0.5, atol=0.03)
    assert ((drawn > 0) & (drawn < 1)).all()


def test_draws_have_the_shares_of_the_softmax():
    logits = np.log([0.5, 0.3, 0.2])
    drawn = [choice(logits, 1, u) for u in np.linspace(0.0005, 0.9995, 1000)]
    assert np.bincount(drawn).tolist() == [500, 300, 200]
    assert choice(logits, 1, 0) == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_beam_of_one_is_greedy_and_a_wider_one_no_worse(seed):
    english = draw(random.Random(seed)).english
    machine = cut(WEIGHTS, CONFIG, ())
    (greedy,) = translate([english], WEIGHTS, CONFIG)
    narrow, wide = (beam(english, machine, width)[-1].kept for width in (1, 3))
    assert narrow[0].words == (*greedy, END)
    assert wide[0].total >= narrow[0].total - 1e-12
    assert len({branch.words for branch in wide}) == 3


@pytest.mark.parametrize("width", [1, 2, 4])
def test_beams_are_ordered_and_as_probable_as_the_machine_finds_them(width):
    for english in ("I am good", "the horse washed the food because it was small"):
        found = beam(split(english), cut(WEIGHTS, CONFIG, ()), width)[-1].kept
        totals = [branch.total for branch in found]
        assert totals == sorted(totals, reverse=True)
        for branch in found:
            expected = probability_of(split(english), branch.words)
            assert np.exp(branch.total) == pytest.approx(expected)


def probability_of(english, words):
    """The product of what the machine gives each word, in one pass."""
    target = np.array([FRENCH.encode([START, *words[:-1]])])
    logits, _ = forward(np.array([ENGLISH.encode(english)]), target, WEIGHTS, CONFIG)
    return np.prod(softmax(logits[0])[np.arange(len(words)), FRENCH.encode(words)])


@pytest.mark.more
def test_a_beam_holds_both_translations_where_two_are_right():
    for sentence in held_out_sentences(5, pairs=False, ambiguous=True):
        found = beam(sentence.english, cut(WEIGHTS, CONFIG, ()), 2)[-1].kept
        both = {(*sentence.french, END), (*sentence.other, END)}
        assert {branch.words for branch in found} == both
