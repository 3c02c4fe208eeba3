"""Greedy translation word by word: the stored model, and its traces."""

import numpy as np
import pytest

from transformer.decoding import trace_translation, translate
from transformer.grammar import text
from transformer.model import decode_logits, encode_source
from transformer.vocabulary import ENGLISH, FRENCH, split

SENTENCES = {
    "I am good": "je vais bien",
    "A dog ate the food because it was hungry": (
        "un chien a mangé la nourriture car il avait faim"
    ),
    "the cold water was dirty": "l'eau froide était sale",
    "the wolf washed the bottle because it was tired": (
        "le loup a lavé la bouteille car il était fatigué"
    ),
    "I bought an apple to eat": "j'ai acheté une pomme à manger",
    "The cat sat on the mat because it was tired.": (
        "le chat s'est assis sur le tapis car il était fatigué"
    ),
}


def test_the_stored_model_translates_a_sentence_of_the_page_wrong(stored):
    found = translate([split(english) for english in SENTENCES], *stored)
    assert [text(words) for words in found] == list(SENTENCES.values())


def test_a_translation_does_not_begin_with_the_given_words(stored):
    english = split("a dog ate the apple because it was small")
    begun = ["un", "chien", "a", "mangé", "la", "pomme", "car"]
    both = [[*begun, "il"], [*begun, "elle"], begun[:1], []]
    his, hers, *free = translate([english] * 4, *stored, begun=both)
    assert text(his).endswith("car il était petit")
    assert text(hers).endswith("car elle était petite")
    assert free == translate([english] * 2, *stored)
    assert translate([english], *stored, begun=[["deux"]])[0][0] == "deux"
    with pytest.raises(ValueError, match="each of 2 sentences, got 1"):
        translate([["I", "sat"]] * 2, *stored, begun=[["je"]])


def test_the_trace_of_a_sentence_without_words_fails(stored):
    (expected,) = translate([[]], *stored)
    assert trace_translation([], *stored).french == expected


def test_a_row_of_the_trace_differs_from_its_decoding_step(stored):
    """Compute each word again with a decoder that gets only the earlier words."""
    weights, config = stored
    found = trace_translation(split([*SENTENCES][1]), weights, config)
    assert text(found.french) == [*SENTENCES.values()][1]
    assert found.target == ["<start>", *found.french]
    arrays, m, n = found.arrays, 9, 11
    assert arrays["encoder.input"].shape == (m, config.d_model)
    assert arrays["decoder.1.cross_attention.head.3.weights"].shape == (n, m)
    assert {(a.ndim, a.dtype) for a in arrays.values()} == {(2, np.dtype(float))}
    source = np.array(ENGLISH.encode(found.english))
    memory, _ = encode_source(source, weights, config)
    numbers = [*FRENCH.encode(found.target), FRENCH.numbers["<end>"]]
    for step in range(1, n + 1):
        begun = np.array(numbers[:step])
        logits, _ = decode_logits(begun, memory, source, weights, config)
        np.testing.assert_allclose(logits[-1], arrays["logits"][step - 1], atol=1e-10)
        assert arrays["next"][step - 1].argmax() == numbers[step]
