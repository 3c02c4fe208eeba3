"""Every figure has a picture, a place on its page, and a link on all-figures.html."""

import re

import pytest
from built import PAGES, SITE, page, text_of, with_class
from lxml import html
from states import models

VIEW = "application/vnd.jupyter.widget-view+json"
NAMES = [name for name in PAGES if f'type="{VIEW}"' in text_of(name)]
DRAWN = f"//*[{with_class('still-pictures')}][./*[local-name()='svg']]"
IN_ITS_PLACE = f"/ancestor::*[{with_class('widget')}][1]/@id"


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_has_no_place_no_picture_or_a_running_number_as_its_name(name):
    text = text_of(name)
    places = re.findall(r'<div class="widget" id="(fig-[\w-]+)">(<?\w*)', text)
    assert len(places) == text.count(f'type="{VIEW}"')
    assert {first for _, first in places} <= {"<figure", "<div"}, "without scripts"
    states = [state for state in models(SITE / name) if state.get("_page")]
    named = {state["_page"]["name"]: state for state in states}
    drawn = {f"fig-{n}" for n in named if n and named[n]["_page"].get("figure")}
    assert drawn <= set(drawn_on(name))
    # Such a number changes if an author inserts a figure before this one.
    automatic = [each for each in named if each and not named[each].get("name")]
    assert not [each for each in automatic if each[-1].isdigit()]


def test_a_figure_has_no_link_or_a_picture_appears_twice():
    [box] = page("all-figures.html").xpath(f"//*[{with_class('all-figures')}]")
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
