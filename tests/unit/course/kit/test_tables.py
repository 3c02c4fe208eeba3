"""Tables that programs write: read as written, refused if edited."""

import pytest

from course.kit import tables


def test_a_written_table_is_read_unchanged(tmp_path):
    rows = [{"text": "story", "loss": 0.25}, {"text": "a, b\n“c”", "loss": 3.0}]
    tables.write(tmp_path / "a.csv", rows)
    assert tables.read(tmp_path / "a.csv") == rows


def test_a_table_that_was_edited_is_refused(tmp_path):
    path = tmp_path / "a.csv"
    tables.write(path, [{"loss": 0.25}])
    path.write_text(path.read_text(encoding="utf-8").replace("25", "26"), "utf-8")
    with pytest.raises(ValueError, match=r"a\.csv was changed by hand"):
        tables.read(path)
