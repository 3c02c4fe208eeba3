"""Every concept of the notes has a place in the course."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from built import PAGES, ROOT, page, text_of

NAMES = {Path(name).stem: name for name in PAGES}

with (ROOT / "src/course/concepts.csv").open(encoding="utf-8", newline="") as file:
    CONCEPTS = list(csv.DictReader(file))


def test_each_concept_has_a_place():
    assert [c["concept"] for c in CONCEPTS if not (c["page"] and c["anchor"])] == []


@pytest.mark.parametrize("name", sorted({c["page"] for c in CONCEPTS}))
def test_the_heading_of_each_concept_exists(name):
    ids = set(re.findall(r'id="([^"]+)"', text_of(NAMES[name])))
    lost = [c for c in CONCEPTS if c["page"] == name and c["anchor"] not in ids]
    assert lost == []


def test_no_concept_is_listed_twice():
    keys = [(c["note"], c["line"], c["concept"]) for c in CONCEPTS]
    assert len(keys) == len(set(keys))


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
    names = [each for each in NAMES if re.match(f"{number:0>2}[bc]?-", each)]
    mains = [page(f"chapters/{name}.html").xpath("//main")[0] for name in names]
    return " ".join(" ".join(main.text_content() for main in mains).split()).lower()


def test_a_glossary_term_is_in_the_chapter_that_its_entry_names():
    terms = list(terms_with_chapters())
    assert len(terms) > 25
    texts = {number: text_of_chapter(number) for number in {n for _, n in terms}}
    lost = [names for names, n in terms if not any(map(texts[n].__contains__, names))]
    assert lost == []
