"""How the views write and read numbers, against how the course writes them."""

import itertools

import displayed
import pytest

from course.kit import prose
from course.widgets.bundler import HERE

NUMBERS = (HERE / "card/numbers.js").read_text(encoding="utf-8")
VALUES = [-2.345, -0.251, -0.001, 0.0, 0.51, 1.005, 12.3456, 1234.56]
TIES = [0.125, -0.125, 0.375, 0.5, -0.5, 1.5, 2.5, 0.0625, -1.03125]
DIGITS = [0, 1, 2, 3, 4]


@pytest.fixture
def call(watch):
    """Call a function of `numbers.js` in the browser, with each list of arguments."""
    page = watch().page

    def of(name: str, *calls):
        script = f"""async ([source, calls]) => {{
          const module = new Blob([source], {{ type: "text/javascript" }});
          const {{ {name}: called }} = await import(URL.createObjectURL(module));
          return calls.map((given) => called(...given));
        }}"""
        return displayed.ask(page, script, [NUMBERS, calls])

    return of


def test_a_view_writes_a_number_as_the_prose_does(call):
    asked = list(itertools.product([*VALUES, *TIES], DIGITS))
    for (value, digits), text in zip(asked, call("fixed", *asked), strict=True):
        assert text == prose.number(value, digits), (value, digits)
        assert displayed.agrees(text, value), (value, digits)


def test_a_view_writes_all_digits_as_the_stills_do(call):
    values = [*VALUES, *TIES, 64, 1e-6, 0.1 + 0.2]
    found = call("inFull", *([value] for value in values))
    assert found == [prose.number(value, None) for value in values]


def test_whole_numbers_come_in_groups(call):
    assert call("grouped", [1048576]) == ["1,048,576"]
    [read] = call("readNumber", ["1,048,576", {"whole": True}])
    assert read["value"] == 1048576
