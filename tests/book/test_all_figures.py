"""Every figure has a picture, a place on its page, and a link on all-figures.html."""

import re

import pytest
from built import PAGES, SITE, page, text_of, with_class
from lxml import html
from states import models

VIEW = "application/vnd.jupyter.widget-view+json"
NAMES = [name for name in PAGES if f'type="{VIEW}"' in text_of(name)]
each_page = pytest.mark.parametrize("name", NAMES)


@each_page
def test_a_widget_has_no_place_or_no_fallback_without_scripts(name):
    text = text_of(name)
    places = re.findall(r'<div class="widget" id="(fig-[\w-]+)">(<?\w*)', text)
    assert len(places) == text.count(f'type="{VIEW}"')
    assert {first for _, first in places} <= {"<figure", "<div"}


@each_page
def test_a_figure_is_named_by_a_running_number(name):
    states = models(SITE / name)
    named = [state for state in states if state.get("_page", {}).get("name")]
    assert named
    automatic = [s["_page"]["name"] for s in named if not s.get("name")]
    # Such a number changes if an author inserts a figure before this one.
    assert not [each for each in automatic if each[-1].isdigit()]


BOX = f"//*[{with_class('all-figures')}]"
DRAWN = f"//*[{with_class('still-pictures')}][./*[local-name()='svg']]"
IN_ITS_PLACE = f"/ancestor::*[{with_class('widget')}][1]/@id"


def test_a_figure_has_no_link_or_a_picture_appears_twice():
    [box] = page("all-figures.html").xpath(BOX)
    drawn = [f"{name}#{id_}" for name in NAMES for id_ in drawn_on(name)]
    assert sorted(box.xpath(".//a[contains(@href, '#fig-')]/@href")) == sorted(drawn)
    assert len(drawn) > 8
    pictures = box.xpath(f".//*[{with_class('thumbnail')}]")
    assert [each for each in pictures if not each.xpath("./svg")] == []
    drawings = {html.tostring(picture) for picture in pictures}
    assert len(drawings) == len(pictures) == len(box.xpath(".//li"))


def drawn_on(name):
    """Return the figures of a page that are drawn before any script runs."""
    return page(name).xpath(DRAWN + IN_ITS_PLACE)


def test_a_card_with_a_figure_has_no_picture():
    count = 0
    for name in NAMES:
        pages = [state["_page"] for state in models(SITE / name)]
        shown = {f"fig-{p['name']}" for p in pages if p.get("figure") and p["name"]}
        assert shown <= set(drawn_on(name)), name
        count += len(shown)
    assert count > 8
