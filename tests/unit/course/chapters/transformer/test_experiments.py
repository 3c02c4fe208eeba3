"""The parts of the transformer do what chapter 6 says of them."""

import numpy as np
import pytest

from attention import softmax
from course.chapters.transformer import experiments

RNG = np.random.default_rng(7)


@pytest.mark.parametrize("d_k", [3, 8, 64])
def test_queries_and_keys_give_exactly_the_weights(d_k):
    Q, K = experiments.queries_and_keys(experiments.TOLD, d_k, RNG)
    weights = softmax(Q @ K.T / np.sqrt(d_k))
    np.testing.assert_allclose(weights, experiments.TOLD, rtol=1e-12)


def test_a_projection_makes_the_queries_of_the_notes_rows():
    rows = np.stack(list(experiments.note_embeddings(512, RNG).values()))
    wanted = RNG.standard_normal((3, 64))
    W = experiments.projection_for(rows, wanted)
    np.testing.assert_allclose(rows @ W, wanted, atol=1e-12)


def test_the_notes_ends_stand_where_it_prints_them():
    vectors = experiments.note_embeddings(512, RNG)
    assert vectors["am"][[0, 1, -1]].tolist() == [7.77, 0.631, 5.35]


@pytest.mark.parametrize("scheme", experiments.Head.SCHEMES)
@pytest.mark.parametrize("d", [16, 64])
def test_a_scheme_tells_order_or_place(scheme, d):
    changes = experiments.tell_order(d, seeds=3)[scheme]
    assert (changes["shuffled"].min() > 0.1) == (scheme != "none")
    absolute = scheme in ("sinusoidal", "learned")
    assert (changes["moved"].max() > 1e-9) == absolute


def test_a_learned_table_ends():
    head = experiments.Head(8, RNG, longest=4)
    with pytest.raises(IndexError, match="has 4 places, a word stands at 5"):
        head.logits("learned", RNG.standard_normal((3, 8)), start=2)


def test_a_scheme_that_is_none_is_named():
    head = experiments.Head(8, RNG)
    with pytest.raises(ValueError, match="scheme is 'alibi', expected one of"):
        head.logits("alibi", RNG.standard_normal((3, 8)))


def test_attention_alone_makes_words_alike_and_the_sum_keeps_them_apart():
    found = experiments.through_layers(16, layers=6, seeds=3)
    alone, kept = (
        found[around]["difference"][:, -1]
        for around in ("attention alone", "norm, then residual")
    )
    assert alone.max() < 1e-2 < kept.min()


def test_what_stands_around_a_stack_does_not_change_its_weights():
    together = experiments.through_stacks(4, seeds=[2], layers=3)
    for around, run in together.items():
        alone = experiments.through_stacks(4, seeds=[2], layers=3, around=[around])
        np.testing.assert_array_equal(alone[around]["size"], run["size"])


def test_a_stack_goes_its_way_whatever_goes_beside_it():
    together = experiments.through_layers(4, layers=3, seeds=3)
    alone = experiments.through_stacks(4, seeds=[1], layers=3)
    for around, run in together.items():
        for what, values in run.items():
            assert values.shape == (3, 4)
            np.testing.assert_allclose(values[1], alone[around][what][0], rtol=1e-5)


def test_words_differ_from_their_mean_and_have_a_root_mean_square():
    found = experiments.through_stacks(5, seeds=[3], layers=0, n=4)["residual"]
    x = np.random.default_rng(3).standard_normal((4, 5))
    assert found["size"] ** 2 == pytest.approx(np.vdot(x, x) / x.size)
    others = [x[i] - (x[0] + x[1] + x[2] + x[3]) / 4 for i in range(4)]
    apart = np.vdot(others, others) / np.vdot(x, x)
    assert found["difference"] ** 2 == pytest.approx(apart)


def test_a_layer_norm_leaves_mean_0_and_mean_square_1():
    x = RNG.normal(3, 5, (7, 4))  # of 4 numbers a divisor of 3 would show
    y = experiments.layer_norm(x)
    np.testing.assert_allclose(y.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose((y**2).mean(axis=-1), 1, rtol=1e-4)


def test_influence_sees_what_a_layer_reads():
    X = RNG.standard_normal((4, 6))
    previous = experiments.influence(lambda x: np.roll(x, 1, axis=0), X)
    np.testing.assert_array_equal(previous > 0, np.roll(np.eye(4), 1, axis=0) > 0)


@pytest.mark.parametrize(("leak", "leaks"), [(None, 0), ("mask", 4), ("norm", 10)])
def test_a_leak_shows_above_the_diagonal(leak, leaks):
    layer = experiments.masked_layer(8, np.random.default_rng(0), leak)
    moved = experiments.influence(layer, RNG.standard_normal((5, 8)))
    assert (np.triu(moved, 1) > 0).sum() == leaks
