"""`make check` runs every file of tests once, and fails where one of them fails."""

import signal

import pytest
from repeats import ends_and_weekly

from book.check import run, shares

PASSES, FAILS, DIES, ASKS_NOTHING = (
    "def test_it(): assert 1 + 1 == 2",
    "def test_it(): assert 1 + 1 == 3",
    "import os\ndef test_it(): os.abort()",
    "import pytest\n@pytest.mark.more\ndef test_it(): pass",
)


@pytest.fixture
def written(tmp_path):
    """Write files of tests with these sources; gives their names."""

    def write(*sources):
        (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = more: again\n")
        names = [f"test_{place}.py" for place in range(len(sources))]
        for name, source in zip(names, sources, strict=True):
            (tmp_path / name).write_text(source)
        return names

    return write


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_each_file_is_in_one_share_and_the_shares_are_even(tmp_path, written, count):
    sizes = (10, 900, 200, 300, 400, 250)
    names = written(*(" " * size for size in sizes))
    size = dict(zip(names, sizes, strict=True))
    found = shares(tmp_path, names, count)
    assert sorted(name for share in found for name in share) == names
    assert len(found) == min(count, len(names))
    loads = [[size[name] for name in share] for share in found]
    fullest = max(loads, key=sum)
    assert all(sum(fullest) - min(fullest) <= sum(each) for each in loads)


@pytest.mark.more
@pytest.mark.parametrize(
    ("sources", "status"),
    ends_and_weekly(
        [
            ((FAILS, PASSES), 1),
            ((PASSES, FAILS), 1),
            ((PASSES, DIES), -signal.SIGABRT),
            ((PASSES, ASKS_NOTHING), 0),
        ]
    ),
)
def test_a_failure_in_any_share_is_told(tmp_path, written, capsys, sources, status):
    assert run(tmp_path, written(*sources)) == status
    said = capsys.readouterr().out
    assert said.count("1 passed") == sources.count(PASSES)
    assert ("assert (1 + 1) == 3" in said) == (FAILS in sources)
