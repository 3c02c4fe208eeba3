"""The exercises in code as the notebooks hold them: stub, hints, mistakes, solution.

Five cells in this order: a text under a heading of its own; the stub, tagged
``exercise``, which ends in ``check("name", my_function)``; three hints as ``<details>``
within each other, in plain words and code, since JupyterLab sets no formula there;
``say(mistakes("name"))`` with its imports, tagged ``remove-input``; and the solution,
tagged ``hide-input`` and ``solution``, whose first line is ``# A solution``, because
JupyterLab shows the first line of a folded cell.
"""

import ast
import re

import nbformat
import pytest

from book.build import chapters
from book.notebooks import FOLDED, tags
from course.practice import grade
from course.practice.exercises import EXERCISES

SUMMARY = re.compile(r"<summary><b>Open hint (\d) of (\d)</b></summary>")
CALL = re.compile(r'^(check|grade)\((?:"([\w-]+)", )?([\w, ]+)\)$', re.MULTILINE)


def exercises(path):
    """Return the five cells of each exercise of a chapter."""
    cells = nbformat.read(path, as_version=4).cells
    stubs = [i for i, cell in enumerate(cells) if "exercise" in tags(cell)]
    return [cells[i - 1 : i + 4] for i in stubs]


FOUND = [
    pytest.param(path.stem, *found, id=f"{path.stem}-{CALL.search(found[1].source)[3]}")
    for path in chapters()
    for found in exercises(path)
]
each = pytest.mark.parametrize(
    ("chapter", "text", "stub", "hints", "mistakes", "solution"), FOUND
)


def test_each_exercise_is_in_one_chapter():
    found = [CALL.search(each.values[2].source)[2] for each in FOUND]
    assert sorted(name for name in found if name) == sorted(EXERCISES)
    chapters = {each.values[0][:2] for each in FOUND}
    assert chapters >= {"01", "02", "03", "04", "06"}


@each
def test_a_stub_has_signature_docstring_and_a_last_line_with_the_check(
    chapter, text, stub, hints, mistakes, solution
):
    [*_, last] = body = ast.parse(stub.source).body
    written = [node for node in body if isinstance(node, ast.FunctionDef)]
    checked = CALL.search(stub.source)[3].split(", ")
    assert [function.name for function in written] == checked
    assert all(ast.get_docstring(function) for function in written)
    assert isinstance(last, ast.Expr)
    assert CALL.fullmatch(stub.source.splitlines()[-1])
    assert text.source.startswith(("## ", "### "))
    assert "notebook" in text.source  # a page on disk cannot run code


@each
def test_a_stub_fails_with_a_message_that_says_why(
    chapter, text, stub, hints, mistakes, solution
):
    verdict = run(stub.source)
    assert not verdict.passed
    assert re.search(r"returns None|catches\s+0\s+of", str(verdict))


@each
def test_a_solution_passes_the_same_check(
    chapter, text, stub, hints, mistakes, solution
):
    names = {}
    run(stub.source, names)
    assert run(solution.source, names) is None
    function, exercise, written = CALL.search(stub.source).groups()
    solved = [name for name in names if name.startswith("solution")]
    assert len(solved) == len(written.split(", "))
    if function == "grade":
        verdict = grade(*(names[name] for name in solved))
    else:
        verdict = names["check"](exercise, *(names[name] for name in solved))
    assert verdict.passed
    assert f"assert {function}(" in solution.source


@each
def test_a_hint_slices_an_array_in_another_direction_than_the_solution(
    chapter, text, stub, hints, mistakes, solution
):
    solved = re.sub(r"\s", "", solution.source)
    slices = re.findall(r"`(\w+\[[^`\n]*:[^`\n]*\])`", hints.source)
    assert [code for code in slices if re.sub(r"\s", "", code) not in solved] == []


@each
def test_three_hints_open_one_by_one(chapter, text, stub, hints, mistakes, solution):
    assert SUMMARY.findall(hints.source) == [("1", "3"), ("2", "3"), ("3", "3")]
    inside = hints.source.split("<details")[1:]
    assert len(inside) == 3
    assert all("</details>" not in text for text in inside[:2])  # nested
    assert hints.source.count("</details>") == 3
    assert "$" not in hints.source  # JupyterLab sets no formula in a fold


@each
def test_three_usual_mistakes_are_shown(chapter, text, stub, hints, mistakes, solution):
    exercise = CALL.search(stub.source)[2]
    if exercise:
        assert "remove-input" in tags(mistakes)
        assert mistakes.source.startswith("# Three usual mistakes")
        assert mistakes.source.endswith(f'\nsay(mistakes("{exercise}"))')
        run(mistakes.source)  # alone: a reader may not have run the chapter
        assert len({wrong.name for wrong in EXERCISES[exercise].usual_mistakes}) == 3
    else:
        assert mistakes.source.count("\n- **") == 3


@each
def test_a_folded_solution_shows_only_a_neutral_line(
    chapter, text, stub, hints, mistakes, solution
):
    assert {"solution", "hide-input"} <= tags(solution)
    assert solution.metadata.jupyter.source_hidden
    assert solution.source.startswith("# A solution\n")  # all that JupyterLab shows
    assert not FOLDED & tags(stub)


def run(source, names=None):
    """Run a cell; return the value of its last line, or None if it has no value."""
    names = {} if names is None else names
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
