"""Where the links, citations and terms of the text lead, as a person last read it.

That a link leads somewhere is another test's question. That it leads where its words
say, no formula tells: the words of each link of the Markdown, its target, and what
stands before a citation are on record in ``links/`` (see `records`); and so is how the
glossary begins to define each term. What code writes is in ``said/``.
"""

import itertools
import re
from pathlib import Path

import pytest
from built import PAGES, ROOT, page, with_class
from lxml.html import HtmlElement
from records import on_record

RECORDS = Path(__file__).with_name("links")
MADE = {"index.html", "all-figures.html"}  # code writes their links
NOT_OF_TEXT = (
    with_class("headerlink"),  # to the heading beside it
    "@role='doc-backlink'",  # from a source to where it is cited
    f"ancestor::div[{with_class('cell_output')}]",
    "code/@class",  # a function's name, to that function
)
LINKS = "//article//a[@href]" + "".join(f"[not({each})]" for each in NOT_OF_TEXT)
BLOCK = "ancestor::*[self::p or self::li or self::td][1]"
CITED = f"ancestor::*[{with_class('bibtex-citation')}]"
LISTED = f"ancestor::div[{with_class('citation')}]/p"
TERMS = f"//dl[{with_class('glossary')}]/dt"
AROUND = 6  # words on either side of a citation


def words(element: HtmlElement) -> str:
    texts = element.xpath(f".//text()[not(ancestor::a[{with_class('headerlink')}])]")
    return " ".join("".join(texts).split())


def leading(link: HtmlElement) -> str:
    """A link's words and its target; of a citation, what it is to support."""
    if link.xpath(CITED):
        return cited(link)
    listed = link.xpath(LISTED)  # in the list of sources: the source's own words
    return f"{words(listed[0])[:80] if listed else words(link)} <{link.get('href')}>"


def cited(link: HtmlElement) -> str:
    """A citation between the words that stand before it and after it."""
    texts = link.xpath(BLOCK)[0].xpath(".//text()")
    own = link.xpath(".//text()")
    at = texts.index(own[0])
    before, after = "".join(texts[:at]), "".join(texts[at + len(own) :])
    around = [before.split()[-AROUND:], "".join(own).split(), after.split()[:AROUND]]
    return " ".join(itertools.chain(*around))


def defined(term: HtmlElement) -> str:
    """A term of the glossary, and how its definition begins."""
    definition = words(term.xpath("following-sibling::dd[1]")[0])
    return f"{words(term)}: {definition.partition('. ')[0]}"


def links(name: str) -> list[str]:
    read = page(name)
    return [*map(leading, read.xpath(LINKS)), *map(defined, read.xpath(TERMS))]


GUIDES = ("README.md", "CONTRIBUTING.md", "DEVELOPING.md")
WRITTEN = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")


def written_in(guide: str) -> list[tuple[str, str]]:
    """Words and target of each link of a guide to the repository."""
    text = (ROOT / guide).read_text(encoding="utf-8")
    found = WRITTEN.findall(re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL))
    return [(" ".join(words.split()), target) for words, target in found]


def headings(guide: str) -> set[str]:
    """Places of a guide, as GitHub names them."""
    text = (ROOT / guide).read_text(encoding="utf-8")
    found = (line.lstrip("# ").lower() for line in text.splitlines() if line[:1] == "#")
    return {re.sub(r"[^\w -]", "", line).replace(" ", "-") for line in found}


def test_where_links_of_the_guides_lead_is_on_record(file_regression):
    lines = [f"{g}: {w} <{t}>" for g in GUIDES for w, t in written_in(g)]
    on_record(file_regression, RECORDS / "guides.txt", lines)


@pytest.mark.parametrize("guide", GUIDES)
def test_every_link_of_a_guide_leads_somewhere(guide):
    for _, target in written_in(guide):
        path, _, place = target.partition("#")
        if "://" not in target:
            assert (ROOT / path).exists()
            assert not place or place in headings(path or guide)


@pytest.mark.parametrize("name", [name for name in PAGES if name not in MADE])
def test_where_links_lead_is_on_record(name, file_regression):
    record, lines = RECORDS / f"{Path(name).stem}.txt", links(name)
    if lines or record.exists():
        on_record(file_regression, record, lines)
