"""Every figure has its picture, its place on its page, and its link from one page."""

import json
import re

import pytest
from built import SITE, page

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
PAGES = [
    path
    for path in sorted(SITE.rglob("*.html"))
    if f'type="{VIEW}"' in path.read_text("utf-8")
]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_widget_has_a_place_of_its_own_and_something_without_scripts(path):
    text = path.read_text("utf-8")
    places = re.findall(r'<div class="widget" id="(fig-[\w-]+)">(<?\w*)', text)
    assert len(places) == text.count(f'type="{VIEW}"')
    assert len({name for name, _ in places}) == len(places)
    assert {first for _, first in places} <= {"<figure", "<div"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_second_of_a_kind_has_a_name_that_others_before_it_do_not_change(path):
    text = path.read_text("utf-8")
    states = re.findall(rf'<script type="{re.escape(STATE)}">(.*?)</script>', text)
    models = [m["state"] for text in states for m in json.loads(text)["state"].values()]
    named = [state for state in models if state.get("_page", {}).get("name")]
    assert named
    numbered = [s["_page"]["name"] for s in named if not s.get("name")]
    assert not [name for name in numbered if name[-1].isdigit()]


def test_every_picture_leads_to_its_figure():
    links = page("all-figures.html").xpath("//a[contains(@href, '#fig-')]")
    assert [link.get("href") for link in links if not link.xpath(".//svg")] == []
    wanted = set()
    for path in PAGES:
        name = path.relative_to(SITE).as_posix()
        figures = re.findall(
            r'<div class="widget" id="(fig-[\w-]+)"><figure[^>]*>'
            r"<p[^>]*>[^<]*</p><div class=\"still-pictures\"><svg",
            path.read_text("utf-8"),
        )
        wanted |= {f"{name}#{figure}" for figure in figures}
    assert {link.get("href") for link in links} == wanted
    assert len(wanted) > 8
