"""What a notebook shows while a cell runs, and leaves when it has."""

import pytest

from course.kit import live


class Handle:
    """What IPython's ``display`` gives for a thing that changes."""

    def __init__(self):
        self.shown = []

    def update(self, thing):
        self.shown.append(thing.data)


@pytest.fixture
def handle(monkeypatch):
    made = Handle()

    def display(thing, display_id):
        made.update(thing)
        return made

    monkeypatch.setattr(live, "display", display)
    return made


def test_a_notebook_counts_and_leaves_nothing(handle, monkeypatch):
    monkeypatch.setenv(live.SERVED, "a.ipynb")
    seen = [(item, handle.shown[-1]) for item in live.counted("ab", "runs <b>")]
    bars = [
        f'<progress value="{n}" max="2" aria-label="{n} of 2 runs &lt;b&gt;">'
        f"</progress> {n} of 2 runs &lt;b&gt;"
        for n in range(3)
    ]
    assert seen == [("a", bars[0]), ("b", bars[1])]
    assert handle.shown == [*bars, ""]


def test_a_build_counts_nothing(handle, monkeypatch):
    monkeypatch.delenv(live.SERVED, raising=False)
    assert list(live.counted([1, 2], "runs")) == [1, 2]
    assert handle.shown == []
