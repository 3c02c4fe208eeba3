"""The chapter's experiments against what they claim."""

import numpy as np

from attention import scaled_dot_product_attention, softmax
from course.chapters.wrong_attentions import experiments
from course.practice import right
from course.practice.bench import TESTS
from course.practice.coincidences import OF_ATTENTION, RIGHT, Sizes, classes
from course.practice.exercises import EXERCISES
from course.practice.gallery import ATTENTIONS, HEADS


def test_there_are_as_many_as_the_chapter_says():
    assert len(ATTENTIONS) == 21
    assert len(ATTENTIONS) + len(HEADS) == 29
    assert len(TESTS) == 15
    assert len(EXERCISES) == 10
    masks = [wrong for wrong in ATTENTIONS.values() if wrong.group == "mask"]
    assert len(masks) == 5


def test_queries_and_keys_have_the_logits_that_were_asked_for():
    powers = np.random.default_rng(0).uniform(0.5, 4, size=(3, 4))
    query, key = experiments.queries_and_keys(powers, d_k=6)
    np.testing.assert_allclose(np.exp(query @ key.T / np.sqrt(6)), powers)


def test_the_line_up_is_what_a_pencil_gives():
    lower = np.tril(experiments.POWERS)
    due = lower / lower.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(experiments.weights_of(right.attention), due, atol=1e-12)
    columns = experiments.weights_of(ATTENTIONS["softmax over the queries"].function)
    np.testing.assert_allclose(columns, lower / lower.sum(axis=0), atol=1e-12)
    squares = experiments.weights_of(ATTENTIONS["not divided"].function)
    np.testing.assert_allclose(squares[1], [0.1, 0.9, 0], atol=1e-12)


def test_the_second_rows_of_the_line_up_begin_with_different_numbers():
    """Else the question about them had two answers."""
    wrong = ("softmax over the queries", "not divided", "softmax over all entries")
    functions = [ATTENTIONS[name].function for name in wrong]
    begin = [experiments.weights_of(f)[1, 0] for f in (right.attention, *functions)]
    np.testing.assert_allclose(begin, [1 / 4, 1 / 5, 1 / 10, 1 / 11])
    for name in ("mask after the softmax", "mask off by one"):
        found = experiments.weights_of(ATTENTIONS[name].function)
        np.testing.assert_allclose(found[1, 0], 1 / 8)


def test_who_is_alike_is_what_the_table_says():
    for sizes in (Sizes(), Sizes(d_k=1), Sizes(m=4, d_k=2, d_model=4, causal=False)):
        stated = {
            name
            for group in classes(sizes, OF_ATTENTION)
            if RIGHT in group
            for name in group
        }
        found = {*experiments.alike(sizes), RIGHT}
        assert found - {"total in float16"} == stated


def test_heads_that_are_alike():
    assert experiments.heads_alike(n=5, h=2) == []
    assert len(experiments.heads_alike(n=5, h=1)) == 7
    assert "one big head" in experiments.heads_alike(n=1, h=2)


def test_a_running_sum_stops_where_the_dtype_has_no_room():
    sums = experiments.running_sum(np.ones(3000), np.float16)
    np.testing.assert_array_equal(sums[:2048], np.arange(1, 2049))
    assert (sums[2048:] == 2048).all()
    exact = experiments.running_sum(np.ones(3000), np.float64)
    assert exact[-1] == 3000


def test_half_a_total_is_twice_the_mean():
    many = np.ones((4096, 1))
    doubled = ATTENTIONS["total in float16"].function(many[:1], many, many)
    np.testing.assert_allclose(doubled, 2)
    np.testing.assert_allclose(scaled_dot_product_attention(many[:1], many, many), 1)
    assert softmax(np.zeros(4096)).sum() == 1
