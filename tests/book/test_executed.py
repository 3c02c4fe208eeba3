"""No cell writes to stderr, which nbval does not compare.

The test reads the results of the last build and runs no notebook.
"""

import pytest
from built import ROOT

from book.build import chapters
from book.readable import executed

CACHE = ROOT / "_build" / ".jupyter_cache"


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_cell_writes_to_stderr(path):
    try:
        run = executed(path, CACHE)
    except KeyError:
        pytest.fail(f"{path.name} has not run as it is: run `make book`")
    outputs = (o for c in run.cells for o in c.get("outputs", []))
    assert [o.text for o in outputs if o.get("name") == "stderr"] == []
