"""A link that sets a figure sets the number, or the choice, that its words name."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest
from built import PAGES, SITE, page, text_of, with_class
from states import figures

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


def words_of(text: str) -> set[str]:
    """Return the words of a text that name something."""
    return set(re.findall(r"[^\W\d_]{2,}", text.lower())) - {"the", "of", "and", "with"}


@pytest.mark.parametrize("name", [n for n in PAGES if 'class="sets' in text_of(n)])
def test_words_that_set_a_figure_name_another_number_or_choice(name):
    states = figures(SITE / name)
    for link in page(name).xpath(f"//a[{with_class('sets')}]"):
        said, values = link.text_content(), set()
        query = urlsplit(link.get("href")).query
        for key, text in parse_qsl(query, keep_blank_values=True):
            figure, _, trait = key.partition(".")
            values.update(meant(text, states[figure]))
            controls = states[figure]["_page"]["controls"]
            options = [c.get("options") for c in controls if c.get("trait") == trait]
            for names in filter(None, options):
                common = [len(words_of(said) & words_of(each)) for each in names]
                assert common[int(text)] == max(common), f"“{said}” sets {names}"
        assert values.issuperset(numbers(said)), f"“{said}” sets {query}"
