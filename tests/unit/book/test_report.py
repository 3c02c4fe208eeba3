"""The report of a failed build names the error, the place and all problems."""

from book.report import Problem, last_error, written


def test_the_cause_of_an_error_is_named_instead_of_the_error():
    said = "KeyError: 'x'\n\nDuring it\n\nb.Stop: why\nValueError: 7\n  at 3\n"
    assert last_error(said) == "ValueError: 7"
    assert last_error("a\nb\n\n") == "b"
    assert last_error("") == "it said nothing"


def test_a_problem_is_lost_or_reported_twice():
    cell = {"page": "p", "cell": 3, "line": 2, "by_kernel": True, "error": "E"}
    other = Problem("q", "line 1", "other", is_link=False)
    caused = Problem("p", "line 1", "caused", is_link=False)
    report = written(
        [cell], [Problem("p", "", "link", is_link=True), other, other, caused]
    )
    lines = [" ".join(line.split()) for line in report.splitlines()]
    assert "p cell 3, line 2 the kernel failed twice: E" in lines
    assert "p link" in lines
    assert lines.count("q line 1 other") == 1
    assert "caused" not in report
