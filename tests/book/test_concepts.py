"""Each concept of the notes has a place in the course."""

import csv
from pathlib import Path

import pytest
from built import PAGES, ROOT, ids

NAMES = {Path(name).stem: name for name in PAGES}

with (ROOT / "src/course/concepts.csv").open(encoding="utf-8", newline="") as file:
    CONCEPTS = list(csv.DictReader(file))


@pytest.mark.parametrize("page", sorted({c["page"] for c in CONCEPTS}))
def test_the_heading_of_a_concept_does_not_exist(page):
    anchors = {c["anchor"] for c in CONCEPTS if c["page"] == page}
    assert anchors - ids(NAMES[page]) == set()
