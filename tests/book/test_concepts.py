"""Each concept of the notes has a place in the course, each term a chapter."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from built import PAGES, ROOT, ids, page

NAMES = {Path(name).stem: name for name in PAGES}

with (ROOT / "src/course/concepts.csv").open(encoding="utf-8", newline="") as file:
    CONCEPTS = list(csv.DictReader(file))


@pytest.mark.parametrize("page", sorted({c["page"] for c in CONCEPTS}))
def test_the_heading_of_a_concept_does_not_exist(page):
    anchors = {c["anchor"] for c in CONCEPTS if c["page"] == page}
    assert anchors - ids(NAMES[page]) == set()


# --- The glossary ---------------------------------------------------------------------

FIRST = re.compile(r"First in chapter (\d+)")


def terms_with_chapters() -> Iterator[tuple[list[str], str]]:
    """Yield the names of each entry, and the number that follows *First in chapter*.

    Entries of symbols are left out, because a symbol stands within a formula.
    """
    for entry in page("glossary.html").xpath("//main//dl/dd"):
        if found := FIRST.search(" ".join(entry.text_content().split())):
            [term] = entry.xpath("preceding-sibling::dt[1]")
            names = term.text_content().strip("¶# \n").split(",")
            if not term.xpath(".//*[@data-tex]"):
                yield [name.strip().lower() for name in names], found[1]


def text_of_chapter(number: str) -> str:
    """Return the text of a chapter and its further pages, in lower case."""
    names = [n for stem, n in NAMES.items() if re.match(f"{number:0>2}[a-z]?-", stem)]
    mains = [page(name).xpath("//main")[0] for name in names]
    return " ".join(" ".join(main.text_content() for main in mains).split()).lower()


def test_a_glossary_term_is_missing_in_the_chapter_that_its_entry_names():
    terms = list(terms_with_chapters())
    assert len(terms) > 25
    texts = {number: text_of_chapter(number) for number in {n for _, n in terms}}
    lost = [names for names, n in terms if not any(name in texts[n] for name in names)]
    assert lost == []
