"""What code writes into the pages, as it was last read by a person.

Sentences and tables that cells write, with their numbers and where their links lead;
each question with its choices, which of them is right and what each is told; the number
of each exercise and of each slip that it names. No formula tells a share from its
complement or a slip from another one's name, so what a page says is on record in
``said/`` (see `records`).
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from built import PAGES, SITE, lines_of, page, with_class
from records import on_record
from states import models, questions

RECORDS = Path(__file__).with_name("said")
OF_CODE = {"what-is-measured"}  # pages that code writes as a whole


def asked(state: dict) -> Iterator[str]:
    """A widget's questions, choices and what each is told; its exercise and slips."""
    for question in questions(state):
        yield f"? {question['prompt']}"
        for choice in question["choices"]:
            verdict = "right" if choice["right"] else "wrong"
            yield f"{verdict}: {choice['text']} | {choice['why']}"
    if state.get("goal"):
        yield f"? {state['goal']['prompt']}"
    if "truth" in state:
        yield f"? {state['prompt']}"
        yield f"right: {state['truth']:.6g}"
        yield from (f"{slip['value']:.6g}: {slip['why']}" for slip in state["slips"])


def said(name: str) -> list[str]:
    """What code says on a page, line by line."""
    outermost = f"//div[{with_class('cell_output')}]"
    of_code = "//main" if Path(name).stem in OF_CODE else outermost
    lines = (lines_of(element) for element in page(name).xpath(of_code))
    asks = sorted((list(asked(state)) for state in models(SITE / name)), key=str)
    return [*itertools.chain(*lines), *itertools.chain(*asks)]


NUMBER = re.compile(r"\d+(?:[.,]\d+)*%?")
# What a training or a rounding error decides is another number on another processor.
OF_THE_PROCESSOR = (
    "In a notebook the picture grows while the cell runs.",
    "Orders of magnitude between the loss at the end",
)


def agree(line: str, recorded: str) -> bool:
    """Whether words are the same, and numbers to a unit of the last digit.

    Another processor adds in another order, and what lies half-way between two
    roundings may come out as the other one.
    """
    if NUMBER.split(line) != NUMBER.split(recorded):
        return False
    pairs = zip(NUMBER.findall(line), NUMBER.findall(recorded), strict=True)
    return line.startswith(OF_THE_PROCESSOR) or all(near(*pair) for pair in pairs)


def near(text: str, recorded: str) -> bool:
    """Whether two numbers are the same, or rounded ones a unit apart."""
    if not set(".%") & set(text):
        return text == recorded
    digits = [int(re.sub("[.,%]", "", each)) for each in (text, recorded)]
    places = [len(each.rstrip("%").partition(".")[2]) for each in (text, recorded)]
    return places[0] == places[1] and abs(digits[0] - digits[1]) <= 1


def test_each_record_is_of_a_page():
    recorded = {path.stem for path in RECORDS.glob("*.txt")}
    assert {"02-why-sqrt-dk", "what-is-measured"} <= recorded
    assert recorded <= {Path(name).stem for name in PAGES}


@pytest.mark.parametrize("name", PAGES)
def test_what_code_says_is_on_record(name, file_regression):
    record, lines = RECORDS / f"{Path(name).stem}.txt", said(name)
    if lines or record.exists():
        on_record(file_regression, record, lines, agree)
