"""No cell complains: nbval, which compares what is printed, passes over stderr.

The build has just run every notebook, so none runs again here.
"""

import pytest
from built import ROOT

from book.build import chapters
from book.readable import executed

CACHE = ROOT / "_build" / ".jupyter_cache"


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_no_cell_complains(path):
    try:
        run = executed(path, CACHE)
    except KeyError:
        pytest.fail(f"{path.name} has not run as it is: run `make book`")
    outputs = (o for c in run.cells for o in c.get("outputs", []))
    assert [o.text for o in outputs if o.get("name") == "stderr"] == []
