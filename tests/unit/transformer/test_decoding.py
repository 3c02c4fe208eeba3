"""Translating word by word: the stored model, and its traces."""

import numpy as np
import pytest

from attention import MultiHeadAttention
from transformer.decoding import trace_translation, translate
from transformer.grammar import text
from transformer.masks import causal
from transformer.model import read, write
from transformer.sentences import held_out_sentences
from transformer.vocabulary import ENGLISH, FRENCH, split

SENTENCES = [
    ("I am good", "je vais bien"),
    (
        "A dog ate the food because it was hungry",
        "un chien a mangé la nourriture car il avait faim",
    ),
    ("the cold water was dirty", "l'eau froide était sale"),
    (
        "the small black cats saw a red apple",
        "les petits chats noirs ont vu une pomme rouge",
    ),
    (
        "the cow washed the bottle because it was dirty",
        "la vache a lavé la bouteille car elle était sale",
    ),
    (
        "the wolf washed the bottle because it was tired",
        "le loup a lavé la bouteille car il était fatigué",
    ),
    ("the cat sat", "le chat s'est assis"),
    ("I play football", "je joue au football"),
    ("I bought an apple to eat", "j'ai acheté une pomme à manger"),
    ("the dog bites the man", "le chien mord l'homme"),
    (
        "The cat sat on the mat because it was tired.",
        "le chat s'est assis sur le tapis car il était fatigué",
    ),
]


@pytest.mark.parametrize(("english", "french"), SENTENCES)
def test_the_stored_model_translates(stored, english, french):
    (found,) = translate([split(english)], *stored)
    assert text(found) == french


def test_a_sentence_alone_is_translated_as_in_a_batch(stored):
    sentences = [s.english for s in held_out_sentences(12, pairs=True)]
    assert translate(sentences, *stored) == [
        translate([words], *stored)[0] for words in sentences
    ]


def test_a_translation_goes_on_from_where_it_is_made_to_begin(stored):
    english = split("a dog ate the apple because it was small")
    begun = ["un", "chien", "a", "mangé", "la", "pomme", "car"]
    both = [[*begun, "il"], [*begun, "elle"], begun[:1], []]
    his, hers, *free = translate([english] * 4, *stored, begun=both)
    assert text(his).endswith("car il était petit")
    assert text(hers).endswith("car elle était petite")
    assert free == translate([english] * 2, *stored)
    assert translate([english], *stored, begun=[["deux"]])[0][0] == "deux"


def test_a_beginning_is_asked_of_every_sentence_or_of_none(stored):
    with pytest.raises(ValueError, match="each of 2 sentences, got 1"):
        translate([["I", "sat"]] * 2, *stored, begun=[["je"]])


def test_an_unknown_word_is_refused(stored):
    with pytest.raises(ValueError, match="got 'dragon'"):
        translate([["the", "dragon"]], *stored)


@pytest.fixture(scope="module")
def translation(stored):
    return trace_translation(split(SENTENCES[1][0]), *stored)


def test_the_trace_holds_the_whole_way(stored, translation):
    _, config = stored
    m, n = 9, 11
    assert text(translation.french) == SENTENCES[1][1]
    assert translation.target == ["<start>", *translation.french]
    shapes = {name: array.shape for name, array in translation.arrays.items()}
    assert shapes["encoder.input"] == (m, config.d_model)
    assert shapes["decoder.1.cross_attention.head.3.weights"] == (n, m)
    assert shapes["decoder.0.self_attention.head.0.weights"] == (n, n)
    assert shapes["decoder.1.feed_forward.hidden"] == (n, config.d_ff)
    assert shapes["next"] == (n, len(FRENCH))
    assert {len(shape) for shape in shapes.values()} == {2}
    assert all(array.dtype == np.float64 for array in translation.arrays.values())


def test_every_row_is_what_its_step_computed(stored, translation):
    weights, config = stored
    source = np.array(ENGLISH.encode(translation.english))
    memory, _ = read(source, weights, config)
    np.testing.assert_allclose(memory, translation.arrays["encoder.output"], atol=1e-12)
    numbers = FRENCH.encode(translation.target)
    for step in range(1, len(numbers) + 1):
        logits, _ = write(np.array(numbers[:step]), memory, source, weights, config)
        expected = translation.arrays["logits"][step - 1]
        np.testing.assert_allclose(logits[-1], expected, atol=1e-12)
        following = [*numbers, 2][step]  # the last is followed by the end
        assert expected.argmax() == following


def test_the_steps_follow_from_each_other(stored, translation):
    """Chain the kept arrays by the formulas of the paper, layer norm included."""
    weights, config = stored
    kept = translation.arrays

    def norm(x, at):
        size = np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
        part = (x - x.mean(axis=-1, keepdims=True)) / size
        return part * at["gain"] + at["bias"]

    x, memory = kept["decoder.input"], kept["encoder.output"]
    np.testing.assert_allclose(
        x, kept["decoder.embedded"] + kept["decoder.positions"], atol=1e-12
    )
    for layer in range(config.num_layers):
        here, at = weights["decoder"][str(layer)], f"decoder.{layer}"
        found = MultiHeadAttention(**here["self_attention"])(
            x, attn_mask=causal(len(x))
        )
        x = norm(x + found, here["self_attention_norm"])
        np.testing.assert_allclose(kept[f"{at}.self_attention.norm"], x, atol=1e-11)
        found = MultiHeadAttention(**here["cross_attention"])(x, memory)
        x = norm(x + found, here["cross_attention_norm"])
        np.testing.assert_allclose(kept[f"{at}.cross_attention.norm"], x, atol=1e-11)
        ff = here["feed_forward"]
        hidden = np.maximum(x @ ff["W_1"] + ff["b_1"], 0)
        np.testing.assert_allclose(
            kept[f"{at}.feed_forward.hidden"], hidden, atol=1e-11
        )
        x = norm(x + hidden @ ff["W_2"] + ff["b_2"], here["feed_forward_norm"])
        np.testing.assert_allclose(kept[f"{at}.feed_forward.norm"], x, atol=1e-11)
    np.testing.assert_allclose(kept["logits"], x @ weights["french"].T, atol=1e-10)
    np.testing.assert_allclose(kept["next"].sum(axis=-1), 1, rtol=1e-12)
