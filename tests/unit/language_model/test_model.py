"""The model with small random weights, so that no file is needed."""

import numpy as np
import pytest

from attention import softmax
from language_model.model import Knobs, Layer, Model, probabilities

H, G, D_K, D_MODEL, LAYERS, WORDS, HIDDEN = 6, 2, 4, 13, 3, 29, 17


def draw(*shape):
    return RNG.normal(0, shape[0] ** -0.5, shape).astype(np.float32)


RNG = np.random.default_rng(0)
SHAPES = {
    "attention_norm": (D_MODEL,),
    "W_Q": (D_MODEL, H * D_K),
    "W_K": (D_MODEL, G * D_K),
    "W_V": (D_MODEL, G * D_K),
    "W_O": (H * D_K, D_MODEL),
    "feed_forward_norm": (D_MODEL,),
    "W_gate": (D_MODEL, HIDDEN),
    "W_up": (D_MODEL, HIDDEN),
    "W_down": (HIDDEN, D_MODEL),
}
MODEL = Model(
    embedding=draw(WORDS, D_MODEL),
    layers=[
        Layer(**{name: draw(*shape) for name, shape in SHAPES.items()})
        for _ in range(LAYERS)
    ],
    last_norm=1 + draw(D_MODEL),
    d_k=D_K,
    base=100.0,
)
TOKENS = [3, 28, 0, 7, 7, 11, 5]
EVERYTHING = ("vectors", "scores", "weights", "outputs")


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=0, atol=2e-5)


@pytest.mark.parametrize("first", [0, 2])
def test_the_cache_or_a_run_from_a_later_layer_changes_a_vector(first):
    reading, caches = MODEL.read(TOKENS, keep=["vectors"]), MODEL.caches()
    vectors = reading.vectors[first]
    close(MODEL.read(TOKENS, first=first, vectors=vectors).last, reading.last)
    parts = [
        MODEL.read(TOKENS[at], first=first, vectors=vectors[at], caches=caches).last
        for at in (slice(3), slice(3, None))
    ]
    close(np.concatenate(parts), reading.last)


def test_keeping_arrays_changes_a_vector_or_gives_wrong_shapes():
    reading = MODEL.read(TOKENS, keep=EVERYTHING)
    n = len(TOKENS)
    close(reading.last, MODEL.read(TOKENS).last)
    assert [a.shape for a in reading.weights] == [(H, n, n)] * LAYERS
    assert [a.shape for a in reading.outputs] == [(H, n, D_K)] * LAYERS
    assert [a.shape for a in reading.vectors] == [(n, D_MODEL)] * LAYERS


def test_weights_are_not_the_softmax_of_the_scores_that_a_query_may_see():
    reading = MODEL.read(TOKENS, keep=EVERYTHING)
    seen = np.tri(len(TOKENS), dtype=bool)
    for scores, weights in zip(reading.scores, reading.weights, strict=True):
        close(weights, softmax(np.where(seen, scores / D_K**0.5, -np.inf)))


def test_a_layer_gets_the_sharpness_of_another_layer():
    knobs = Knobs(sharpness=np.arange(1, LAYERS + 1)[:, None] / 2)
    reading = MODEL.read(TOKENS, knobs, keep=["vectors"])
    later = MODEL.read(TOKENS, knobs, first=1, vectors=reading.vectors[1])
    close(later.last, reading.last)


def test_sharpness_changes_another_head_or_not_the_chosen_one():
    plain = MODEL.read(TOKENS, keep=["weights"]).weights
    sharpness = np.ones((LAYERS, H))
    sharpness[1, 4] = 0
    flat = MODEL.read(TOKENS, Knobs(sharpness=sharpness), keep=["weights"]).weights
    close(flat[0], plain[0])
    close(np.delete(flat[1], 4, axis=0), np.delete(plain[1], 4, axis=0))
    close(flat[1][4, -1], 1 / len(TOKENS))


def test_replacing_a_heads_output_by_itself_changes_a_vector():
    reading = MODEL.read(TOKENS, keep=["outputs"])
    same = Knobs(outputs={(1, 2): reading.outputs[1][2]})
    close(MODEL.read(TOKENS, same).last, reading.last)
    # the kept output is the replacement
    other = np.full((len(TOKENS), D_K), 0.5, np.float32)
    reading = MODEL.read(TOKENS, Knobs(outputs={(1, 2): other}), keep=["outputs"])
    close(reading.outputs[1][2], other)


def test_a_head_that_is_off_adds_to_a_vector():
    rows = slice(2 * D_K, 3 * D_K)
    without = MODEL.layers[1].W_O.copy()
    without[rows] = 0
    off = MODEL.read(TOKENS, Knobs(outputs={(1, 2): 0.0})).last
    close(off, MODEL.read(TOKENS, Knobs(W_O={1: without})).last)
    begin = {"first": 1, "vectors": MODEL.read(TOKENS, keep=["vectors"]).vectors[1]}
    close(MODEL.read(TOKENS, Knobs(outputs={(1, 2): 0.0}), **begin).last, off)
    assert np.abs(off - MODEL.read(TOKENS).last).max() > 1e-3


def test_the_loss_is_not_minus_the_log_of_the_probability():
    scores = MODEL.scores_of_words(MODEL.read(TOKENS).last)
    chances = probabilities(scores)[np.arange(len(TOKENS) - 1), TOKENS[1:]]
    close(MODEL.losses(TOKENS), -np.log(chances))


def test_text_continues_with_a_less_probable_word():
    text = MODEL.go_on(TOKENS, 4)
    for i, word in enumerate(text):
        last = MODEL.read(TOKENS + text[:i]).last[-1]
        assert word == MODEL.scores_of_words(last).argmax()


def test_a_high_sharpness_leaves_a_second_word():
    assert probabilities(np.array([1.0, 3.0, 2.0]), 50.0) == pytest.approx([0, 1, 0])
