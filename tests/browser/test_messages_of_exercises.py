"""An exercise gives a true message for each kind of right and wrong number."""

import pytest
from found import PAGES, SITE
from states import models

EXERCISES = [
    pytest.param(state, id=state["name"])
    for name in PAGES
    for state in models(SITE / name)
    if "truth" in state
]
SLIPS = [{"value": 0.72, "why": "You took row 1."}]
CASES = [  # a typed text, the answer, its decimals, the beginning of the message
    ("1.18", 1.18, 2, "Right: 1.18."),
    ("1.18007", 1.18003, 2, "Right"),
    *((half, 0.125, 2, "Right") for half in ("0.12", "0.13", "0.125", "1/8", "12.5%")),
    ("38,400", 38400, 0, "Right"),
    ("27%", 0.26864, 2, "Right"),  # a percentage has two more decimals
    ("4.7", 5, 0, "Not right: the answer is a whole number."),
    ("38399", 38400, 0, "Not right. Check"),  # a whole number is not close
    ("1.2", 1.18, 2, "These digits are right. Give at least 2 decimals."),
    ("0", 0.002, 3, "Not right. Check"),  # no digit of 0 is right
    ("0.72", 1.18, 2, "You took row 1."),
    ("0.7", 1.18, 2, "You took row 1."),
    ("-1.18", 1.18, 2, "The size is right, the sign is wrong."),
    ("26.86", 0.26864, 3, "That is the share in percent."),
    ("0.3", 0, 2, "Not right. Check"),
    ("0.37", 0.3791, 2, "The last digit is cut off"),
    ("-0.37", -0.3791, 2, "The last digit is cut off"),
    ("0.39", 0.3791, 2, "Not right, but close."),  # more than 2 % off
    ("5.36", 5.274, 2, "Not right, but close."),  # another first decimal
    ("1.25", 1.18, 2, "Not right. Check"),
    ("nine", 1.18, 2, "“nine” is not a number"),
]


@pytest.mark.parametrize(("typed", "answer", "digits", "message"), CASES)
def test_the_message_for_a_number_is_false(module, typed, answer, digits, message):
    [verdict] = module("exercise.js")("judge", [typed, answer, digits, SLIPS])
    assert verdict["text"].startswith(message)
    assert verdict["right"] == message.startswith("Right")


@pytest.mark.parametrize("state", EXERCISES)
def test_an_exercise_refuses_its_answer_or_does_not_explain_a_slip(module, state):
    truth, digits, slips = (state[name] for name in ("truth", "digits", "slips"))
    numbers = [truth, *(slip["value"] for slip in slips)]
    asked = [[f"{number:.{digits}f}", truth, digits, slips] for number in numbers]
    right, *wrong = module("exercise.js")("judge", *asked)
    assert right["right"], right["text"]
    assert [each["text"] for each in wrong] == [slip["why"] for slip in slips]
