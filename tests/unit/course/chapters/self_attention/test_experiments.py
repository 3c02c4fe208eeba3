import numpy as np
import pytest
from repeats import first_and_weekly

from attention import scaled_dot_product_attention, softmax
from course.chapters.self_attention import experiments
from course.kit.measures import barycentric
from course.notes import FOOTBALL

RNG = np.random.default_rng(0)


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
    before = scaled_dot_product_attention(*(X @ W))
    np.testing.assert_allclose(
        scaled_dot_product_attention(*(X[order] @ W)), before[order]
    )


def test_dividing_outside_leaves_the_region_only_where_it_does_not_hold_zero():
    Q, K, V = (FOOTBALL.X @ W for W in (FOOTBALL.W_Q, FOOTBALL.W_K, FOOTBALL.W_V))
    weights = softmax(Q @ K.T) / np.sqrt(2)
    assert (barycentric(weights @ V, V).min(axis=1) < 0).all()
    around_zero = V - V.mean(axis=0)
    assert barycentric(weights @ around_zero, around_zero).min() > 0


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


def ratio(shares, row):
    return shares(row)[0] / shares(row)[1]


def test_softmax_alone_keeps_shares_when_shifted_and_ratios_when_others_change():
    row, lower = np.array([0.3, 1.1, 0.8]), np.array([0, 0, -0.5])
    shifted, ratios = set(), set()
    for name in ("softmax", "softplus shares", "sparsemax"):
        shares = experiments.NORMALISERS[name]
        if np.allclose(shares(row), shares(row + 2)):
            shifted.add(name)
        if np.isclose(ratio(shares, row), ratio(shares, row + lower)):
            ratios.add(name)
    assert shifted == {"softmax", "sparsemax"}
    assert ratios == {"softmax", "softplus shares"}


@pytest.mark.parametrize("seed", first_and_weekly(range(3)))
@pytest.mark.parametrize(("n", "d_k"), [(4, 16), (8, 16), (16, 16), (8, 4), (8, 64)])
def test_with_one_matrix_words_look_at_themselves(n, d_k, seed):
    one = experiments.looks_at_itself(n, d_k, matrices=1, seed=seed)
    two = experiments.looks_at_itself(n, d_k, matrices=2, seed=seed)
    assert one > 0.65
    assert two == pytest.approx(1 / n, abs=0.05)


def test_with_one_matrix_the_longest_query_scores_highest_with_itself():
    X, W = RNG.normal(size=(13, 7)), RNG.normal(size=(7, 3))
    scores = (X @ W) @ (X @ W).T
    longest = np.linalg.norm(X @ W, axis=1).argmax()
    np.testing.assert_allclose(scores, scores.T)
    assert scores[longest].argmax() == longest


def attend_to_both(facts, W_V, W_O):
    """One head with fixed, even weights over two facts, and a matrix after it."""
    silent = np.zeros_like(facts)
    return scaled_dot_product_attention(silent, silent, facts @ W_V)[:, :1] @ W_O


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("draw", ["standard_normal", "exponential", "uniform"])
def test_a_mean_adds_two_facts_up_with_a_matrix_before_it_and_one_after(seed, draw):
    facts = getattr(np.random.default_rng(seed), draw)(size=(1000, 2, 1))
    as_it_is, doubled = np.eye(1), 2 * np.eye(1)
    mean = attend_to_both(facts, as_it_is, as_it_is).ravel()
    total = attend_to_both(facts, as_it_is, doubled).ravel()
    low, high = facts.min(axis=(1, 2)), facts.max(axis=(1, 2))
    assert ((low <= mean) & (mean <= high)).all()
    np.testing.assert_allclose(total, facts.sum(axis=(1, 2)))
    reached = (total < low) | (total > high)  # what no value contains
    assert (reached == (facts.prod(axis=(1, 2)) > 0)).all()
    assert reached.any()
    turned = attend_to_both(facts, -as_it_is, doubled).ravel()
    np.testing.assert_allclose(turned, -total)


@pytest.mark.parametrize("seed", range(3))
def test_with_fixed_weights_no_two_matrices_give_the_product_of_two_facts(seed):
    facts = np.random.default_rng(seed).standard_normal((4000, 2, 1))
    W_V, W_O = np.random.default_rng(seed + 3).standard_normal((2, 1, 1))
    mixed = attend_to_both(facts, W_V, W_O).ravel()
    product = facts.prod(axis=(1, 2))
    left = product - mixed * (mixed @ product) / (mixed @ mixed)
    assert left.var() > 0.95 * product.var()


@pytest.mark.parametrize("seed", range(3))
def test_weights_that_grow_with_one_fact_reach_its_product_with_another(seed):
    one, other = np.random.default_rng(seed).standard_normal((2, 4000))
    query, key = 0.1 * one[:, None, None], np.array([[[1.0], [0.0]]])  # logit one / 10
    value = np.stack([other, np.zeros(4000)], axis=1)[..., None]
    mixed = scaled_dot_product_attention(query, key, value).ravel()
    columns = np.stack([mixed, one, other], axis=1)
    readout, *_ = np.linalg.lstsq(columns[:2000], (one * other)[:2000], rcond=None)
    left = (one * other - columns @ readout)[2000:]
    assert left.var() < 0.01
