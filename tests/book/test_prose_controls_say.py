"""A link that sets a figure sets the number that its words name."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest
from built import PAGES, SITE, page, text_of, with_class
from states import models

NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:\.\d+)?")


def numbers(text: str) -> list[float]:
    return [float(each) for each in NUMBER.findall(text.replace("\N{MINUS SIGN}", "-"))]


def meant(text: str, state: dict) -> Iterator[float]:
    """Yield the numbers that words may use for a value, which may be an index.

    These are the value, the value + 1, and the numbers in list items at this index.
    """
    for number in numbers(text):
        yield from (number, number + 1)
    for value in state.values() if text.isdigit() else ():
        if isinstance(value, list):
            for item in value[int(text) : int(text) + 1]:
                yield from numbers(str(item))


@pytest.mark.parametrize("name", [n for n in PAGES if 'class="sets' in text_of(n)])
def test_words_that_set_a_figure_name_another_number(name):
    states = {s["_page"]["name"]: s for s in models(SITE / name) if "_page" in s}
    for link in page(name).xpath(f"//a[{with_class('sets')}]"):
        pairs = parse_qsl(urlsplit(link.get("href")).query, keep_blank_values=True)
        values = {
            number
            for key, text in pairs
            for number in meant(text, states[key.partition(".")[0]])
        }
        words = link.text_content()
        assert values.issuperset(numbers(words)), f"“{words}” sets {pairs}"
