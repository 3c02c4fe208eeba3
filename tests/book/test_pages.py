"""What holds for the text of every built page, before any browser reads it."""

import json
import os
import re
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from book.reading_time import reading_times

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
each_page = pytest.mark.parametrize("name", PAGES)

STRICT = ("default-src 'none'", "script-src 'self' blob:;", "base-uri 'none'")
EXECUTABLE = (None, "", "module", "text/javascript")
LEADS_SOMEWHERE = ("href", "src", "action")


class Reader(HTMLParser):
    """Collects the elements of a page, and the text of its scripts."""

    def __init__(self):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inline_scripts: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        self._in_script = (
            tag == "script"
            and "src" not in attributes
            and attributes.get("type") in EXECUTABLE
        )

    def handle_endtag(self, tag):
        self._in_script = False

    def handle_data(self, data):
        if self._in_script:
            self.inline_scripts.append(data)

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [
            attributes
            for name, attributes in self.elements
            if name == tag and wanted.items() <= attributes.items()
        ]

    @cached_property
    def ids(self) -> set[str]:
        return {a["id"] for _, a in self.elements if a.get("id")}


def read(name: str) -> Reader:
    reader = Reader()
    reader.feed((SITE / name).read_text(encoding="utf-8"))
    return reader


@pytest.fixture(scope="module")
def site() -> dict[str, Reader]:
    return {name: read(name) for name in PAGES}


def test_the_site_is_built():
    assert "intro.html" in PAGES, "run `make book` first"


@each_page
def test_states_a_strict_policy(site, name):
    page = site[name]
    [meta] = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    policy = meta["content"]
    assert all(rule in policy for rule in STRICT)
    assert "unsafe-eval" not in policy
    assert "unsafe" not in policy.split("style-src")[0]
    assert page.inline_scripts == []
    handlers = [(t, k) for t, a in page.elements for k in a if k.startswith("on")]
    assert handlers == []


@each_page
def test_loads_nothing_from_elsewhere(site, name):
    loads = [
        attributes.get("src") or attributes.get("href")
        for tag in ("script", "link", "img", "iframe", "source", "image")
        for attributes in site[name].all(tag)
    ]
    assert [url for url in loads if url and urlsplit(url).netloc] == []


@each_page
def test_names_no_page_to_fetch_in_advance(site, name):
    """Firefox fetches what a `link` calls next, and the policy refuses it."""
    links = site[name].all("link")
    named = {word for link in links for word in (link["rel"] or "").split()}
    assert named <= {"icon", "stylesheet", "canonical", "preload"}


@each_page
def test_says_what_it_is(site, name):
    page = site[name]
    text = (SITE / name).read_text(encoding="utf-8")
    assert "Attention by Hand" in re.search("<title>(.*?)</title>", text)[1]
    assert len(page.all("link", rel="icon")) == 1
    assert len(page.all("meta", property="og:title")) == 1
    # the build is told of no address, so it states none
    assert page.all("meta", property="og:url") == page.all("link", rel="canonical")
    if name not in ("index.html", "search.html"):
        [description] = page.all("meta", name="description")
        assert len(description["content"]) > 20


@each_page
def test_says_how_long_it_takes_to_read(name):
    text = (SITE / name).read_text(encoding="utf-8")
    before_title = text.partition("<article>")[0]
    said = re.findall(r'<span class="reading-time">(.*?)</span>', before_title)
    if name in ("index.html", "search.html"):
        assert said == []
    else:
        [time] = said
        assert re.fullmatch(r"(core )?about \d+ minutes?(, part two about .*)?", time)


WIDGET_STATE = re.escape("application/vnd.jupyter.widget-state+json")
CORES = {"chapters/01-self-attention.html": 35}  # minutes at most, as a first sitting


@pytest.mark.parametrize("name", CORES)
def test_a_core_can_be_read_in_one_sitting(name):
    text = (SITE / name).read_text(encoding="utf-8")
    body = text.partition("<article>")[2].partition("</article>")[0]
    states = re.findall(
        rf'<script type="{WIDGET_STATE}">(.*?)</script>', body, re.DOTALL
    )
    widgets = {k: w for state in states for k, w in json.loads(state)["state"].items()}
    times = reading_times(body, widgets)
    assert times.core <= CORES[name]
    assert times.second > 0


def links(page: Reader) -> list[str]:
    """Addresses on this site that a page points to, each once."""
    pairs = ((a, key) for _, a in page.elements for key in LEADS_SOMEWHERE)
    found = sorted({a[key] for a, key in pairs if a.get(key)})
    return [url for url in found if not (urlsplit(url).scheme or urlsplit(url).netloc)]


def leads_somewhere(site: dict[str, Reader], name: str, link: str) -> bool:
    url = urlsplit(link)
    here = SITE / name
    path = os.path.normpath(here.parent / unquote(url.path)) if url.path else here
    target = Path(path)
    page = site.get(target.relative_to(SITE).as_posix())
    if page is None or not url.fragment:
        return target.exists()
    return unquote(url.fragment) in page.ids


@each_page
def test_every_internal_link_leads_somewhere(site, name):
    assert [u for u in links(site[name]) if not leads_somewhere(site, name, u)] == []


@each_page
def test_ids_are_unique(site, name):
    ids = [a["id"] for _, a in site[name].elements if a.get("id")]
    assert sorted({i for i in ids if ids.count(i) > 1}) == []


@each_page
def test_figures_have_names_and_only_colours_of_the_theme(name):
    text = (SITE / name).read_text(encoding="utf-8")
    for figure in re.findall(r'<div class="figure">(.*?</svg>)', text, re.DOTALL):
        alt = re.search('aria-label="([^"]*)"', figure)[1]
        assert len(alt.split()) >= 4, f"alt text {alt!r} is not a sentence"
        raw = set(re.findall(r"#[0-9a-f]{6}\b", figure, re.IGNORECASE))
        assert raw == set(), f"colours outside course.kit.look in {alt!r}"


@each_page
def test_shows_no_traceback(name):
    text = (SITE / name).read_text(encoding="utf-8")
    assert "Traceback (most recent call last)" not in text


TITLE = re.compile(r"<h1>(.*?)<a class=\"headerlink\"", re.DOTALL)
ONWARD = re.compile(
    r'<a rel="(?:prev|next)" href="([^"]*)"><small>\w+</small> (.*?)</a>'
)
EYEBROW = re.compile(r'<p class="eyebrow"><span>Chapter (\d+)</span>')


def text_of(name: str) -> str:
    return (SITE / name).read_text(encoding="utf-8")


def title_of(name: str) -> str:
    return plain(TITLE.search(text_of(name))[1])


def plain(markup: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>|\\[()]|\\mathrm", "", markup)).strip()


@pytest.mark.parametrize("name", [n for n in PAGES if ONWARD.search(text_of(n))])
def test_the_ways_on_are_named_by_where_they_lead(name):
    for link, title in ONWARD.findall(text_of(name)):
        target = (SITE / name).parent.joinpath(link).resolve().relative_to(SITE)
        assert plain(title) == title_of(target.as_posix())


def test_a_chapter_has_the_number_of_its_file():
    numbered = {n: int(n[9:11]) for n in PAGES if re.match(r"chapters/\d\d-", n)}
    assert len(numbered) >= 6
    found = {n: int(EYEBROW.search(text_of(n))[1]) for n in numbered}
    assert found == numbered
