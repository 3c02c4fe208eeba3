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
from typing import NamedTuple

import pytest
from committed import CHAPTERS, cells
from nbformat import NotebookNode

from book.notebooks import tags
from course.practice.exercises import EXERCISES

SUMMARY = re.compile(r"<summary><b>Open hint (\d) of (\d)</b></summary>")
CALL = re.compile(r'^(check|grade)\((?:"([\w-]+)", )?([\w, ]+)\)$', re.MULTILINE)


class CodeExercise(NamedTuple):
    """The cells of an exercise, and the parts of the call that ends its stub."""

    text: NotebookNode
    stub: NotebookNode
    hints: NotebookNode
    mistakes: NotebookNode
    solution: NotebookNode
    function: str  # "check" or "grade"
    name: str | None  # `grade` takes no name
    written: list[str]  # functions that the reader writes


def exercises(path):
    """Yield the exercises of a chapter."""
    every = cells(path)
    for i, stub in enumerate(every):
        if "exercise" in tags(stub):
            function, name, written = CALL.search(stub.source).groups()
            five = every[i - 1 : i + 4]
            found = CodeExercise(*five, function, name, written.split(", "))
            yield pytest.param(found, id=f"{path.stem}-{written}")


FOUND = [found for path in CHAPTERS for found in exercises(path)]
each = pytest.mark.parametrize("exercise", FOUND)


def test_an_exercise_is_in_no_chapter_or_in_two():
    names = [found.values[0].name for found in FOUND]
    assert sorted(filter(None, names)) == sorted(EXERCISES)
    assert {found.id[:2] for found in FOUND} >= {"01", "02", "03", "04", "06"}


@each
def test_a_stub_lacks_a_function_a_docstring_or_the_check_in_its_last_line(exercise):
    [*_, last] = body = ast.parse(exercise.stub.source).body
    written = [node for node in body if isinstance(node, ast.FunctionDef)]
    assert [function.name for function in written] == exercise.written
    assert all(ast.get_docstring(function) for function in written)
    assert isinstance(last, ast.Expr)
    assert CALL.fullmatch(exercise.stub.source.splitlines()[-1])
    assert exercise.text.source.startswith(("## ", "### "))
    assert "notebook" in exercise.text.source  # a page on disk cannot run code


# Code that a hint shows and the solution writes in another form
OTHER_CODE = (
    ".sum(axis=1)",
    "x.reshape(n, h, -1)",
    "reshape(n, -1)",
    "np.zeros((n, d_model))",
    "np.tri(n, dtype=bool)",
    "np.exp(logit - largest)",
    "np.exp(-np.inf)",
    "scaled_dot_product_attention(Q, K, V, is_causal=True)",
    "np.allclose(found, due, atol=1e-5)",
    "causal=True",
)


@each
def test_code_of_a_hint_is_not_in_the_solution(exercise):
    def squeezed(code):
        return "".join(code.split())

    shown = set(re.findall(r"`([^`]+)`", exercise.hints.source)) - set(OTHER_CODE)
    solution = squeezed(exercise.solution.source)
    assert [code for code in shown if squeezed(code) not in solution] == []


@each
def test_a_stub_passes_or_fails_without_a_reason(exercise):
    names = {}
    exec(exercise.stub.source, names)
    verdict = eval(exercise.stub.source.splitlines()[-1], names)
    assert not verdict.passed
    assert re.search(r"returns None|catches\s+0\s+of", str(verdict))


@each
def test_a_solution_shows_its_code_or_is_judged_by_another_check(exercise):
    """nbval runs the solutions, and each ends in `assert check(...).passed`."""
    solution = exercise.solution
    assert {"solution", "hide-input"} <= tags(solution)
    assert solution.source.startswith("# A solution\n")  # all that JupyterLab shows
    last = solution.source.splitlines()[-1]
    call = CALL.fullmatch(re.fullmatch(r"assert (.+)\.passed", last)[1])
    assert call.groups()[:2] == (exercise.function, exercise.name)
    assert len(call[3].split(", ")) == len(exercise.written)


@each
def test_an_exercise_does_not_have_three_nested_hints_or_three_mistakes(exercise):
    hints, mistakes = exercise.hints.source, exercise.mistakes.source
    assert SUMMARY.findall(hints) == [("1", "3"), ("2", "3"), ("3", "3")]
    assert hints.split()[-3:] == ["</details>"] * 3, "not nested"
    assert "$" not in hints, "JupyterLab sets no formula in a fold"
    if exercise.name:
        assert "remove-input" in tags(exercise.mistakes)
        assert mistakes.endswith(f'\nsay(mistakes("{exercise.name}"))')
        exec(mistakes, {})  # alone: a reader may not have run the chapter
    else:
        assert mistakes.count("\n- **") == 3
