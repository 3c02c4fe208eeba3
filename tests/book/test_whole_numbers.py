"""A whole number of 10 or more that prose types is also a number of the page's code.

`TABLE` has the other numbers.
"""

import ast
import re

from committed import each_chapter, sources

from book.build import ROOT
from course.kit.real_maps import HEADS, LAYERS
from transformer.parameters import Config

NUMBER = re.compile(r"(?<![\w.,_{^<=#-])(?:\d{1,3}(?:,\d{3})+|\d{2,})(?!\w|[.,-]\d)")
NOT_COUNTED = re.compile(
    r"```.*?```|\]\([^)]*\)|\\color\{[^}]*\}|\$\$.*?\$\$|\b(?:19|20)\d\d\b"
    r"|\b(?:[Cc]hapters?|[Ss]teps?|[Ss]ections?),?[\s>]+\d+(?:,? (?:and|to|of) \d+)?",
    re.DOTALL,
)
TABLE = {
    "02-why-sqrt-dk": {5 * 8, 90, 256, 1024, 12**2, 32},
    "02b-why-sqrt-dk": {
        20,
        400,
        1000,
        1001,
        1002,
    },
    "04-output-projection": {12},
    "07-translation": {2 * Config().num_layers * Config().num_heads},
    "06b-transformer": {90},
    "07b-translation": {10, 2000},
    "09-a-real-model": {20, LAYERS, 40, 64, 135, 49_152, 3 * 24},
    "09b-a-real-model": {16, LAYERS * HEADS},
    "10-attention-since-2017": {10, 8**2, 80, 90, 65_536},
    "10c-attention-since-2017": {40},
    "before-attention": {75},
    "errata": {12, 18, 23},
    "practise-by-hand": {40},
    "what-the-story-would-need": {1500},
    "wrong-attentions-b": {1000, 2**11, 2**12},
    "your-own-attention": {99, 100},
}


def numbers(text):
    return {float(found.replace(",", "")) for found in NUMBER.findall(text)}


def known(path):
    nodes = [
        node for code in sources(path, "code") for node in ast.walk(ast.parse(code))
    ]
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    found = {float(value) for value in constants if isinstance(value, int | float)}
    texts = [value for value in constants if isinstance(value, str)]
    return found.union(*map(numbers, texts))


@each_chapter
def test_a_number_in_prose_is_no_number_of_the_code(path):
    prose = NOT_COUNTED.sub(" ", "\n\n".join(sources(path, "markdown")))
    assert numbers(prose) - known(path) - TABLE.get(path.stem, set()) == set()


def test_the_glossary_gives_another_width_than_the_paper():
    text = (ROOT / "glossary.md").read_text(encoding="utf-8").replace("`", "")
    assert numbers(NOT_COUNTED.sub(" ", text)) == {512, 1024}
