"""The exercises in code as assignments of nbgrader: ``python -m book.assignments``.

Each exercise becomes an assignment of one notebook: its text, the cell to
fill in, its hints, and a locked cell that calls the course's own grader. nbgrader
removes the lines of the solution when it generates the version for students.
"""

import ast
import re
import shutil
import textwrap
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from book.build import ROOT, chapters
from book.notebooks import METADATA, tags
from book.readable import CopyPlace
from book.repository import Repository

FOLDER = ROOT / "_build" / "assignments"
POINTS = 10
_CALL = re.compile(r"^(?:check\(\"([\w-]+)\", .*\)|grade\(\w+\))$", re.MULTILINE)
_GAP = re.compile(r"^    # Your lines go here.*$", re.MULTILINE)
_CONFIGURATION = """\
# Settings of nbgrader: run its commands in this folder.
c = get_config()
c.CourseDirectory.course_id = "attention-by-hand"
"""


def assignments(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    """Yield the name and the source notebook of each exercise of a chapter."""
    cells = notebook.cells
    for place, cell in enumerate(cells):
        if "exercise" not in tags(cell):
            continue
        after = cells[place + 1 :]
        solution = next(c.source for c in after if "solution" in tags(c))
        hints = takewhile(lambda c: c.cell_type == "markdown", after)
        call = _grader_call(cell.source)
        answer = _filled(cell.source[: call.start()].rstrip(), solution)
        grader = f"result = {call[0]}\nassert result.passed, result"
        yield (
            call[1] or "write-the-test",  # grade(...) names no exercise
            nbformat.v4.new_notebook(
                cells=[
                    _text("task", cells[place - 1].source),
                    _code("answer", answer, solution=True),
                    *(_text(f"hints-{n}", c.source) for n, c in enumerate(hints)),
                    _code("grader", grader, locked=True, grade=True, points=POINTS),
                ],
                metadata=METADATA,
            ),
        )


def _grader_call(exercise: str) -> re.Match[str]:
    found = _CALL.search(exercise)
    if found is None:
        raise ValueError(
            "an exercise ends with a line check(...) or grade(...), and this one has "
            f"none: {exercise!r}"
        )
    return found


def _filled(exercise: str, solution: str) -> str:
    """Fill the gaps with the solution's function bodies, in nbgrader's marks."""
    lines, tree = solution.splitlines(), ast.parse(solution).body
    imports = [ast.unparse(each) for each in tree if isinstance(each, ast.ImportFrom)]
    for function in tree:
        if not isinstance(function, ast.FunctionDef):
            continue
        body = "\n".join(lines[function.body[0].lineno - 1 : function.end_lineno])
        code = textwrap.dedent(body).splitlines()
        marked = ["### BEGIN SOLUTION", *imports, *code, "### END SOLUTION"]
        text = textwrap.indent("\n".join(marked), "    ")
        gap = _GAP.search(exercise)
        assert gap, "the exercise needs a line '# Your lines go here' for each function"
        exercise = exercise[: gap.start()] + text + exercise[gap.end() :]
    return exercise


def _text(name: str, source: str) -> NotebookNode:
    return _marked(nbformat.v4.new_markdown_cell(source), name, locked=True)


def _code(name: str, source: str, **marks: bool | int) -> NotebookNode:
    return _marked(nbformat.v4.new_code_cell(source), name, **marks)


def _marked(cell: NotebookNode, name: str, **marks: bool | int) -> NotebookNode:
    """Add nbgrader's metadata (version 3 of its schema) and a fixed id to a cell."""
    unset = {"grade": False, "solution": False, "locked": False, "task": False}
    fixed = {"schema_version": 3, "grade_id": name, "cell_type": cell.cell_type}
    cell.id = name
    cell.metadata["nbgrader"] = {**unset, **fixed, **marks}
    return cell


def write(folder: Path) -> list[Path]:
    """Write the course folder that nbgrader expects; return its notebooks.

    Of the folders only ``source`` is replaced: students' work and grades are beside it.
    """
    shutil.rmtree(folder / "source", ignore_errors=True)
    site, written = Repository.site_from_environment(), []
    for chapter in chapters():
        place = CopyPlace(site, f"chapters/{chapter.stem}")
        for name, notebook in assignments(nbformat.read(chapter, as_version=4)):
            place.relink(notebook)
            written.append(folder / "source" / name / f"{name}.ipynb")
            written[-1].parent.mkdir(parents=True)
            nbformat.write(notebook, written[-1])
    (folder / "nbgrader_config.py").write_text(_CONFIGURATION, encoding="utf-8")
    return written


def main() -> None:
    """Write the assignments."""
    print(f"{len(write(FOLDER))} assignments are in {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
