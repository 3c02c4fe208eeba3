"""Arithmetic of the views, each JavaScript module alone on a blank page.

Sizes and values are asymmetric on purpose. A test then fails if the code takes a row
for a column, or a weight for its complement.
"""

import itertools

import displayed
import numpy as np
import pytest

from course.kit import prose

VALUES = [-2.345, -0.251, -0.001, 0.0, 0.51, 1.005, 12.3456, 1234.56]
TIES = [0.125, -0.125, 0.375, 0.5, -0.5, 1.5, 2.5, 0.0625, -1.03125]

# The texts that a reader types, by the number that every field reads from them.
TYPED = {
    0: ["-0"],
    0.002: ["2e-3"],
    0.125: ["12,5 %", "0,125"],
    0.25: [
        *("1/4", "1 / 4", "1\u20444", "0,5/2", "25%", "25 %", "25\u202f%"),
        *(" 0.25\t", "\u2009\u00a00.25\u202f", "2,5E\u22121"),
    ],
    -0.25: ["\u22121/4", "\u22120.25", "\u20130,25", "- 0.25"],
    0.5: ["0.5", "0,5", ".5", ",5", "+.5"],
    1.024: ["1.024"],
    2: ["2.", "2,"],
    12.3456: ["12,3456"],
    1000: ["1e3"],
    1024: ["1 024", "1\u202f024"],
    1024.5: ["1\u2009024,5", "1,024.5", "1.024,5", "1\u2019024.5"],
    1e6: ["1,000,000", "1.000.000"],
}
READ = {text: number for number, texts in TYPED.items() for text in texts}
AMBIGUOUS = ["1,024", "\u22121,024", "1,024/2", "102,400%"]  # 1.024 or 1024
INFINITE = ["1/0", "0/0", "1e999", "\u221e", "-Infinity"]
NO_NUMBERS = ["abc", "1,2,3", "1 5", "1.2.3", "1/2/3", "NaN", "0x10", "1,23,456"]
NO_NUMBERS += ["5 5%", "1,024.5.6", "%", "/", "1/", "--1", "1,5.5", "0,024,5", "<b>1"]
REFUSED = dict.fromkeys(AMBIGUOUS, "may be") | dict.fromkeys(INFINITE, "finite")
REFUSED |= dict.fromkeys(NO_NUMBERS, "is not a number") | {"": "empty", " ": "empty"}


def test_a_name_that_no_matrix_has_is_accepted(module):
    sizes = {"num_layers": 2, "num_heads": 8}
    head = "self_attention.head.0.weights"
    right = [f"encoder.0.{head}", "encoder.1.feed_forward.output"]
    wrong = [f"encoder.00.{head}", "encoder.0.feed_forward.head.0.weights"]
    asked = [[name, sizes] for name in right + wrong]
    found = module("translator/names.js")("exists", *asked)
    assert found == [True, True, False, False]


@pytest.fixture
def numbers(module):
    return module("card/numbers.js")


def test_a_view_writes_a_number_unlike_the_prose(numbers):
    asked = list(itertools.product([*VALUES, *TIES], range(5)))
    for (value, digits), text in zip(asked, numbers("fixed", *asked), strict=True):
        assert text == prose.number(value, digits), (value, digits)
        assert displayed.agrees(text, value), (value, digits)
    values = [*VALUES, *TIES, 64, 1e-6, 0.1 + 0.2]
    in_full = [prose.number(value, None) for value in values]
    assert numbers("inFull", *zip(values)) == in_full


def test_a_whole_number_is_written_without_groups_or_its_groups_are_not_read(numbers):
    assert numbers("grouped", [1048576]) == ["1,048,576"]
    [read] = numbers("readNumber", ["1,048,576", {"whole": True}])
    assert read["value"] == 1048576


def test_a_typed_number_is_read_wrongly_or_refused_without_a_reason(numbers):
    texts = [*READ, *REFUSED]
    for text, read in zip(texts, numbers("readNumber", *zip(texts)), strict=True):
        if text in READ:
            assert read["value"] == READ[text], text
        else:
            assert read["value"] is None, text  # NaN arrives as None
            assert REFUSED[text] in read["message"], text


def test_spelling_does_not_offer_a_favoured_word_before_equally_near_words(module):
    spelling = module("card/spelling.js")
    known = ["cats", "cars", "caps"]  # each one letter away
    for favoured in known:
        [offered] = spelling("alike", ["cass", known, [favoured]])
        assert offered[0] == favoured


@pytest.mark.parametrize("d_v", [1, 3])
def test_heads_of_another_size_lose_their_own_rows_of_the_projection(module, d_v):
    rng = np.random.default_rng(0)
    X, W_V = rng.normal(size=(3, 5)).tolist(), rng.normal(size=(2, 5, 2)).tolist()
    inputs = {"tokens": ["a", "b", "c"], "padding": [False] * 3, "causal": False}
    inputs |= {"X": X, "W_Q": W_V, "W_K": W_V, "W_V": W_V}
    W_O = np.arange(1.0, 21).reshape(2, 2, 5)  # two rows for each of two heads
    inputs["W_O"] = W_O.reshape(4, 5).tolist()
    [found] = module("machine/state.js")("resized", [inputs, {"d_v": d_v}])
    rows = np.reshape(found["W_O"], (2, d_v, 5))
    np.testing.assert_array_equal(rows[:, :2], W_O[:, :d_v])
    assert not rows[:, 2:].any()


def test_a_hint_writes_0_for_a_fraction_of_a_wrong_entry(module):
    values = [3 / 8, 2009 / 6009, 0.0, np.pi]
    asked = [[{"form": "fraction"}, value] for value in values]
    found = module("sheet/steps.js")("written", *asked)
    assert found == ["3/8", "2009/6009", "0", "3.142"]


def test_a_dragged_arrow_does_not_go_to_the_nearest_position(module):
    # position, expected position, degrees a position, shift
    turns = [(5, 7, 30, 0), (5, 0, 30, 4), (20, 24, 15, 90), (3, 2, 90, 1)]
    asked = []
    for position, expected, angle, shift in turns:
        a = np.deg2rad(angle * (expected + shift) + angle / 4)
        asked.append(([np.cos(a), np.sin(a)], position, angle, shift))
    found = module("plane/rotary.js")("positionAt", *asked)
    assert found == [expected for _, expected, *_ in turns]


def test_a_pasted_block_is_refused_though_it_fits_or_placed_though_it_does_not(module):
    place = module("machine/pasted.js")
    block, shape = [[1, 2], [3, 4]], [4, 3]
    fits = place("placeBlock", *([block, shape, at, "X"] for at in ([2, 1], [0, 0])))
    assert [found["at"] for found in fits] == [[2, 1], [0, 0]]
    over = place("placeBlock", *([block, shape, at, "X"] for at in ([3, 1], [2, 2])))
    for found, fit in zip(over, ("1 × 2", "2 × 1"), strict=True):
        assert f"2 × 2, but X is 4 × 3, and {fit} fit" in found["message"]
    assert place("blockText", [[[1.5, None], [0, 2]]]) == ["1.5\t-inf\n0\t2"]
    [whole] = place("placeBlock", [[[1, 2]] * 3, [3, 2], [2, 1], "X"])
    assert whole["at"] == [0, 0]


def test_numbers_with_points_and_commas_decide_what_1_024_means(module):
    texts = ("1.5\t2,5\t1,024", "1.5\t2.5\t1,024")
    read = module("machine/pasted.js")("readBlock", *([t, [1, 3], 1e6] for t in texts))
    assert "Row 1, column 3 of the block" in read[0]["message"]
    assert read[1]["block"] == [[1.5, 2.5, 1024]]


def test_the_message_names_a_limit_of_words_that_does_not_apply(module):
    words = {"english": ["", "a"], "most": 5, "grammar": {}}
    asked = [[["a"] * count, words] for count in (0, 5, 6)]
    too_long = "A sentence has at most 5 words here; this one has 6."
    found = module("translator/sentence.js")("refusal", *asked)
    assert found == ["Write a sentence.", "", too_long]
