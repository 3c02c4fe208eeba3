"""What figures call their numbers: every word of them, as it was last read by a person.

Other tests compare numbers with Python's. No formula tells whether a name stands beside
the right one, so the words of each page's figures are on record in ``words/``, in the
order in which they stand, numbers left out and drawn names with their colours (see
`records`).
"""

from pathlib import Path

import pytest
from found import pages_with
from records import on_record

RECORDS = Path(__file__).with_name("words")
SCRIPT = Path(__file__).with_name("words.js").read_text(encoding="utf-8")
WITH_FIGURES = pages_with('class="widget"', '<svg role="img"')


def test_figures_are_found():
    assert {"intro.html", "chapters/02-why-sqrt-dk.html"} <= set(WITH_FIGURES)
    recorded = {path.stem for path in RECORDS.glob("*.txt")}
    assert recorded <= {Path(name).stem for name in WITH_FIGURES}


@pytest.mark.parametrize("name", WITH_FIGURES)
def test_figures_say_what_is_on_record(watch, site, name, file_regression):
    page = watch(reduced_motion="reduce").open(f"{site}/{name}")
    said = page.evaluate(SCRIPT)
    on_record(file_regression, RECORDS / f"{Path(name).stem}.txt", said)
