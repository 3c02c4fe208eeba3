"""How the views write and read numbers, against how the course writes them."""

import json

import displayed
import pytest

from course.kit import prose
from course.widgets.bundler import HERE

NUMBERS = (HERE / "card/numbers.js").read_text(encoding="utf-8")
VALUES = [-2.345, -0.251, -0.001, 0.0, 0.51, 1.005, 12.3456, 1234.56]


@pytest.fixture
def call(watch):
    """Call a function of `numbers.js` in the browser."""
    page = watch().page

    def of(name: str, *arguments):
        script = f"""async ([source, given]) => {{
          const module = new Blob([source], {{ type: "text/javascript" }});
          const url = URL.createObjectURL(module);
          return (await import(url)).{name}(...JSON.parse(given));
        }}"""
        return page.evaluate(script, [NUMBERS, json.dumps(arguments)])

    return of


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("digits", [1, 2, 4])
def test_a_view_writes_a_number_as_the_prose_does(call, value, digits):
    text = call("fixed", value, digits)
    assert text == prose.number(value, digits)
    assert displayed.agrees(text, value)


def test_whole_numbers_come_in_groups(call):
    assert call("grouped", 1048576) == "1,048,576"
    assert call("readNumber", "1,048,576", {"whole": True})["value"] == 1048576
