"""What the search knows of the built site: places that are there, in plain words."""

import gzip
import json
import re
from functools import cache

import pytest
from built import PAGES, SITE, page, text_of, with_class

from book import search

CODE = re.compile(r"\w = .*\(|^from |^import |^assert ")  # in a line, not a formula
FILES = ("minisearch.js", search.PLACES_FILE, "search.js")


@cache
def read():
    script = (SITE / "_static" / search.PLACES_FILE).read_text("utf-8")
    return json.loads(script.partition(" = ")[2].rstrip(";\n"))


@cache
def places():
    """Each page's file with the places on it."""
    data = read()
    found = {file: [] for file, *_ in data["pages"]}
    for number, *place in data["places"]:
        found[data["pages"][number][0]].append(search.Place(*place[:4]))
    return found


def test_every_page_of_the_site_is_in_it():
    assert set(places()) == {*PAGES} - {"index.html", "search.html"}
    assert all(places().values())


@pytest.mark.parametrize("file", places())
def test_every_place_is_there_once(file):
    anchors = [place.anchor for place in places()[file]]
    assert len(anchors) == len(set(anchors))
    assert set(anchors) <= set(page(file).xpath("//@id"))


@pytest.mark.parametrize("file", places())
def test_every_heading_and_figure_of_the_page_is_a_place(file):
    sections = page(file).xpath("//section/@id")
    figures = page(file).xpath(f"//div[{with_class('widget')}][./figure]/@id")
    assert {*sections, *figures} <= {place.anchor for place in places()[file]}


@pytest.mark.parametrize("file", places())
def test_no_place_holds_markup_formulas_as_written_or_code(file):
    code = "\n".join(block.text_content() for block in page(file).xpath("//pre"))
    lines = {line.strip() for line in code.splitlines() if CODE.search(line)}
    for place in places()[file]:
        words = f"{place.title} {place.text}"
        assert not re.search(r"[\\{}$]|</?\w+[ >]", words), words
        assert [line for line in lines if line in words] == []


FOLDED = "//article//details//p[not(.//*[@data-tex])]"


@pytest.mark.parametrize("file", places())
def test_nothing_that_is_folded_is_found(file):
    """An answer that a reader has not opened is not told by a search either."""
    found = " ".join(place.text for place in places()[file])
    told = (" ".join(p.text_content().split()) for p in page(file).xpath(FOLDED))
    assert [text for text in told if len(text.split()) >= 8 and text in found] == []


def test_titles_and_terms_are_what_the_page_says():
    [chapter] = [
        p for p in places()["chapters/02-why-sqrt-dk.html"] if p.kind == "page"
    ]
    assert chapter.title == "Why divide by √dₖ"
    terms = {p.title: p.text for p in places()["glossary.html"] if p.kind == "term"}
    assert terms["W^O"].startswith("Output projection, h d_v × d_model, in code W_O.")
    assert terms["temperature"].startswith("1 / β.")


def test_the_search_page_alone_loads_it_and_it_is_light():
    loading = {name for name in PAGES for file in FILES if f"/{file}?" in text_of(name)}
    assert loading == {"search.html"}
    sizes = [len(gzip.compress((SITE / "_static" / f).read_bytes(), 6)) for f in FILES]
    assert sum(sizes) <= 100_000, sizes
