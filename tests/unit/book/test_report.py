"""The report of a failed build: one line for each problem, then the next command."""

from book.report import Problem, last_error, told

CELL = {
    "page": "chapters/03-heads.ipynb",
    "cell": 4,
    "line": 11,
    "error": "NameError: name 'x' is not defined",
    "by_kernel": False,
}
LINK = Problem("intro.md", "line 3", "chapters/99.ipynb", is_link=True)
NO_ALT = Problem("intro.md", "", "figure without alt text", is_link=False)


def test_each_problem_is_one_line_and_appears_once():
    lines = told([CELL], [LINK, LINK, NO_ALT]).splitlines()
    problems = [" ".join(line.split()) for line in lines if line[:2] == "  "]
    assert problems == [
        "chapters/03-heads.ipynb cell 4, line 11 NameError: name 'x' is not defined",
        "intro.md line 3 chapters/99.ipynb",
        "intro.md figure without alt text",
    ]
    assert "--verbose" in lines[-1]


def test_only_links_are_reported_of_a_page_with_a_broken_cell():
    there = CELL["page"]
    report = told([CELL], [LINK._replace(page=there), NO_ALT._replace(page=there)])
    assert "chapters/99.ipynb" in report
    assert "without alt text" not in report


def test_the_next_command_is_the_command_that_was_typed(monkeypatch):
    monkeypatch.delenv("MAKELEVEL", raising=False)
    assert "`make book`" not in told([CELL], [])
    monkeypatch.setenv("MAKELEVEL", "1")
    assert "`make book`" in told([CELL], [])


def test_the_last_error_is_found_before_other_lines():
    said = "Traceback:\n  File x\nsphinx.errors.ThemeError: no theme\n\nSee above.\n"
    assert last_error(said) == "sphinx.errors.ThemeError: no theme"
    assert last_error("") != ""
