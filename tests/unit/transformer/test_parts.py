"""The parts of the machine: what each does, told from its definition."""

import numpy as np
import pytest

from transformer import masks
from transformer.embeddings import embed, score_words
from transformer.layers import (
    cross_attention,
    feed_forward,
    layer_norm,
    linear,
    residual,
    self_attention,
)
from transformer.model import cross_entropy, read, write
from transformer.parameters import Config, initial, named, nested
from transformer.positions import sinusoidal
from transformer.trace import Trace

SMALL = {"num_layers": 2, "num_heads": 2, "d_model": 8, "d_ff": 5}
RNG = np.random.default_rng(11)
SOURCE = np.array([[5, 17, 30, 61, 8], [9, 44, 12, 0, 0]])
TARGET = np.array([[1, 20, 7, 90], [1, 12, 51, 9]])


def weights_of(config):
    return initial(config, 0, np.float64)


def test_layer_norm_leaves_mean_0_and_variance_1():
    x = RNG.normal(3, 5, (2, 7, 8))
    y, _ = layer_norm(x, {"gain": np.ones(8), "bias": np.zeros(8)})
    np.testing.assert_allclose(y.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(y.var(axis=-1), 1, rtol=1e-4)
    gain, bias = RNG.normal(size=8), RNG.normal(size=8)
    np.testing.assert_allclose(
        layer_norm(x, {"gain": gain, "bias": bias})[0], y * gain + bias
    )


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "alibi", "none"])
def test_a_machine_computes_in_the_dtype_of_its_weights(positions):
    config, trace = Config(**SMALL, positions=positions), Trace()
    weights = initial(config, 0, np.float32)
    memory, _ = read(SOURCE, weights, config, trace)
    write(TARGET, memory, SOURCE, weights, config, trace)
    kinds = {name: array.dtype for name, array in trace.arrays.items()}
    assert {name: kind for name, kind in kinds.items() if kind != np.float32} == {}


def test_feed_forward_treats_every_token_alone():
    weights = weights_of(Config(**SMALL))["encoder"]["0"]["feed_forward"]
    x = RNG.normal(size=(3, 8))
    both, _ = feed_forward(x, weights)
    for row, expected in zip(x, both, strict=True):
        hidden = [
            max(0.0, sum(row * weights["W_1"][:, j]) + weights["b_1"][j])
            for j in range(5)
        ]
        alone = np.array(hidden) @ weights["W_2"] + weights["b_2"]
        np.testing.assert_allclose(alone, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("config", "formula"),
    [
        (Config(), lambda x, f, norm: norm(x + f(x))),
        (Config(norm="pre"), lambda x, f, norm: x + f(norm(x))),
        (Config(residuals=False), lambda x, f, norm: norm(f(x))),
        (Config(norm="pre", residuals=False), lambda x, f, norm: f(norm(x))),
    ],
    ids=["post", "pre", "post, no residual", "pre, no residual"],
)
def test_a_sublayer_is_wrapped_by_its_formula(config, formula):
    weights = {"gain": RNG.normal(size=4), "bias": RNG.normal(size=4)}
    W, b = RNG.normal(size=(4, 4)), RNG.normal(size=4)
    x = RNG.normal(size=(3, 4))
    found, _ = residual(x, lambda x: linear(x, W, b), weights, config)
    expected = formula(x, lambda x: x @ W + b, lambda x: layer_norm(x, weights)[0])
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_sinusoidal_products_depend_on_distance_alone():
    table = sinusoidal(12, 16)
    products = table @ table.T
    for distance in range(12):
        diagonal = np.diagonal(products, distance)
        np.testing.assert_allclose(diagonal, diagonal[0], rtol=1e-12)
    assert table[3, 0] == pytest.approx(np.sin(3))
    assert table[3, 15] == pytest.approx(np.cos(3 / 10000 ** (14 / 16)))
    with pytest.raises(ValueError, match="d_model must be even"):
        sinusoidal(3, 5)


def test_an_embedding_is_a_scaled_row_plus_its_place():
    table = RNG.normal(size=(30, 4))
    x, _ = embed(np.array([[7, 2, 7]]), table, None, Config(d_model=4))
    np.testing.assert_allclose(x[0], 2 * table[[7, 2, 7]] + sinusoidal(3, 4))
    logits, _ = score_words(x, table)
    assert logits[0, 1, 5] == pytest.approx(x[0, 1] @ table[5])


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "learned", "alibi"])
def test_without_positions_the_encoder_reads_a_bag_of_words(positions):
    config = Config(**SMALL, positions=positions)
    weights = weights_of(config)
    order = [3, 0, 4, 2, 1]
    straight, _ = read(SOURCE[:1], weights, config)
    shuffled, _ = read(SOURCE[:1, order], weights, config)
    same = np.allclose(straight[0, order], shuffled[0], atol=1e-12)
    assert same == (positions == "none")


def test_a_causal_mask_alone_tells_order():
    config = Config(**SMALL, positions="none")
    weights = weights_of(config)
    memory, _ = read(SOURCE[:1], weights, config)
    straight, _ = write(TARGET[:1], memory, SOURCE[:1], weights, config)
    order = [0, 2, 1, 3]
    shuffled, _ = write(TARGET[:1, order], memory, SOURCE[:1], weights, config)
    # The last word has the same words before it, in another order.
    assert not np.allclose(straight[0, 3], shuffled[0, 3], atol=1e-6)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_no_word_sees_what_comes_after_it(norm):
    config = Config(**SMALL, norm=norm)
    weights = weights_of(config)
    memory, _ = read(SOURCE, weights, config)
    before, _ = write(TARGET, memory, SOURCE, weights, config)
    for place in range(TARGET.shape[1]):
        changed = TARGET.copy()
        changed[:, place] = 33
        after, _ = write(changed, memory, SOURCE, weights, config)
        moved = np.abs(after - before).max(axis=(0, 2)) > 0
        assert not moved[:place].any()
        assert moved[place:].all()


def test_padding_has_no_influence():
    config = Config(**SMALL)
    weights = weights_of(config)
    both, _ = read(SOURCE, weights, config)
    alone, _ = read(SOURCE[1:, :3], weights, config)
    np.testing.assert_allclose(both[1, :3], alone[0], rtol=0, atol=1e-13)
    logits, _ = write(TARGET, both, SOURCE, weights, config)
    shorter, _ = write(TARGET[1:], alone, SOURCE[1:, :3], weights, config)
    np.testing.assert_allclose(logits[1], shorter[0], rtol=0, atol=1e-12)
    other = SOURCE.copy()
    other[1, 3:] = 0
    other[0, 4] = 7
    changed, _ = read(other, weights, config)
    np.testing.assert_array_equal(changed[1, :3], both[1, :3])


def test_every_word_of_the_source_reaches_every_word_that_is_written():
    config = Config(**SMALL)
    weights = weights_of(config)
    memory, _ = read(SOURCE[:1], weights, config)
    before, _ = write(TARGET[:1], memory, SOURCE[:1], weights, config)
    for place in range(5):
        changed = SOURCE[:1].copy()
        changed[0, place] = 33
        memory, _ = read(changed, weights, config)
        after, _ = write(TARGET[:1], memory, changed, weights, config)
        assert (np.abs(after - before).max(axis=2) > 0).all()


def test_the_mean_gives_every_word_the_same():
    config = Config(**SMALL, cross="mean")
    weights = weights_of(config)["decoder"]["0"]["cross_attention"]
    x, memory = RNG.normal(size=(2, 4, 8)), RNG.normal(size=(2, 5, 8))
    mask = masks.padding(SOURCE)
    trace = Trace()
    found, _ = cross_attention(x, memory, weights, mask, config, trace)
    np.testing.assert_allclose(
        trace["head.1.weights"][1, 0], [1 / 3, 1 / 3, 1 / 3, 0, 0]
    )
    values = np.concatenate([memory[1, :3].mean(axis=0) @ W for W in weights["W_V"]])
    for row in found[1]:
        np.testing.assert_allclose(row, values @ weights["W_O"], rtol=1e-10)


def test_what_the_heads_add_is_the_sublayers_output():
    config = Config(**SMALL)
    weights = weights_of(config)["encoder"]["0"]["self_attention"]
    x, trace = RNG.normal(size=(5, 8)), Trace()
    found, _ = self_attention(x, weights, np.ones((5, 5), bool), trace)
    total = trace["head.0.added"] + trace["head.1.added"]
    np.testing.assert_allclose(total, found, rtol=1e-12)
    np.testing.assert_allclose(trace["output"], found, rtol=1e-12)


def test_a_trace_changes_nothing_and_cannot_be_changed():
    config = Config(**SMALL)
    weights = weights_of(config)
    trace = Trace()
    kept, _ = read(SOURCE, weights, config, trace)
    np.testing.assert_array_equal(kept, read(SOURCE, weights, config)[0])
    np.testing.assert_array_equal(trace["encoder.output"], kept)
    with pytest.raises(ValueError, match="read-only"):
        trace["encoder.output"][:] = 0


def test_alibi_takes_from_the_scores_by_distance_and_keeps_the_mask():
    mask = masks.by_distance(masks.causal(3), 2, 3, np.dtype(np.float64))
    assert mask.shape == (2, 3, 3)
    assert mask[0, 2].tolist() == [-2 * 2**-4, -(2**-4), 0]
    assert mask[1, 0].tolist() == [0, -np.inf, -np.inf]


def test_even_odds_cost_the_logarithm_of_the_vocabulary():
    labels = np.array([[3, 5, 0]])
    loss, d_logits = cross_entropy(np.zeros((1, 3, 10)), labels)
    assert loss == pytest.approx(np.log(10))
    np.testing.assert_array_equal(d_logits[0, 2], np.zeros(10))
    assert d_logits[0, 0, 3] == pytest.approx((0.1 - 1) / 2)
    assert d_logits[0, 0, 4] == pytest.approx(0.1 / 2)
    sure = np.full((1, 3, 10), -50.0)
    sure[0, [0, 1], [3, 5]] = 50
    assert cross_entropy(sure, labels)[0] == pytest.approx(0, abs=1e-12)


def test_names_and_trees_are_two_views_of_the_same():
    weights = weights_of(Config(**SMALL, norm="pre"))
    leaves = named(weights)
    assert "decoder.1.cross_attention.W_O" in leaves
    assert named(nested(leaves)) == leaves


def test_heads_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="num_heads must divide d_model = 32, got 5"):
        Config(num_heads=5)


@pytest.mark.parametrize("config", [Config(), Config(num_heads=1)])
def test_fresh_weights_keep_the_size_of_a_signal(config):
    for name, array in named(initial(config, 0)).items():
        assert array.dtype == np.float32
        if ".W_" in name:
            ends = {"W_1": 32 + 64, "W_2": 64 + 32}.get(name[-3:], 64)
            assert array.std() == pytest.approx(np.sqrt(2 / ends), rel=0.1), name
