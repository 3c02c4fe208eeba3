"""Reading times follow the formula that the page Sources states."""

import json
import re

import pytest

from book.build import ROOT
from book.reading_time import (
    CORE_FACTOR,
    FOLDED,
    SECOND_FACTOR,
    SECONDS,
    WIDGET_VIEW,
    WORDS_A_MINUTE,
    factor_of,
    minutes,
    section_times,
)
from course.widgets import Exercise, Machine, Quiz, ask

MINUTE_OF_WORDS = "<p>" + "word " * WORDS_A_MINUTE + "</p>"
CHOICES = ("yes", True, "It is."), ("no", False, "It is not.")
CELL = '<div class="cell_input"><pre>for x in y: pass</pre></div>'
FIGURE = "<svg role='img'><text>0.25 and more words</text><svg></svg></svg>"
FORMULA = r'<div class="math notranslate">\[a = b \cdot c\]</div>'


def page_time(body, widgets):
    """Return the minutes of a whole page."""
    return section_times(body, widgets)[""]


def view(card):
    """Return the markup of a card, and a saved page state with this card alone."""
    widgets = {"w1": {"state": {"_page": card._page}}}
    body = json.dumps({"version_major": 2, "model_id": "w1"})
    return f'<script type="{WIDGET_VIEW}">\n{body}\n</script>\n', widgets


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ("", 0),
        (MINUTE_OF_WORDS, 60),
        (FORMULA, SECONDS["formula"]),
        (FIGURE, SECONDS["figure"]),
        ('<img src="a.svg" alt="some words">', SECONDS["figure"]),
        (CELL, SECONDS["cell"]),
        (3 * CELL + 2 * FIGURE + FORMULA, 3 * 45 + 2 * 45 + 20),
        ('<p>a <span class="math">\\(b + c\\)</span> d</p>', 3 * 60 / 150),
        ('<h2>Two words<a class="headerlink">¶</a></h2>', 2 * 60 / 150),
        ('<p class="lost">only without scripts</p><style>p {}</style>', 0),
    ],
)
def test_a_kind_of_content_takes_another_time_than_stated(body, seconds):
    assert page_time(body, {}) == pytest.approx(seconds / 60)


@pytest.mark.parametrize("body", [MINUTE_OF_WORDS, CELL, FIGURE, FORMULA])
def test_folded_content_does_not_count_half(body):
    fold = f"<details><summary><p>Show the code</p></summary>{body}</details>"
    assert page_time(fold, {}) == pytest.approx(FOLDED * page_time(body, {}))
    after = page_time(fold + body, {}) - page_time(fold, {})
    assert after == pytest.approx(page_time(body, {}))


@pytest.mark.parametrize(
    ("card", "stated"),
    [
        (Quiz([ask("Is it?", *CHOICES), ask("Was it?", *CHOICES)]), 3),
        (Exercise("half", "Half of one?", truth=0.5), 1.5),
        (Machine(), 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_widget_takes_another_time_than_its_questions_or_controls(card, stated):
    body, widgets = view(card)
    assert page_time(body + "\n" + MINUTE_OF_WORDS, widgets) == stated + 1


def test_a_second_page_does_not_take_longer_than_a_first_page():
    factors = [factor_of(f"chapters/{name}-a") for name in ("01", "01b", "10d")]
    assert factors == [CORE_FACTOR, SECOND_FACTOR, SECOND_FACTOR]
    got = section_times(f"<section id='a'>{MINUTE_OF_WORDS}</section>", {}, 2.5)
    assert got == pytest.approx({"": 2.5, "a": 2.5})


def test_a_time_is_not_written_in_whole_minutes():
    assert minutes(0.2) == "about 1 minute"
    assert minutes(24.6) == "about 25 minutes"


def test_the_page_sources_states_other_numbers_than_the_formula():
    page = (ROOT / "sources.md").read_text(encoding="utf-8")
    section = page.partition("## How reading times are counted")[2]
    said = " ".join(section.partition("```")[0].split())
    terms = [WORDS_A_MINUTE, SECONDS["formula"], SECONDS["figure"]]
    terms += [CORE_FACTOR, SECOND_FACTOR]
    assert [float(n) for n in re.findall(r"\d+(?:\.\d+)?", said)] == terms
    for words, value, stated in (
        ("the same for an open cell", SECONDS["cell"], SECONDS["figure"]),
        ("one and a half minutes for a question or", SECONDS["question"], 90),
        ("three minutes for a figure with controls", SECONDS["controls"], 180),
        ("A closed box counts half", FOLDED, 0.5),
    ):
        assert words in said
        assert value == stated
