"""The bench of tests, and the grading of a test that a reader wrote."""

import itertools

import numpy as np
import pytest

from attention import scaled_dot_product_attention
from course.practice import grade, right
from course.practice.bench import TELLING, TESTS, rejection, table
from course.practice.gallery import ATTENTIONS
from course.practice.outcomes import outcome, quiet, same

NAMES = set(ATTENTIONS)
OF_MASKS = {name for name, wrong in ATTENTIONS.items() if wrong.group == "mask"}
OF_NUMBERS = {name for name, wrong in ATTENTIONS.items() if wrong.group == "numbers"}


def some(*shapes):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


# --- The bench ------------------------------------------------------------------------


@pytest.mark.more
@pytest.mark.parametrize("name", TESTS)
def test_each_test_lets_the_right_ways_pass(name):
    assert TESTS[name].__doc__
    said = {way.__name__: rejection(TESTS[name], way) for way in right.WAYS}
    assert said == dict.fromkeys(said, "")


@pytest.mark.more
def test_together_they_catch_all_and_none_does_alone():
    caught = {
        test: {name for name, row in table().items() if row[test]} for test in TESTS
    }
    assert set().union(*caught.values()) == NAMES
    assert max(map(len, caught.values())) < len(NAMES)
    # what needs a mask, or extreme numbers, is told apart by nothing else
    assert not caught["all sizes different, against loops"] & OF_MASKS
    late = {"no maximum subtracted", "the matrix's maximum subtracted"}
    assert caught["causal, against loops"] == NAMES - late
    extremes = ("logits past 1,000", "one row far below", "4,096 equal keys")
    assert [caught[test] & OF_NUMBERS for test in extremes] == [
        {"no maximum subtracted"},
        {"the matrix's maximum subtracted"},
        {"total in float16"},
    ]
    # the coincidence of sizes hides what it says that it hides
    equal = caught["all sizes equal, against loops"]
    hidden = {"divided by sqrt(m)", "divided by sqrt(d_model)"}
    assert equal == NAMES - hidden - OF_NUMBERS | {"total in float16"}


# --- A reader's test ------------------------------------------------------------------


def shape_only(attention):
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    assert attention(Q, K, V).shape == (4, 4)


def square_without_a_mask(attention):
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    due = scaled_dot_product_attention(Q, K, V)
    return np.allclose(attention(Q, K, V), due, atol=1e-5)


def rows_add_up(attention):
    Q, K = some((3, 2), (5, 2))
    weights = attention(Q, K, np.eye(5))
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-5)


WEAK = {
    shape_only: set(),
    square_without_a_mask: NAMES
    - OF_MASKS
    - {
        "divided by sqrt(m)",
        "no maximum subtracted",
        "the matrix's maximum subtracted",
    },
    rows_add_up: {
        "divided after the softmax",
        "softmax over the queries",
        "softmax over all entries",
        "exponentials not divided by their sum",
        "keys not transposed",
        "weights transposed",
        "keys as values",
        "total in float16",
    },
}


@pytest.mark.parametrize("weak", WEAK, ids=lambda test: test.__name__)
def test_a_weak_test_is_graded_right(weak):
    found = grade(weak)
    assert not found.passed
    assert set(found.caught) == WEAK[weak]
    assert set(found.missed) == NAMES - WEAK[weak]
    text = " ".join(str(found).split())
    assert f"the test catches {len(WEAK[weak])} of 21." in text
    named = {name for name in found.missed if f"- {name}\n" in str(found)}
    assert named == (set(found.missed) if found.caught else set())


def whole(attention):
    rng = np.random.default_rng(1)
    for n, m, d_k, d_v in ((3, 5, 2, 4), (5, 5, 3, 3)):
        Q, K, V = (rng.normal(size=s) for s in ((n, d_k), (m, d_k), (m, d_v)))
        for causal in {False, n == m}:
            due = scaled_dot_product_attention(Q, K, V, is_causal=causal)
            np.testing.assert_allclose(attention(Q, K, V, causal), due, atol=1e-5)
    V = np.eye(2)
    for Q in ([[1000.0]], [[500.0], [-500.0]]):
        assert np.allclose(attention(np.array(Q), np.ones((2, 1)), V), 0.5)
    many = np.ones((4096, 1))
    assert np.allclose(attention(many[:1], many, many), 1)


@pytest.mark.more
def test_a_whole_test_passes():
    found = grade(whole)
    assert found.passed
    assert found.missed == ()
    assert "None is left" in str(found)


def test_a_test_that_is_too_strict_is_told_which_right_way_it_rejects():
    def exact(attention):
        Q, K, V = some((4, 4), (4, 4), (4, 4))
        np.testing.assert_array_equal(attention(Q, K, V), right.attention(Q, K, V))

    found = grade(exact)
    assert not found.passed
    assert "float32" in found.rejected
    assert found.caught == ()
    assert "rejects attentions that are right" in str(found)


def test_a_test_with_a_mistake_of_its_own_is_told():
    def broken(attention):
        return attention(*some((4, 4), (4, 3), (4, 4))).shape == (4, 4)

    found = grade(broken)
    assert set(found.rejected) == {way.__name__ for way in right.WAYS}
    assert "ValueError" in str(found)


def test_a_test_may_give_lists():
    def by_lists(attention):
        return np.allclose(attention([[1, 0]], [[1, 0], [1, 0]], [[2], [4]]), [[3]])

    found = grade(by_lists)
    assert found.rejected == ()
    assert found.caught


def test_a_test_of_more_than_matrices_is_told_what_it_should_give():
    def batched(attention):
        return attention(*some((4, 4), (4, 4)), np.ones((2, 4, 4))).shape == (2, 4, 4)

    text = str(grade(batched))
    assert text.count("V should be a matrix, got shape (2, 4, 4)") == 1
    assert "rejects all six right attentions" in text


def test_a_test_may_fail_by_pytest():
    def by_pytest(attention):
        if attention(*some((4, 4), (4, 4), (4, 4))).shape != (4, 4):
            pytest.fail("the shape is wrong")
        pytest.fail("this test rejects all")

    assert "Failed: this test rejects all" in str(grade(by_pytest))


def test_no_warning_reaches_who_is_graded(recwarn):
    assert "no maximum subtracted" in str(grade(ordinary_numbers))
    assert list(recwarn) == []


def ordinary_numbers(attention):
    Q, K, V = some((5, 3), (5, 3), (5, 4))
    due = scaled_dot_product_attention(Q, K, V, is_causal=True)
    return np.allclose(attention(Q, K, V, causal=True), due, atol=1e-5)


def test_a_test_that_returns_neither_is_told():
    assert "return True or False" in str(grade(lambda attention: np.ones(2)))


def test_what_is_no_test_is_told():
    assert "takes the test itself, and got bool" in str(grade(True))


def test_a_test_cannot_go_by_names_or_by_the_order():
    seen = []

    def by_name(attention):
        seen.append((attention.__name__, attention.__doc__, attention.__module__))
        return "wrong" not in attention.__module__

    assert set(grade(by_name).caught) in (set(), NAMES)
    assert len(set(seen)) == 1

    calls = itertools.count()
    for _ in range(20):
        first_six = grade(lambda attention: next(calls) % 27 < 6)
        assert not first_six.passed


def test_a_test_without_a_word_catches_nothing():
    assert grade(lambda attention: None).caught == ()


def test_each_wrong_one_shows_on_an_input_that_can_be_shown():
    for name, wrong in ATTENTIONS.items():
        with quiet():
            pairs = [
                (outcome(wrong.function, i), outcome(right.attention, i))
                for i in TELLING
            ]
        assert any(g.array is not None and not same(g, d) for g, d in pairs), name


def test_what_a_survivor_gives_is_shown_beside_what_is_right():
    def all_but_the_scale(attention):
        Q, K, V = np.zeros((3, 2)), *some((5, 2), (5, 4))
        assert np.allclose(attention(Q, K, V), V.mean(axis=0), atol=1e-5)

    found = grade(all_but_the_scale)
    assert found.missed[0] == "not divided"
    Q, K, V, causal, d_model = TELLING[0]
    text = str(found)
    for array in (
        ATTENTIONS["not divided"].function(Q, K, V, causal, d_model),
        scaled_dot_product_attention(Q, K, V, is_causal=causal),
    ):
        assert f"{array[1, 0]:.4f}" in text
