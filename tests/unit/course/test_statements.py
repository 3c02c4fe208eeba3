"""The register of statements: what each says is what its function gives."""

import pytest

from course.statements import Statement, computed, statements

DECIDED = [row for row in statements() if row.function]


@pytest.mark.more
@pytest.mark.parametrize("row", DECIDED, ids=lambda row: row.words[:40])
def test_a_statement_says_what_is_computed(row):
    assert computed(row) == row.value


def test_no_statement_stands_twice():
    said = [(row.page, row.words) for row in statements()]
    assert len(set(said)) == len(said)


def test_values_are_written_as_their_rows_hold_them(monkeypatch):
    from course.chapters.translation import facts

    row = Statement("07-translation", "", "translation.seeds", "", "", "")
    for found, written in (
        (2, "2"),
        (True, "yes"),
        (False, "no"),
        ((5, 10000), "5, 10000"),
    ):
        monkeypatch.setattr(facts, "seeds", lambda found=found: found)
        assert computed(row) == written
