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
from course.chapters.a_real_model import questions as a_real_model
from course.chapters.attention_since_2017 import questions as since_2017
from course.chapters.heads_that_learn import questions as heads_that_learn
from course.chapters.multi_head import questions as multi_head
from course.chapters.output_projection import questions as output_projection
from course.chapters.self_attention import questions as self_attention
from course.chapters.transformer import questions as transformer
from course.chapters.translation import questions as translation
from course.chapters.walkthrough_apple import questions as apple
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


def marked(question):
    """Return the choice that a question marks as right."""
    [text] = [each["text"] for each in question["choices"] if each["right"]]
    return text


def drawn(*shape):
    return RNG.normal(size=shape)


def football(X):
    """Return the trace of "I play football" with other embeddings."""
    return trace_attention(X @ FOOTBALL.W_Q, X @ FOOTBALL.W_K, X @ FOOTBALL.W_V)


def test_a_wrong_choice_is_marked_for_the_point_that_cannot_be_an_output():
    """No mixture of the three values gives this point."""
    corners = np.vstack([np.array([[1, 1.25, 0.7], [0, 0.65, 0]]), np.ones(3)])
    points = [each["text"] for each in self_attention.CANNOT_BE_AN_OUTPUT["choices"]]
    numbers = [[*map(float, point[1:-1].split(",")), 1] for point in points]
    weights = np.linalg.solve(corners, np.transpose(numbers))
    [found] = np.flatnonzero(weights.min(axis=0) < 0)
    assert marked(self_attention.CANNOT_BE_AN_OUTPUT) == points[found]


def test_a_wrong_choice_is_marked_for_the_rows_that_change_with_one_embedding():
    X = np.array(FOOTBALL.X)
    X[2, 0] += 0.1
    same = np.isclose(football(FOOTBALL.X).output, football(X).output)
    assert not same.all(axis=1).any()
    assert marked(self_attention.ONE_EMBEDDING) == "All three"


def test_a_wrong_choice_is_marked_for_the_sharpness_that_undoes_the_division():
    scores = drawn(5)
    texts = [each["text"] for each in why_sqrt_dk.UNDO_THE_DIVISION["choices"]]
    undone = [softmax(float(Fraction(text)) * scores / 8) for text in texts]
    [found] = np.flatnonzero(np.isclose(undone, softmax(scores)).all(axis=1))
    assert marked(why_sqrt_dk.UNDO_THE_DIVISION) == texts[found]


def test_a_wrong_choice_is_marked_for_the_weights_with_a_vector_added_to_every_key():
    q, k, c = drawn(4, 3), drawn(5, 3), drawn(3)
    np.testing.assert_allclose(softmax(q @ (k + c).T), softmax(q @ k.T))
    assert marked(why_sqrt_dk.ADDED_TO_EVERY_KEY) == "Nothing"


def test_a_wrong_choice_is_marked_for_the_output_without_head_1():
    trace = CAT_LAYER.trace(CAT.X)
    off = np.array(trace.concat)
    off[:, :2] = 0
    assert not np.isclose(off @ CAT.W_O, trace.output)[1].any()
    assert marked(multi_head.HEAD_OFF) == "All four numbers change"


def test_a_wrong_choice_is_marked_for_the_doubled_rows_of_the_projection():
    trace, doubled = CAT_LAYER.trace(CAT.X), np.array(CAT.W_O)
    doubled[:2] *= 2
    more = trace.concat @ doubled - trace.output
    assert np.allclose(more, trace.concat[:, :2] @ CAT.W_O[:2])
    assert marked(output_projection.DOUBLE) == "The contribution of head 1 doubles"


def test_a_wrong_choice_is_marked_for_the_columns_of_head_1_without_projection():
    concat = CAT_LAYER.trace(CAT.X).concat
    W_V = np.array(CAT.W_V)
    W_V[0] += 1
    other = MultiHeadAttention(CAT.W_Q, CAT.W_K, W_V, CAT.W_O).trace(CAT.X).concat
    assert [*np.flatnonzero(~np.isclose(concat, other).all(axis=0))] == [0, 1]
    assert marked(output_projection.WITHOUT) == "Columns 1 and 2 only"


def test_a_wrong_choice_is_marked_for_a_matrix_that_treats_two_words_differently():
    equal_reports = np.tile(drawn(2), (2, 1))
    cat, the = equal_reports @ drawn(2, 4)
    np.testing.assert_allclose(cat, the)
    answer = "No: equal reports give equal contributions"
    assert marked(output_projection.DECIDE) == answer


def test_a_wrong_choice_is_marked_for_the_directions_of_a_head():
    assert all((W_V[:, 0] == W_V[:, 1]).all() for W_V in CAT.W_V)
    outputs = [head.output for head in CAT_LAYER.trace(CAT.X).heads]
    assert np.linalg.matrix_rank(outputs).tolist() == [1, 1]
    assert marked(output_projection.RANK) == "One"


def test_a_wrong_choice_is_marked_for_the_outputs_of_beginnings():
    x = drawn(4, 3)
    whole = scaled_dot_product_attention(x, x, x, is_causal=True)
    begun = [x[:n] for n in (1, 2, 3, 4)]
    alone = [scaled_dot_product_attention(each, each, each)[-1] for each in begun]
    np.testing.assert_allclose(whole, alone)
    assert marked(since_2017.ALL_AT_ONCE) == "All four of them"


def test_a_wrong_choice_is_marked_for_the_head_of_keys_of_query_head_5():
    h, groups, _, at = map(int, re.findall(r"\d+", since_2017.WHICH_HEAD["prompt"]))
    values = np.arange(float(groups))[:, None, None]
    q, k = drawn(h, 1, 3), drawn(groups, 1, 3)
    result = scaled_dot_product_attention(q, k, values, enable_gqa=True)
    assert marked(since_2017.WHICH_HEAD) == f"Head {result[at, 0, 0]:.0f}"


def test_a_wrong_choice_is_marked_for_the_products_after_a_move():
    q, k = drawn(6, 4), drawn(6, 4)
    here, there = (
        [rotary_embedding(x, *(part[at : at + 6] for part in TABLE)) for x in (q, k)]
        for at in (0, 1000)
    )
    assert not np.allclose(here, there)
    assert np.allclose(here[0] @ here[1].T, there[0] @ there[1].T)
    answer = "The turned queries and keys, but not their products"
    assert marked(since_2017.MOVED) == answer


def test_a_wrong_choice_is_marked_for_the_reach_of_three_layers():
    keys, _, layers = map(int, re.findall(r"\d+", since_2017.HOW_FAR["prompt"]))
    sees = np.tri(20) - np.tri(20, k=-keys)
    farthest = 19 - np.flatnonzero(np.linalg.matrix_power(sees, layers)[19])[0]
    assert marked(since_2017.HOW_FAR) == f"{farthest} places"


def test_a_wrong_choice_is_marked_for_the_second_row_of_the_right_weights():
    first = experiments.weights_of(right.attention)[1, 0]
    expected = Fraction(first).limit_denominator(100)
    for each in wrong_attentions.WHO_IS_RIGHT["choices"]:
        said = Fraction(each["text"].split(",")[0])
        for one, total in re.findall(r"(\d+) divided by ([\d +]+\d)", each["why"]):
            parts = sum(map(int, total.split("+")))
            assert said == Fraction(int(one), parts), "a reason computes another number"
    assert marked(wrong_attentions.WHO_IS_RIGHT) == f"{expected}, as in C"


def test_a_wrong_choice_is_marked_for_the_divisors_that_one_word_finds():
    results = {softmax(np.array([0.7]) / divisor)[0] for divisor in (1.0, 2.0, 64.0)}
    assert len(results) == 1
    assert marked(wrong_attentions.ONE_WORD) == "None"


def test_a_wrong_choice_is_marked_for_the_second_row_of_a_wrong_first_head():
    x = np.array([[(word, column) for column in (1, 2, 3, 4)] for word in (1, 2, 3)])
    [(word, one), (again, other)] = x.reshape(2, 3, 2, 2)[0, 1]
    assert word == again
    answer = f"Columns {one} and {other} of word {word}"
    assert marked(wrong_attentions.FIRST_HEAD) == answer


def test_a_wrong_choice_is_marked_for_the_outputs_of_two_equal_tokens():
    X = np.array(FOOTBALL.X)
    X[2] = X[0]
    output = football(X).output
    np.testing.assert_allclose(output[0], output[2])
    assert marked(your_own.EQUAL_ROWS) == "They are equal"


def test_a_wrong_choice_is_marked_for_the_largest_weight_of_the_new_embedding():
    X = np.array(FOOTBALL.X)
    assert football(X).weights[2].argmax() == 1
    X[2] = 1
    assert football(X).weights[2].argmax() == 2
    assert marked(your_own.NEW_EMBEDDING) == "“Football” itself"


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
    said = why(why_sqrt_dk.UNDO_THE_DIVISION, "64")
    assert "eight times as large as the scores" in said  # 64 / sqrt(64)


def test_a_reason_names_weights_that_give_another_point():
    point, values = (0.9, 0.13), [[1, 0], [1.25, 0.65], [0.7, 0]]
    said = why(self_attention.CANNOT_BE_AN_OUTPUT, str(point))
    weights = [float(x) for x in re.findall(r"0\.\d", said)]
    np.testing.assert_allclose(np.array(weights) @ values, point)


# Words that only the right choice of a question has.
KEYS = [
    (multi_head.HALF_AND_HALF, "mean"), (multi_head.WHO_DECIDES, "training"),
    (multi_head.SPLIT, "never"), (multi_head.COST, "same"),
    (transformer.AT_ONCE, "mask"), (transformer.ROWS, "keys 7, output 4"),
    (translation.HELD_OUT, "Possibly"),
    (translation.SWITCHED_OFF, "not"), (heads_that_learn.SWINGS, "grow together"),
    (heads_that_learn.WHERE, "depends"), (heads_that_learn.TWO_HEADS, "at most one"),
    (a_real_model.SHARPNESS, "doubles"), (a_real_model.IT, "same"),
    (a_real_model.INDUCTION, "repeated"), (a_real_model.ALIKE, "before$"),
    (since_2017.NOT_SAVED, "1,000"), (since_2017.THREE_KEYS, "chance"),
    (wrong_attentions.COLUMNS, "queries"), (wrong_attentions.TOLERANCE, "test$"),
    (apple.prediction(), "bought"), (apple.highest_weight(), "score"),
    (apple.who_can_win(), "^to$"), (apple.softmax_ensures(), "sum to 1"),
    (your_own.CHECK[0], "^V of"), (your_own.CHECK[1], "more even"),
    (your_own.CHECK[2], "some of"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "words"), KEYS, ids=[key for _, key in KEYS])
def test_a_wrong_choice_is_marked(question, words):
    found = [each["text"] for each in question["choices"]]
    assert [marked(question)] == [text for text in found if re.search(words, text)]
