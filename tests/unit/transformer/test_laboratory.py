"""Parts switched off, forced words, beam search."""

import numpy as np
import pytest

from attention import softmax
from transformer import laboratory
from transformer.decoding import trace_translation, translate
from transformer.model import decode_logits, encode_source, forward
from transformer.parameters import MAX_LENGTH
from transformer.storage import load
from transformer.trace import Trace
from transformer.vocabulary import END, ENGLISH, FRENCH, START, split

WEIGHTS, CONFIG = load()
DOG = split("a dog ate the food because it was hungry")
FRENCH_DOG = split("un chien a mangé la nourriture car il avait faim")


def arrays(off, means=None):
    """Return the arrays of one pass over a sentence with some parts switched off."""
    machine, trace = laboratory.cut(WEIGHTS, CONFIG, off, means), Trace()
    source = np.array(ENGLISH.encode(DOG))
    memory, _ = encode_source(source, machine.weights, machine.encoder_config, trace)
    target = np.array(FRENCH.encode([START, *FRENCH_DOG]))
    decode_logits(
        target, memory, source, machine.weights, machine.decoder_config, trace
    )
    return trace.arrays


def test_a_cut_of_nothing_changes_the_translator():
    run = laboratory.trace_run(DOG, laboratory.cut(WEIGHTS, CONFIG, ()))
    whole = trace_translation(DOG, WEIGHTS, CONFIG)
    assert run.french == whole.french
    np.testing.assert_allclose(run.arrays["next"], whole.arrays["next"], atol=1e-12)


@pytest.mark.more
@pytest.mark.parametrize("name", laboratory.heads_of(CONFIG))
def test_a_head_that_is_off_adds_neither_zero_nor_its_mean(name):
    """The inputs of the layer are equal, so its other heads add the same vectors."""
    whole, means = arrays(()), laboratory.stored_means()
    sublayer, number = name.split(".head.")
    others = sum(
        whole[f"{sublayer}.head.{head}.added"]
        for head in range(CONFIG.num_heads)
        if head != int(number)
    )
    for wanted, given in ((0, None), (means[name], means)):
        found = arrays([name], given)
        np.testing.assert_array_equal(found[f"{name}.added"], 0)
        output = found[f"{sublayer}.output"]
        np.testing.assert_allclose(output, others + wanted, atol=1e-10)


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_a_switch_turns_off_another_part_or_not_its_own(side):
    [other] = {"encoder", "decoder"} - {side}
    whole = arrays(())
    found = arrays([f"{side}.positions"])
    assert (found[f"{side}.positions"] == 0).all()
    at = f"{other}.positions"
    np.testing.assert_array_equal(found[at], whole[at])
    at = f"{side}.0.self_attention"
    found = arrays([f"{side}.residuals"])
    np.testing.assert_allclose(found[f"{at}.residual"], found[f"{at}.output"])
    at = f"{other}.0.self_attention"
    total = found[f"{other}.input"] + found[f"{at}.output"]
    np.testing.assert_allclose(found[f"{at}.residual"], total)
    found = arrays([f"{side}.1.feed_forward"])
    assert not found[f"{side}.1.feed_forward.output"].any()
    assert found[f"{side}.0.feed_forward.output"].any()


def test_switches_depend_on_order_or_repetition_or_unknown_ones_are_accepted():
    names = laboratory.switches(CONFIG)[::3]  # two heads of some sublayers
    both = names, [*names[::-1], *names]
    one, other = (arrays(off, laboratory.stored_means()) for off in both)
    np.testing.assert_allclose(one["logits"], other["logits"], atol=1e-10)
    with pytest.raises(ValueError, match=r"off must name parts .* \['encoder.9'\]"):
        laboratory.cut(WEIGHTS, CONFIG, ["encoder.9"])


# --- choosing words -------------------------------------------------------------------


def test_a_forced_word_is_not_written_or_changes_an_earlier_word():
    english = split("the horse washed the food because it was small")
    begun = translate([english], WEIGHTS, CONFIG)[0][:7]
    (expected,) = translate([english], WEIGHTS, CONFIG, [[*begun, "elle"]])
    whole = laboratory.cut(WEIGHTS, CONFIG, ())
    greedy = laboratory.trace_run(english, whole, [*[""] * 7, "elle"])
    assert greedy.french == expected
    assert "petite" in expected


def test_a_sentence_without_an_end_does_not_stop_at_the_limit():
    endless = ["chat"] * (MAX_LENGTH + 5)
    (found,) = translate([DOG], WEIGHTS, CONFIG, [endless])
    run = laboratory.trace_run(DOG, laboratory.cut(WEIGHTS, CONFIG, ()), endless)
    assert run.french == found == endless[:MAX_LENGTH]


def probability_of(english, words):
    """Return the product of the probabilities of all words, from one pass."""
    target = np.array([FRENCH.encode([START, *words[:-1]])])
    logits, _ = forward(np.array([ENGLISH.encode(english)]), target, WEIGHTS, CONFIG)
    return np.prod(softmax(logits[0])[np.arange(len(words)), FRENCH.encode(words)])


@pytest.mark.more
@pytest.mark.parametrize("width", [1, 2, 5])
def test_a_beam_is_not_sorted_or_has_wrong_probabilities(width):
    english = split("the horse washed the food because it was small")
    found = laboratory.beam(english, laboratory.cut(WEIGHTS, CONFIG, ()), width)
    totals = [branch.total for branch in found]
    assert totals == sorted(totals, reverse=True)
    assert len({branch.words for branch in found}) == width
    for branch in found:
        expected = probability_of(english, branch.words)
        assert np.exp(branch.total) == pytest.approx(expected)
    (greedy,) = translate([english], WEIGHTS, CONFIG)
    assert width > 1 or found[0].words == (*greedy, END)
    assert np.exp(found[0].total) >= probability_of(english, (*greedy, END)) - 1e-9
