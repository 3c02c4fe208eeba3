"""Reading paths on the home page show the minutes of their links."""

import pytest

from book.paths import timed
from book.reading_time import section_times

MINUTES = {"chapters/a": {"": 30.2, "one": 2.4, "two": 7.6}, "b": {"": 0.1}}


def reading_path(*links):
    items = "".join(f'<li><a class="x" href="{link}">here</a></li>' for link in links)
    name = "<p><strong>W</strong>: so.</p>"
    return f'<div class="way docutils container">{name}{items}</div>'


@pytest.mark.parametrize(
    ("links", "total"),
    [
        (["chapters/a.html#one", "chapters/a.html#two"], 10),
        (["chapters/a.html"], 30),
        (["b.html", "chapters/a.html#one"], 3),  # each link counts at least a minute
    ],
)
def test_a_reading_path_shows_other_minutes_than_those_of_its_links(links, total):
    shown = f'</strong> <span class="minutes">{total} min</span>: so.'
    path = reading_path(*links)
    assert timed(path, MINUTES) == path.replace("</strong>: so.", shown)


def test_text_outside_of_the_reading_paths_changes():
    other = '<p><strong>a</strong> <a href="b.html">b</a></p>'
    paths = reading_path("b.html"), reading_path("chapters/a.html")
    home = timed(other + other.join(paths), MINUTES)
    assert home.count(other) == 2
    assert home.count("1 min") == home.count("30 min") == 1


def test_a_link_to_a_missing_section_is_accepted():
    with pytest.raises(KeyError, match="three"):
        timed(reading_path("chapters/a.html#three"), MINUTES)


def test_the_time_of_a_section_lacks_its_subsections():
    words = "<p>" + "word " * 75 + "</p>"
    body = (
        f'<section id="a">{words}<section id="b">{words}</section>{words}</section>'
        f'<section id="c">{words}</section>{words}'
    )
    expected = {"a": 1.5, "b": 0.5, "c": 0.5, "": 2.5}
    assert section_times(body, {}) == pytest.approx(expected)
