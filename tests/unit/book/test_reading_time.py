"""Reading times follow the formula that the page Sources states."""

import json
import re
from pathlib import Path

import pytest

from book.reading_time import (
    CORE_FACTOR,
    FOLDED,
    SECOND_FACTOR,
    SECONDS,
    WIDGET_VIEW,
    WORDS_A_MINUTE,
    factors_of,
)
from book.reading_time import reading_times as times
from course.widgets import Exercise, Machine, Quiz, ask

ROOT = Path(__file__).resolve().parents[3]
MINUTE_OF_WORDS = "<p>" + "word " * WORDS_A_MINUTE + "</p>"
CHOICES = ("yes", True, "It is."), ("no", False, "It is not.")
CELL = '<div class="cell_input"><pre>for x in y: pass</pre></div>'
FIGURE = "<svg role='img'><text>0.25 and more words</text><svg></svg></svg>"
FORMULA = r'<div class="math notranslate">\[a = b \cdot c\]</div>'


def view(card):
    """Markup of a card, and the page's saved state with nothing else in it."""
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
def test_each_kind_counts_as_stated(body, seconds):
    assert times(body, {}) == pytest.approx((seconds / 60, 0))


@pytest.mark.parametrize("body", [MINUTE_OF_WORDS, CELL, FIGURE, FORMULA])
def test_what_is_folded_counts_half(body):
    fold = f"<details><summary><p>Show the code</p></summary>{body}</details>"
    assert times(fold, {}).core == pytest.approx(FOLDED * times(body, {}).core)
    after = times(fold + body, {}).core - times(fold, {}).core
    assert after == pytest.approx(times(body, {}).core)


@pytest.mark.parametrize(
    ("card", "minutes"),
    [
        (Quiz([ask("Is it?", *CHOICES), ask("Was it?", *CHOICES)]), 3),
        (Exercise("half", "Half of one?", truth=0.5), 1.5),
        (Machine(), 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_widget_counts_as_questions_or_as_a_figure_with_controls(card, minutes):
    body, widgets = view(card)
    assert times(body + "\n" + MINUTE_OF_WORDS, widgets).core == minutes + 1


def test_a_heading_opens_the_second_part():
    first = f"<section id='one'><h2></h2>{CELL}</section>"
    second = f"<section id='part-two-limits'><h2></h2>{FIGURE}</section>"
    last = f"<section id='check'>{MINUTE_OF_WORDS}</section>"
    got = times(f"<section id='title'>{first}{second}{last}</section>", {})
    assert got == pytest.approx((0.75, 1.75))
    assert str(got) == "core about 1 minute, part two about 2 minutes"
    assert str(times(first + 100 * CELL, {})) == "about 76 minutes"


def test_a_second_page_takes_the_factor_of_a_second_part():
    body = f"{MINUTE_OF_WORDS}<section id='part-two'>{MINUTE_OF_WORDS}</section>"
    core, second = times(body, {}, factors_of("chapters/01-a"))
    assert (core, second) == pytest.approx((CORE_FACTOR, SECOND_FACTOR))
    assert times(body, {}, factors_of("chapters/01b-a")).core == pytest.approx(second)


def test_the_page_that_states_the_formula_states_its_terms():
    page = (ROOT / "sources.md").read_text(encoding="utf-8")
    section = page.partition("## How reading times are counted")[2]
    said = " ".join(section.partition("```")[0].split())
    terms = [WORDS_A_MINUTE, SECONDS["formula"], SECONDS["figure"]]
    assert [float(n) for n in re.findall(r"\d+(?:\.\d+)?", said)] == [
        *terms,
        CORE_FACTOR,
        SECOND_FACTOR,
    ]
    assert "the same for an open cell" in said
    assert SECONDS["cell"] == SECONDS["figure"]
    assert "one and a half minutes for a question or an exercise" in said
    assert SECONDS["question"] == 90
    assert "three minutes for a figure with controls" in said
    assert SECONDS["controls"] == 180
    assert "A closed box counts half" in said
    assert FOLDED == 0.5
