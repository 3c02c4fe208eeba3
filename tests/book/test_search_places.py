"""The places in the built search index: they exist, and hold plain words only."""

import gzip
import json
import re
from functools import cache

import pytest
from built import PAGES, ROOT, SITE, ids, page, text_of, with_class
from sphinx_external_toc.parsing import parse_toc_yaml

from book import search

CODE = re.compile(r"\w = .*\(|^from |^import |^assert ")  # code, not a formula
FILES = ("minisearch.js", search.PLACES_FILE, "search.js")
FOLDED = "//article//details//p[not(.//*[@data-tex])]"


@cache
def places():
    """Return the places of each page, by the page's file."""
    script = (SITE / "_static" / search.PLACES_FILE).read_text("utf-8")
    data = json.loads(script.partition(" = ")[2].rstrip(";\n"))
    found = {file: [] for file, *_ in data["pages"]}
    for number, *place in data["places"]:
        found[data["pages"][number][0]].append(search.Place(*place[:4]))
    return found


def test_a_part_that_comes_last_is_not_in_the_contents():
    parts = parse_toc_yaml(ROOT / "_toc.yml").root.subtrees
    assert set(search.LATER_PARTS) <= {part.caption for part in parts}


def test_a_page_of_the_site_is_not_in_the_index():
    assert set(places()) == {*PAGES} - {"index.html", "search.html"}


@pytest.mark.parametrize("file", places())
def test_a_place_is_not_on_its_page_or_a_heading_or_a_figure_is_no_place(file):
    anchors = [place.anchor for place in places()[file]]
    assert len(anchors) == len(set(anchors))
    assert set(anchors) <= ids(file)
    sections = page(file).xpath("//section/@id")
    figures = page(file).xpath(f"//div[{with_class('widget')}][./figure]/@id")
    assert {*sections, *figures} <= set(anchors)


@pytest.mark.parametrize("file", places())
def test_a_place_holds_markup_code_or_a_folded_answer(file):
    code = "\n".join(block.text_content() for block in page(file).xpath("//pre"))
    hidden = {line.strip() for line in code.splitlines() if CODE.search(line)}
    # A search must not show an answer that the reader has not opened.
    folded = (" ".join(p.text_content().split()) for p in page(file).xpath(FOLDED))
    hidden.update(text for text in folded if len(text.split()) >= 8)
    for place in places()[file]:
        words = f"{place.title} {place.text}"
        assert not re.search(r"[\\{}$]|</?\w+[ >]", words), words
        assert [text for text in hidden if text in words] == []


def test_a_title_or_a_term_differs_from_the_page():
    every = places()["chapters/02-why-sqrt-dk.html"]
    [chapter] = [place for place in every if place.kind == "page"]
    assert chapter.title == "Why divide by √dₖ"
    terms = {p.title: p.text for p in places()["glossary.html"] if p.kind == "term"}
    assert terms["W^O"].startswith("Output projection, h d_v × d_model, in code W_O.")
    assert terms["temperature"].startswith("1 / β.")


def test_a_page_other_than_search_loads_the_index_or_the_index_is_large():
    loading = {name for name in PAGES for file in FILES if f"/{file}?" in text_of(name)}
    assert loading == {"search.html"}
    sizes = [len(gzip.compress((SITE / "_static" / f).read_bytes(), 6)) for f in FILES]
    assert sum(sizes) <= 100_000, sizes
