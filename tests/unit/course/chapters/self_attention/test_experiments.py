import numpy as np
import pytest

from attention import scaled_dot_product_attention, softmax
from course.chapters.self_attention import experiments
from course.kit.measures import barycentric
from course.notes import FOOTBALL

RNG = np.random.default_rng(0)


def test_bank_goes_in_alike_and_comes_out_apart():
    river = experiments.toy_sentence("the bank near the river")
    loan = experiments.toy_sentence("the bank approved the loan")
    np.testing.assert_array_equal(river.X[1], loan.X[1])
    np.testing.assert_allclose(river.weights.sum(axis=1), 1)
    money, water = 0, 1
    assert river.context[1, water] > river.context[1, money]
    assert loan.context[1, money] > loan.context[1, water]


def test_a_word_outside_the_toy_table_is_an_error():
    with pytest.raises(KeyError, match="piano"):
        experiments.toy_sentence("the piano")


def test_barycentric_shares_rebuild_the_points():
    corners = [[1.0, 0.0], [1.25, 0.65], [0.7, 0.0]]
    points = RNG.normal(size=(11, 2))
    shares = barycentric(points, corners)
    np.testing.assert_allclose(shares @ corners, points)
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_outputs_lie_inside_their_values_whatever_queries_and_keys():
    V = np.array([[1.0, 0.0], [1.25, 0.65], [0.7, 0.0]])
    for _ in range(20):
        Q, K = 10 * RNG.normal(size=(2, 3, 2))
        Z = scaled_dot_product_attention(Q, K, V)
        assert barycentric(Z, V).min() > -1e-12


def test_shuffled_words_keep_their_outputs():
    order = RNG.permutation(11)
    X = RNG.normal(size=(11, 5))
    W = RNG.normal(size=(3, 5, 7))
    before = experiments.self_attention(X, *W)
    np.testing.assert_allclose(experiments.self_attention(X[order], *W), before[order])


def test_division_outside_makes_rows_too_short():
    Q, K, V = (FOOTBALL.X @ W for W in (FOOTBALL.W_Q, FOOTBALL.W_K, FOOTBALL.W_V))
    weights, output = experiments.divided_after(Q, K, V)
    np.testing.assert_allclose(weights.sum(axis=1), 1 / np.sqrt(2))
    np.testing.assert_allclose(output, softmax(Q @ K.T) @ V / np.sqrt(2))
    assert barycentric(output, V).min() < 0


@pytest.mark.parametrize("name", experiments.NORMALISERS)
def test_every_normaliser_gives_shares_in_the_order_of_the_logits(name):
    logits = RNG.normal(size=13)
    weights = experiments.NORMALISERS[name](logits)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    assert weights.argmax() == logits.argmax()
    assert (np.diff(weights[logits.argsort()]) >= 0).all()


def test_sparsemax_is_the_nearest_row_of_shares():
    logits = np.array([1.2, 0.9, -0.5])
    weights = experiments.sparsemax(logits)
    np.testing.assert_allclose(weights, [0.65, 0.35, 0.0])
    others = RNG.dirichlet(np.ones(3), size=500)
    distance = np.linalg.norm(others - logits, axis=1)
    assert distance.min() >= np.linalg.norm(weights - logits)


def test_softplus_shares_alone_change_when_a_row_is_shifted():
    rows = experiments.normaliser_rows([0.3, 1.1, -0.4], shifts=[0, 2])
    changed = {n for n, (plain, moved) in rows.items() if not np.allclose(plain, moved)}
    assert changed == {"softplus shares"}
