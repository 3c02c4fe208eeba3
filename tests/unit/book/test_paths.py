"""Reading paths on the home page show the minutes of their links."""

import pytest

from book.paths import timed

MINUTES = {"chapters/a": {"": 30.2, "one": 2.4, "two": 7.6}, "b": {"": 0.1}}
OTHER = '<p><strong>a</strong> <a href="b.html">b</a></p>'


def reading_path(*links):
    items = "".join(f'<li><a class="x" href="{link}">here</a></li>' for link in links)
    name = "<p><strong>W</strong>: so.</p>"
    return f'<div class="way docutils container">{name}{items}</div>'


def test_a_reading_path_shows_other_minutes_than_those_of_its_links():
    paths = {
        reading_path("chapters/a.html#one", "chapters/a.html#two"): 10,
        reading_path("chapters/a.html"): 30,
        # each link counts at least a minute
        reading_path("b.html", "chapters/a.html#one"): 3,
    }
    shown = [
        path.replace("g>:", f'g> <span class="minutes">{total} min</span>:')
        for path, total in paths.items()
    ]
    assert timed(OTHER.join(paths) + OTHER, MINUTES) == OTHER.join(shown) + OTHER


def test_a_link_to_a_missing_section_is_accepted():
    with pytest.raises(KeyError, match="three"):
        timed(reading_path("chapters/a.html#three"), MINUTES)
