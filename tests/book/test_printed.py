"""What the chapters print when the site is built is what is committed.

The build has just run every notebook, so none runs again here: what its cells gave,
as the build's cache holds it, brought into the committed form, is the committed form.
"""

import re

import nbformat
import pytest
from built import ROOT
from jupyter_cache import get_cache

from book.build import chapters
from book.notebooks import PRINTED, normalised, tags

CACHE = ROOT / "_build" / ".jupyter_cache"
ADDRESS = re.compile(r"0x[0-9a-f]{6,16}")
each_chapter = pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def executed():
    """Give a notebook as the build has run it."""
    cache = get_cache(str(CACHE))

    def read(path):
        try:
            return cache.merge_match_into_notebook(nbformat.read(path, as_version=4))[1]
        except KeyError:
            return pytest.fail(f"{path.name} has not run as it is: run `make book`")

    return read


def printed(notebook) -> list[tuple[int, str]]:
    """What the cells tagged so have printed, by their numbers."""
    found = []
    for number, cell in enumerate(notebook.cells):
        if PRINTED in tags(cell):
            texts = (
                o.text if "text" in o else o.data["text/plain"] for o in cell.outputs
            )
            found.append((number, ADDRESS.sub("address", "".join(texts))))
    return found


@each_chapter
def test_a_chapter_prints_what_is_committed(executed, path):
    committed = printed(nbformat.read(path, as_version=4))
    assert printed(normalised(executed(path))) == committed


@each_chapter
def test_no_cell_complains(executed, path):
    outputs = (o for c in executed(path).cells for o in c.get("outputs", []))
    assert [o.text for o in outputs if o.get("name") == "stderr"] == []


def test_a_digit_that_changed_would_be_found(executed):
    path = next(p for p in chapters() if printed(nbformat.read(p, as_version=4)))
    run = normalised(executed(path))
    [(number, text), *_] = printed(run)
    digit = re.search(r"\d(?=\D*$)", text)
    [output, *_] = run.cells[number].outputs
    output.text = text[: digit.start()] + str((int(digit[0]) + 1) % 10)
    assert printed(run) != printed(nbformat.read(path, as_version=4))
