"""Reading times follow the formula that the page Sources states."""

import json
import re

import pytest

from book.build import ROOT
from book.reading_time import (
    CORE_FACTOR,
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


def page_time(body, widgets=None):
    """Return the minutes of a whole page."""
    return section_times(body, widgets or {})[""]


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        (MINUTE_OF_WORDS, 60),
        ('<img src="a.svg" alt="some words">', 45),
        (3 * CELL + 2 * FIGURE + FORMULA, 3 * 45 + 2 * 45 + 20),
        ('<p>a <span class="math">\\(b + c\\)</span> d</p>', 3 * 60 / 150),
        ('<h2>Two words<a class="headerlink">¶</a></h2>', 2 * 60 / 150),
        ('<p class="lost">only without scripts</p><style>p {}</style>', 0),
    ],
)
def test_a_kind_of_content_takes_another_time_than_stated(body, seconds):
    assert page_time(body) == pytest.approx(seconds / 60)
    fold = f"<details><summary><p>Show the code</p></summary>{body}</details>"
    assert page_time(fold + body) == pytest.approx(1.5 * seconds / 60)


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
    widgets = {"w1": {"state": {"_page": card._page}}}
    view = json.dumps({"version_major": 2, "model_id": "w1"})
    body = f'<script type="{WIDGET_VIEW}">\n{view}\n</script>\n{MINUTE_OF_WORDS}'
    assert page_time(body, widgets) == stated + 1


def test_a_second_page_does_not_take_longer_or_a_section_lacks_its_subsections():
    factors = [factor_of(f"chapters/{name}-a") for name in ("01", "01b", "10d")]
    assert factors == [CORE_FACTOR, SECOND_FACTOR, SECOND_FACTOR]
    words = MINUTE_OF_WORDS
    body = (
        f'<section id="a">{words}<section id="b">{words}</section>{words}</section>'
        f'<section id="c">{words}</section>{words}'
    )
    assert section_times(body, {}, 2.5) == pytest.approx(
        {"a": 7.5, "b": 2.5, "c": 2.5, "": 12.5}
    )
    assert minutes(0.2) == "about 1 minute"
    assert minutes(24.6) == "about 25 minutes"


def test_the_page_sources_states_other_numbers_than_the_formula():
    page = (ROOT / "sources.md").read_text(encoding="utf-8")
    section = page.partition("## How reading times are counted")[2]
    said = " ".join(section.partition("```")[0].split())
    terms = [WORDS_A_MINUTE, SECONDS["formula"], SECONDS["figure"]]
    terms += [CORE_FACTOR, SECOND_FACTOR]
    assert [float(n) for n in re.findall(r"\d+(?:\.\d+)?", said)] == terms
