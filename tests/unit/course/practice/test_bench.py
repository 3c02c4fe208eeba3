"""The tests that judge a reader's attention, and the grading of a reader's own test."""

import numpy as np
import pytest

from attention import scaled_dot_product_attention
from course.practice import grade, right
from course.practice.bench import SHOWN_INPUTS, TESTS, rejection, table
from course.practice.gallery import ATTENTIONS

NAMES = set(ATTENTIONS)
OF_MASKS = {wrong.name for wrong in ATTENTIONS.of("mask")}
LARGE = {"no maximum subtracted", "the matrix's maximum subtracted"}
OF_NUMBERS = LARGE | {"total in float16"}


def some(*shapes):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.more
@pytest.mark.parametrize("name", TESTS)
def test_a_test_of_the_bench_rejects_a_right_attention(name):
    reasons = {way.__name__: rejection(TESTS[name], way) for way in right.WAYS}
    assert reasons == dict.fromkeys(reasons, "")


@pytest.mark.more
def test_the_bench_misses_or_catches_other_attentions_than_the_page_says():
    caught = {t: {name for name, row in table().items() if row[t]} for t in TESTS}
    assert set().union(*caught.values()) == NAMES
    by_identity = {
        "logits divided by their sum",
        "keys as values",
        "softmax over the queries",
        "weights transposed",
    }
    assert by_identity <= caught["the identity as values"]
    assert not caught["all sizes different, against loops"] & OF_MASKS
    assert caught["causal, against loops"] == NAMES - LARGE
    for test, mistake in (
        ("logits past 1,000", "no maximum subtracted"),
        ("one row far below", "the matrix's maximum subtracted"),
        ("4,096 equal keys", "total in float16"),
    ):
        assert caught[test] & OF_NUMBERS == {mistake}
    hidden = {"divided by sqrt(m)", "divided by sqrt(d_model)"} | LARGE
    assert caught["all sizes equal, against loops"] == NAMES - hidden


def shape_only(attention):
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    assert attention(Q, K, V).shape == (4, 4)


def square_without_a_mask(attention):
    Q, K, V = some((4, 4), (4, 4), (4, 4))
    expected = scaled_dot_product_attention(Q, K, V)
    return np.allclose(attention(Q, K, V), expected, atol=1e-5)


WEAK = {
    shape_only: set(),
    square_without_a_mask: NAMES - OF_MASKS - LARGE - {"divided by sqrt(m)"},
}


@pytest.mark.parametrize("weak", WEAK, ids=lambda test: test.__name__)
def test_a_weak_test_gets_a_wrong_grade(weak, recwarn):
    found = grade(weak)
    assert not found
    assert not found.passed
    assert set(found.caught) == WEAK[weak]
    assert set(found.missed) == NAMES - WEAK[weak]
    assert f"the test catches {len(WEAK[weak])} of 21." in " ".join(str(found).split())
    named = {name for name in found.missed if f"- {name}\n" in str(found)}
    assert named == (set(found.missed) if found.caught else set())
    assert list(recwarn) == []


@pytest.mark.more
def test_a_complete_test_fails():
    found = grade(lambda a: not any(rejection(test, a) for test in TESTS.values()))
    assert (found.passed, found.missed) == (True, ())
    assert "misses none" in str(found)


def failing_by_pytest(attention):
    pytest.fail("this test rejects all")


@pytest.mark.parametrize(
    ("faulty", "reason"),
    [
        (lambda attention: attention(*some((4, 4), (4, 3), (4, 4))), "ValueError"),
        (lambda attention: attention(*np.ones((3, 2, 4, 4))), "Q should be a matrix"),
        (failing_by_pytest, "Failed: this test rejects all"),
        (lambda attention: attention(mask=None), "TypeError: attention() got an"),
        (lambda attention: np.ones(2), "return True or False"),
        (True, "takes the test itself, and got bool"),
    ],
)
def test_a_faulty_test_passes_or_gets_no_reason(faulty, reason):
    found = grade(faulty)
    assert not found.passed
    assert found.caught == ()
    assert reason in " ".join(str(found).split())


def test_rejected_right_attentions_are_not_named_or_reported_as_all_six():
    def too_exact(attention):
        Q, K, V = some((3, 2), (5, 2), (5, 4))
        expected = scaled_dot_product_attention(Q, K, V)
        assert np.allclose(attention(Q, K, V), expected, rtol=0, atol=1e-12), "too far"

    found = grade(too_exact)
    assert found.rejected == ("float32",)
    assert "rejects attentions that are right" in str(found)
    assert "float32" in str(found)
    assert "all six" not in str(found)
    assert "all six" in str(grade(failing_by_pytest))


def test_the_missed_attention_is_shown_with_wrong_outputs():
    def all_but_the_scale(attention):
        Q, K, V = np.zeros((3, 2)), *some((5, 2), (5, 4))
        assert np.allclose(attention(Q, K, V), V.mean(axis=0), atol=1e-5)

    found = grade(all_but_the_scale)
    assert found.missed[0] == "not divided"
    Q, K, V, causal, d_model = SHOWN_INPUTS[0]
    before, after = str(found).split("the right output")
    wrong = ATTENTIONS["not divided"].function(Q, K, V, causal, d_model)
    expected = scaled_dot_product_attention(Q, K, V, is_causal=causal)
    assert f"{wrong[1, 0]:.4f}" in before
    assert f"{expected[1, 0]:.4f}" in after
