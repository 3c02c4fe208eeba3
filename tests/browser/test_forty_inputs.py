"""The exercises of the site give true messages for forty answers, right and wrong.

The test recognises each message of a card by its first words. For each message, a
condition says for which numbers the message is true. The test fails if an exercise
gives an unknown message, or a message that is false for the typed number.
"""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_UP, Decimal
from typing import NamedTuple

import pytest
from found import PAGES, SITE
from states import models

COUNT = 40
NO_NUMBERS = ["", "x", "1/2/3", "1/0", "\u221e", "1e999", "NaN", "<b>1</b>", "1 2", "%"]
REFUSALS = ("This is empty.", "is not a number.", "is not a finite number.")
EXERCISES = [
    pytest.param(state, id=state["name"])
    for name in PAGES
    for state in models(SITE / name)
    if "truth" in state
]


class Given(NamedTuple):
    """A typed text, its value, and its number of decimals."""

    text: str
    value: Decimal
    places: int


def given(value, places, how=ROUND_HALF_EVEN, text="{}"):
    number = Decimal(value).quantize(Decimal(1).scaleb(-places), how)
    return Given(text.format(number), number, places)


def numbers_for(truth, digits, slips):
    """Yield right and wrong numbers, the most likely answers first."""
    factors = (0.5, 0.9, 0.96, 0.991, 1.009, 1.05, 1.5, 2, 7.77, -3, 0.01, 1000)
    comma = given(truth, digits + 2)
    share = given(100 * truth, digits, text="{} %")
    yield from (given(truth, digits + more) for more in range(5))
    yield from (given(truth, places) for places in range(digits))
    yield from (given(truth, digits + more, ROUND_DOWN) for more in range(3))
    yield given(truth, digits, ROUND_UP)
    yield given(0, 0)
    yield comma._replace(text=comma.text.replace(".", ","))
    yield Given(share.text, share.value / 100, digits + 2)
    yield given(truth, digits + 1, text=" +{} ")
    yield given(-truth, digits + 1)
    yield given(100 * truth, 1)
    yield from (given(slip["value"], digits) for slip in slips)
    yield from (given(truth * factor, digits) for factor in factors)
    yield from (given(truth + step, digits + 1) for step in (0.2, -0.3, 5, -5, 1e6))
    yield from (given(truth * tenths / 10, digits) for tenths in range(3, 40, 4))


def inputs(truth, digits, slips):
    """Return forty inputs in two lists: `Given` numbers, texts that are not numbers."""
    found = {each.text: each for each in numbers_for(truth, digits, slips)}
    numbers = list(found.values())[: COUNT - 5]
    return numbers, NO_NUMBERS[: COUNT - len(numbers)]


def is_true(message, number, state):
    """Return whether a message is true of a `Given` number."""
    truth, digits = Decimal(state["truth"]), state["digits"]
    value, places = number.value, number.places
    is_whole = digits == 0 and truth % 1 == 0
    unit = Decimal(1).scaleb(-places)  # one unit in the last digit

    def near(other, decimals):
        rounding = Decimal("1e-11") * (1 + abs(other))  # error of binary floats
        return abs(value - other) <= Decimal("0.5").scaleb(-decimals) + rounding

    is_exact = abs(value - truth) <= Decimal("1e-12") * (1 + abs(truth))
    is_right = is_exact or (places >= digits and near(truth, digits) and not is_whole)
    error, size = abs(value - truth), abs(truth)
    by_slip = [s["why"] for s in state["slips"] if near(Decimal(s["value"]), digits)]
    conditions = {
        "Right: ": is_right,
        "Not right: the answer is a whole number.": is_whole and near(truth, 0),
        "These digits are right.": places < digits
        and value != 0
        and near(truth, places),
        "The size is right, the sign is wrong.": value != 0
        and near(-truth, min(places, digits)),
        "That is the share in percent.": size <= 1 and near(100 * truth, digits - 2),
        "The last digit is cut off": 0 < size - abs(value) < unit,
        "Not right, but close.": error < size / 10 and not is_whole,
        "Not right. Check": error >= size / 50 or is_whole,
    }
    found = [holds for words, holds in conditions.items() if message.startswith(words)]
    if is_right or not by_slip:
        return found == [True] and message.startswith("Right: ") == is_right
    # a known slip may get its own reason instead of a general message
    is_general = found == [True] and not message.startswith("Not right. Check")
    return message in by_slip or is_general


@pytest.mark.parametrize("state", EXERCISES)
def test_a_message_for_one_of_forty_texts_is_false(module, state):
    numbers, others = inputs(state["truth"], state["digits"], state["slips"])
    texts = [*(each.text for each in numbers), *others]
    assert len(texts) == COUNT
    exercise = [state[name] for name in ("truth", "digits", "slips")]
    judged = module("exercise.js")("judge", *([text, *exercise] for text in texts))
    messages = [each["text"] for each in judged]
    for number, message in zip(numbers, messages, strict=False):
        assert is_true(message, number, state), (number.text, message)
    for text, message in zip(others, messages[len(numbers) :], strict=True):
        assert any(refusal in message for refusal in REFUSALS), (text, message)
