"""Everything that the notes speak of has its place in the course."""

import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PAGES = {path.stem: path for path in SITE.rglob("*.html")}

with (ROOT / "src/course/concepts.csv").open(encoding="utf-8", newline="") as file:
    CONCEPTS = list(csv.DictReader(file))


def test_each_concept_has_a_place():
    assert [c["concept"] for c in CONCEPTS if not (c["page"] and c["anchor"])] == []


@pytest.mark.parametrize("page", sorted({c["page"] for c in CONCEPTS}))
def test_each_concept_stands_under_a_heading_that_is_there(page):
    ids = set(re.findall(r'id="([^"]+)"', PAGES[page].read_text(encoding="utf-8")))
    lost = [c for c in CONCEPTS if c["page"] == page and c["anchor"] not in ids]
    assert lost == []


def test_no_concept_is_listed_twice():
    keys = [(c["note"], c["line"], c["concept"]) for c in CONCEPTS]
    assert len(keys) == len(set(keys))
