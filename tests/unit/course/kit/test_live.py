"""What a notebook shows while a cell runs, and leaves when it has."""

from course.kit import live


def counted(capsys):
    """Count two runs; gives what was shown at each, and all of it."""
    shown, whole = [], ""
    for item in live.counted("ab", "runs"):
        now = capsys.readouterr().out
        whole += now
        shown.append((item, now.rpartition("\r")[2]))
    return shown, whole + capsys.readouterr().out


def test_a_notebook_counts_and_leaves_nothing(capsys, monkeypatch):
    monkeypatch.setenv(live.SERVED, "a.ipynb")
    shown, whole = counted(capsys)
    begins = [(item, text[: len("0 of 2 runs |")]) for item, text in shown]
    assert begins == [("a", "0 of 2 runs |"), ("b", "1 of 2 runs |")]
    wiped, rest = whole.split("\r")[-2:]
    assert (wiped.strip(), rest) == ("", "")
    assert counted(capsys) == (shown, whole)  # the same bytes each time


def test_a_build_counts_nothing(capsys, monkeypatch):
    monkeypatch.delenv(live.SERVED, raising=False)
    assert counted(capsys) == ([("a", ""), ("b", "")], "")
