"""The answers of questions that a computation can answer."""

import re
from fractions import Fraction

import numpy as np

from attention import (
    MultiHeadAttention,
    scaled_dot_product_attention,
    softmax,
)
from course.chapters.attention_since_2017 import questions as since_2017
from course.chapters.multi_head import questions as multi_head
from course.chapters.self_attention import questions as self_attention
from course.chapters.why_sqrt_dk import questions as why_sqrt_dk
from course.chapters.wrong_attentions import experiments
from course.chapters.wrong_attentions import questions as wrong_attentions
from course.notes.cat import CAT
from course.practice import right

RNG = np.random.default_rng(7)
CAT_LAYER = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O)


def marked(question):
    """Return the choice that a question marks as right."""
    [text] = [each["text"] for each in question["choices"] if each["right"]]
    return text


def drawn(*shape):
    return RNG.normal(size=shape)


def test_a_wrong_choice_is_marked_for_the_point_that_cannot_be_an_output():
    """No mixture of the three values gives this point."""
    corners = np.vstack([np.array([[1, 1.25, 0.7], [0, 0.65, 0]]), np.ones(3)])
    points = [each["text"] for each in self_attention.CANNOT_BE_AN_OUTPUT["choices"]]
    numbers = [[*map(float, point[1:-1].split(",")), 1] for point in points]
    weights = np.linalg.solve(corners, np.transpose(numbers))
    [found] = np.flatnonzero(weights.min(axis=0) < 0)
    assert marked(self_attention.CANNOT_BE_AN_OUTPUT) == points[found]


def test_a_wrong_choice_is_marked_for_the_sharpness_that_undoes_the_division():
    scores = drawn(5)
    texts = [each["text"] for each in why_sqrt_dk.UNDO_THE_DIVISION["choices"]]
    undone = [softmax(float(Fraction(text)) * scores / 8) for text in texts]
    [found] = np.flatnonzero(np.isclose(undone, softmax(scores)).all(axis=1))
    assert marked(why_sqrt_dk.UNDO_THE_DIVISION) == texts[found]


def test_a_wrong_choice_is_marked_for_the_output_without_head_1():
    trace = CAT_LAYER.trace(CAT.X)
    off = np.array(trace.concat)
    off[:, :2] = 0
    assert not np.isclose(off @ CAT.W_O, trace.output)[1].any()
    assert marked(multi_head.HEAD_OFF) == "All four numbers change"


def test_a_wrong_choice_is_marked_for_the_head_of_keys_of_query_head_5():
    h, groups, _, at = map(int, re.findall(r"\d+", since_2017.WHICH_HEAD["prompt"]))
    values = np.arange(float(groups))[:, None, None]
    q, k = drawn(h, 1, 3), drawn(groups, 1, 3)
    result = scaled_dot_product_attention(q, k, values, enable_gqa=True)
    assert marked(since_2017.WHICH_HEAD) == f"Head {result[at, 0, 0]:.0f}"


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


def why(question, text):
    """Return the reason of one choice."""
    [found] = [each["why"] for each in question["choices"] if each["text"] == text]
    return found


def test_a_reason_names_weights_that_give_another_point():
    point, values = (0.9, 0.13), [[1, 0], [1.25, 0.65], [0.7, 0]]
    said = why(self_attention.CANNOT_BE_AN_OUTPUT, str(point))
    weights = [float(x) for x in re.findall(r"0\.\d", said)]
    np.testing.assert_allclose(np.array(weights) @ values, point)
