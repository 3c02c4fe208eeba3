"""The report of a failed build."""

from book.report import last_error


def test_the_cause_of_an_error_is_named_instead_of_the_error():
    said = "KeyError: 'x'\n\nDuring it\n\nb.Stop: why\nValueError: 7\n  at 3\n"
    assert last_error(said) == "ValueError: 7"
    assert last_error("a\nb\n\n") == "b"
    assert last_error("") == "it said nothing"
