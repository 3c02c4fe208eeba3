"""The answers of questions that a computation can answer."""

import re
from fractions import Fraction

import numpy as np
import pytest

from attention import (
    MultiHeadAttention,
    rotary_embedding,
    rotary_table,
    scaled_dot_product_attention,
    softmax,
    trace_attention,
)
from course.chapters.attention_since_2017 import questions as since_2017
from course.chapters.multi_head import questions as multi_head
from course.chapters.output_projection import questions as output_projection
from course.chapters.self_attention import questions as self_attention
from course.chapters.why_sqrt_dk import questions as why_sqrt_dk
from course.chapters.wrong_attentions import experiments
from course.chapters.wrong_attentions import questions as wrong_attentions
from course.chapters.your_own_attention import questions as your_own
from course.notes.cat import CAT
from course.notes.football import FOOTBALL
from course.practice import right

RNG = np.random.default_rng(7)
TABLE = rotary_table(1006, 4)
CAT_LAYER = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O)


def drawn(*shape):
    return RNG.normal(size=shape)


def football(X):
    """Return the trace of "I play football" with other embeddings."""
    return trace_attention(X @ FOOTBALL.W_Q, X @ FOOTBALL.W_K, X @ FOOTBALL.W_V)


def changed_rows(one, other):
    return [*np.flatnonzero(~np.isclose(one, other).all(axis=-1))]


def outside_of_the_values():
    """Return the point that no mixture of the three values gives."""
    corners = np.vstack([np.array([[1, 1.25, 0.7], [0, 0.65, 0]]), np.ones(3)])
    points = [each["text"] for each in self_attention.CANNOT_BE_AN_OUTPUT["choices"]]
    numbers = [[*map(float, point[1:-1].split(",")), 1] for point in points]
    weights = np.linalg.solve(corners, np.transpose(numbers))
    [found] = np.flatnonzero(weights.min(axis=0) < 0)
    return points[found]


def rows_that_change_with_one_embedding():
    X = np.array(FOOTBALL.X)
    X[2, 0] += 0.1
    rows = changed_rows(football(FOOTBALL.X).output, football(X).output)
    return {3: "All three", 1: "Only the row of “football”"}[len(rows)]


def sharpness_that_undoes_the_division():
    scores = drawn(5)
    texts = [each["text"] for each in why_sqrt_dk.UNDO_THE_DIVISION["choices"]]
    undone = [softmax(float(Fraction(text)) * scores / 8) for text in texts]
    same = np.isclose(undone, softmax(scores)).all(axis=1)
    return texts[same.argmax()] if same.sum() == 1 else None


def weights_with_a_vector_added_to_every_key():
    q, k, c = drawn(4, 3), drawn(5, 3), drawn(3)
    before, after = (softmax(q @ keys.T) for keys in (k, k + c))
    return "Nothing" if np.allclose(before, after) else "One weight becomes almost 1"


def output_without_head_1():
    trace = CAT_LAYER.trace(CAT.X)
    off = np.array(trace.concat)
    off[:, :2] = 0
    return {4: "All four numbers change", 2: "The first two numbers become 0"}[
        np.count_nonzero(~np.isclose(off @ CAT.W_O, trace.output)[1])
    ]


def doubled_rows_of_the_projection():
    trace, doubled = CAT_LAYER.trace(CAT.X), np.array(CAT.W_O)
    doubled[:2] *= 2
    more = trace.concat @ doubled - trace.output
    assert np.allclose(more, trace.concat[:, :2] @ CAT.W_O[:2])
    return "The contribution of head 1 doubles"


def columns_that_head_1_changes_without_projection():
    concat = CAT_LAYER.trace(CAT.X).concat
    W_V = np.array(CAT.W_V)
    W_V[0] += 1
    other = MultiHeadAttention(CAT.W_Q, CAT.W_K, W_V, CAT.W_O).trace(CAT.X).concat
    assert [*np.flatnonzero(~np.isclose(concat, other).all(axis=0))] == [0, 1]
    return "Columns 1 and 2 only"


def directions_of_a_head():
    assert all((W_V[:, 0] == W_V[:, 1]).all() for W_V in CAT.W_V)
    heads = CAT_LAYER.trace(CAT.X).heads
    [rank] = {np.linalg.matrix_rank(head.output) for head in heads}
    return {1: "One", 2: "Two, because a head has two columns"}[rank]


def outputs_of_beginnings():
    x = drawn(4, 3)
    whole = scaled_dot_product_attention(x, x, x, is_causal=True)
    begun = [x[:n] for n in (1, 2, 3, 4)]
    alone = [scaled_dot_product_attention(each, each, each)[-1] for each in begun]
    return {True: "All four of them", False: "None"}[np.allclose(whole, alone)]


def head_of_keys_of_query_head_5():
    h, groups, _, at = map(int, re.findall(r"\d+", since_2017.WHICH_HEAD["prompt"]))
    values = np.arange(float(groups))[:, None, None]
    result = scaled_dot_product_attention(
        drawn(h, 1, 3), drawn(groups, 1, 3), values, enable_gqa=True
    )
    return f"Head {result[at, 0, 0]:.0f}"


def products_after_a_move():
    q, k = drawn(6, 4), drawn(6, 4)
    here, there = (
        [rotary_embedding(x, *(part[at : at + 6] for part in TABLE)) for x in (q, k)]
        for at in (0, 1000)
    )
    assert not np.allclose(here, there)
    assert np.allclose(here[0] @ here[1].T, there[0] @ there[1].T)
    return "The turned queries and keys, but not their products"


def reach_of_three_layers():
    keys, _, layers = map(int, re.findall(r"\d+", since_2017.HOW_FAR["prompt"]))
    sees = np.tri(20) - np.tri(20, k=-keys)
    farthest = 19 - np.flatnonzero(np.linalg.matrix_power(sees, layers)[19])[0]
    return f"{farthest} places"


def second_row_of_the_right_weights():
    first = experiments.weights_of(right.attention)[1, 0]
    due = Fraction(first).limit_denominator(100)
    for each in wrong_attentions.WHO_IS_RIGHT["choices"]:
        said = Fraction(each["text"].split(",")[0])
        for one, total in re.findall(r"(\d+) divided by ([\d +]+\d)", each["why"]):
            parts = sum(map(int, total.split("+")))
            assert said == Fraction(int(one), parts), "a reason computes another number"
    return f"{due}, as in C"


def divisors_that_one_word_finds():
    results = {softmax(np.array([0.7]) / divisor)[0] for divisor in (1.0, 2.0, 64.0)}
    return {1: "None", 3: "All except √m"}[len(results)]


def second_row_of_a_wrong_first_head():
    x = np.array([[(word, column) for column in (1, 2, 3, 4)] for word in (1, 2, 3)])
    [(word, one), (again, other)] = x.reshape(2, 3, 2, 2)[0, 1]
    assert word == again
    return f"Columns {one} and {other} of word {word}"


def outputs_of_two_equal_tokens():
    X = np.array(FOOTBALL.X)
    X[2] = X[0]
    output = football(X).output
    return "They are equal" if np.allclose(output[0], output[2]) else "They differ"


def largest_weight_of_the_new_embedding():
    X = np.array(FOOTBALL.X)
    assert football(X).weights[2].argmax() == 1
    X[2] = 1
    word = FOOTBALL.tokens[football(X).weights[2].argmax()]
    return {"football": "“Football” itself"}.get(word, word)


ANSWERS = [
    (self_attention.CANNOT_BE_AN_OUTPUT, outside_of_the_values),
    (self_attention.ONE_EMBEDDING, rows_that_change_with_one_embedding),
    (why_sqrt_dk.UNDO_THE_DIVISION, sharpness_that_undoes_the_division),
    (why_sqrt_dk.ADDED_TO_EVERY_KEY, weights_with_a_vector_added_to_every_key),
    (multi_head.HEAD_OFF, output_without_head_1),
    (output_projection.DOUBLE, doubled_rows_of_the_projection),
    (output_projection.WITHOUT, columns_that_head_1_changes_without_projection),
    (output_projection.RANK, directions_of_a_head),
    (since_2017.ALL_AT_ONCE, outputs_of_beginnings),
    (since_2017.WHICH_HEAD, head_of_keys_of_query_head_5),
    (since_2017.MOVED, products_after_a_move),
    (since_2017.HOW_FAR, reach_of_three_layers),
    (wrong_attentions.WHO_IS_RIGHT, second_row_of_the_right_weights),
    (wrong_attentions.ONE_WORD, divisors_that_one_word_finds),
    (wrong_attentions.FIRST_HEAD, second_row_of_a_wrong_first_head),
    (your_own.EQUAL_ROWS, outputs_of_two_equal_tokens),
    (your_own.NEW_EMBEDDING, largest_weight_of_the_new_embedding),
]


@pytest.mark.parametrize(("question", "compute"), ANSWERS)
def test_another_answer_is_marked_as_right(question, compute):
    [marked] = [each["text"] for each in question["choices"] if each["right"]]
    assert marked == compute()


def test_a_reason_names_other_query_heads_than_the_layout():
    heads_of_keys = np.repeat(np.arange(8), 4)
    said = " ".join(choice["why"] for choice in since_2017.WHICH_HEAD["choices"])
    groups = re.findall(r"(\d+) to (\d+) use head (\d+)", said)
    assert len(groups) == 3
    for first, last, head in (map(int, group) for group in groups):
        assert [*np.flatnonzero(heads_of_keys == head)] == [*range(first, last + 1)]


def why(question, text):
    """Return the reason of one choice."""
    [found] = [each["why"] for each in question["choices"] if each["text"] == text]
    return found


def test_a_reason_multiplies_the_scores_by_another_number():
    times = {8: "eight"}[round(64 / np.sqrt(64))]
    said = why(why_sqrt_dk.UNDO_THE_DIVISION, "64")
    assert f"{times} times as large as the scores" in said


def test_a_reason_names_weights_that_give_another_point():
    point, values = (0.9, 0.13), [[1, 0], [1.25, 0.65], [0.7, 0]]
    said = why(self_attention.CANNOT_BE_AN_OUTPUT, str(point))
    weights = [float(x) for x in re.findall(r"0\.\d", said)]
    np.testing.assert_allclose(np.array(weights) @ values, point)
