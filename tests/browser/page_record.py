"""The record of a page: texts that its source does not show, last read by a person.

A page's record holds the sentences and tables that code writes, the words of drawings,
alt texts, formulas in words, questions with every choice and its reason, exercises with
their steps and typical mistakes, and the sentence of each figure when the page opens.
Typed prose is not in the record: the diff of the notebook shows its changes.
"""

import re
from pathlib import Path

from playwright.sync_api import Page
from states import models

from book.formulas.words import plain_formula

RECORDS = Path(__file__).parents[1] / "records"
WRITTEN_BY_CODE = {"what-is-measured"}
SCRIPT = Path(__file__).with_name("page_record.js").read_text(encoding="utf-8")
SHOW_STEPS = """() => {
  const isNext = (button) => /^(Hint|First step|Next step)/.test(button.textContent);
  for (const help of document.querySelectorAll(".abh-help")) {
    for (let presses = 0; presses < 30; presses += 1) {
      [...help.querySelectorAll("button")].find(isNext)?.click();
    }
  }
}"""
FORMULA = re.compile("⟦(.*?)⟧")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*%?")
# Numbers in these lines come from training, which each processor rounds differently.
OF_THE_PROCESSOR = (
    "In a notebook the picture grows while the cell runs.",
    "Orders of magnitude between the loss at the end",
)


def read_record(page: Page, path: Path) -> list[str]:
    """Return the record of an open page whose questions are all answered."""
    page.evaluate(SHOW_STEPS)
    page.evaluate(SCRIPT)
    lines = page.evaluate("by => pageRecord(by)", path.stem in WRITTEN_BY_CODE)
    slips = [line for state in models(path) for line in slips_of(state)]
    lines += ["# Answers of the exercises", *slips] if slips else []
    return [FORMULA.sub(lambda each: plain_formula(each[1]), line) for line in lines]


def slips_of(state: dict) -> list[str]:
    """Return the answer of an exercise, and the reply to each typical mistake."""
    if "truth" not in state:
        return []
    slips = [f"{slip['value']:.6g}: {slip['why']}" for slip in state["slips"]]
    return [f"{state['prompt']} {state['truth']:.6g}", *slips]


def agree(line: str, recorded: str) -> bool:
    """Return whether words are equal, and numbers up to a unit of the last digit.

    Another processor adds numbers in another order. A number half-way between two
    roundings may then be rounded up instead of down. Numbers of training may differ.
    """
    if NUMBER.split(line) != NUMBER.split(recorded):
        return False
    pairs = zip(NUMBER.findall(line), NUMBER.findall(recorded), strict=True)
    return line.startswith(OF_THE_PROCESSOR) or all(near(*pair) for pair in pairs)


def near(text: str, recorded: str) -> bool:
    """Return whether numbers are equal, or differ by one unit of the last digit.

    Only rounded numbers may differ: those with decimals or in percent.
    """
    if not set(".%") & set(text):
        return text == recorded
    digits = [int(re.sub("[.,%]", "", each)) for each in (text, recorded)]
    places = [len(each.rstrip("%").partition(".")[2]) for each in (text, recorded)]
    return places[0] == places[1] and abs(digits[0] - digits[1]) <= 1
