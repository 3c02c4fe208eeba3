"""Every figure shows the numbers and sentences of its Python card, in random states.

The tests find the figures: all subclasses of `Card` that have sentences. Each figure is
put into random states, all on one page. Then the test reads the text of each number,
the bars, the colours and the sentence from the screen.
"""

import displayed
import numpy as np
import pytest
from found import answered, figures, settable, states

from course.widgets import Card


def flat(numbers, prefix="") -> dict:
    """Return numbers by the names that the view uses: a-b for ``{"a": {"b": 1}}``."""
    found = {}
    for name, value in numbers.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{name}-")
        else:
            found[f"{prefix}{name}"] = value
    return found


# Returns, for each card: its numbers, bars and colours (read by displayed.js), the
# numbers in the fields of its sliders, and its sentence. "unbound" texts show no value
# of the state: they must be equal in every state.
READ = """() => [...document.querySelectorAll(".abh-card")].map((card) => ({
  ...Object.fromEntries(
    ["unnamed", "named", "unbound", "wrong", "bars", "tinted"]
      .map((what) => [what, displayed[what](card)])),
  fields: [...card.querySelectorAll("[data-trait]")]
    .filter((row) => row.checkVisibility() && row.querySelector("input.abh-field"))
    .map((row) => [row.dataset.trait, row.querySelector(".abh-field").value,
      row.querySelector("input[type=range]").getAttribute("aria-valuetext")]),
  said: card.querySelector(".abh-reading").innerText,
}))"""


@pytest.fixture
def shown(open_page):
    """Show cards on one page; return each card with what the page shows of it."""
    return lambda widgets: list(
        zip(widgets, open_page(*map(answered, widgets)).evaluate(READ), strict=True)
    )


@pytest.mark.parametrize("figure", figures(), ids=lambda cls: cls.__name__)
def test_a_number_bar_colour_or_sentence_differs_from_python(figure, shown):
    unseen, texts = set(flat(figure().numbers())), []
    for widget, seen in shown(states(figure)):
        assert seen["unnamed"] == [], "numbers without a name in Python"
        check_texts(widget, seen["named"])
        unseen -= set(seen["named"])
        texts.append(seen["unbound"])
        displayed.check_read(seen["wrong"], seen["bars"], seen["tinted"])
        for trait, *texts_of_it in seen["fields"]:  # the field, and the spoken value
            assert {*map(float, texts_of_it)} == {getattr(widget, trait)}, trait
        assert seen["said"] == widget.reading()
    assert unseen == set(), "in `numbers()`, and shown in no state"
    changing = [text for each in texts for text in each if each != texts[0]]
    assert changing == [], "texts without a name in Python that change with the state"


def check_texts(widget: Card, seen: dict) -> None:
    """Check that the shown numbers of each name are Python's numbers of this name."""
    expected = flat(widget.numbers())
    assert seen.keys() <= expected.keys()
    for name, texts in seen.items():
        values = np.ravel(expected[name])
        assert len(texts) == len(values), name
        wrong = [
            (text, value)
            for text, value in zip(texts, values, strict=True)
            if not displayed.agrees(text, float(value))
        ]
        state = {trait: getattr(widget, trait) for trait in settable(widget)}
        assert wrong == [], f"view, Python: {name} in {type(widget).__name__} {state}"
