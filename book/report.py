"""The report of a failed build: broken cells, broken links, and what to type next.

Cells are counted from 1 in the order of the notebook, text and code alike.
`book.problems` gathers what Sphinx finds; `written` writes the report.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

FILE = "problems.json"  # in the folder of the build
BROKEN_PAGES = "BROKEN_PAGES"  # variable that names the pages whose cells failed
CELL = 10_000  # myst-nb gives line 11 of cell 4 the number 40012


class Problem(NamedTuple):
    """A problem that Sphinx found."""

    page: str  # path of the page below the book's root, path of another file, or ""
    place: str  # place on the page: a cell and a line, only a line, or ""
    text: str  # the target of a broken link, or a sentence about any other problem
    is_link: bool  # whether the problem is a broken link


def place(number: int, in_notebook: bool) -> str:
    """Return in words the place that Sphinx's line number stands for.

    >>> place(40012, in_notebook=True)
    'cell 4, line 11'
    """
    if in_notebook and number >= CELL:
        cell, line = divmod(number, CELL)
        return f"cell {cell}" + (f", line {line - 1}" if line > 1 else "")
    return f"line {number}" if number else ""


def read(file: Path) -> list[Problem] | None:
    """Return the problems that Sphinx found; None if it stopped before the end."""
    try:
        return [Problem(*each) for each in json.loads(file.read_text("utf-8"))]
    except FileNotFoundError:
        return None


def last_error(said: str) -> str:
    """Return the line that names the error in the output of a stopped program."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [
        line for line in lines if re.match(r"[\w.]+(Error|Exception)\b.*: ", line)
    ]
    return (errors or lines or ["it said nothing"])[-1]


def written(cells: Iterable[Mapping[str, Any]], problems: Iterable[Problem]) -> str:
    """Return the report of a failed build, with one line for each problem.

    `cells` has the fields of each `book.execute.Failure`. For a page with a broken cell
    the report lists only broken links, because the cell may have caused the rest.
    """
    cells = list(cells)
    stopped = {cell["page"] for cell in cells}
    rows: dict[str, list[tuple[str, str, str]]] = {
        "Broken cells": [_row(cell) for cell in cells],
        "Broken links": [],
        "Problems": [],
    }
    for problem in dict.fromkeys(problems):
        kind = "Broken links" if problem.is_link else "Problems"
        if problem.is_link or problem.page not in stopped:
            rows[kind].append((problem.page, problem.place, problem.text))
    lines = ["The book is not built."]
    for title, found in rows.items():
        if found:
            lines += ["", f"{title}:", *_aligned(found)]
    again = "make book" if "MAKELEVEL" in os.environ else "python run.py book"
    return "\n".join(
        [
            *lines,
            "",
            f"Mend these, then type `{again}`. "
            "For the tracebacks type `python run.py book --verbose`.",
        ]
    )


def _row(cell: Mapping[str, Any]) -> tuple[str, str, str]:
    line = f", line {cell['line']}" if cell["line"] else ""
    twice = "the kernel failed twice: " if cell["by_kernel"] else ""
    return cell["page"], f"cell {cell['cell']}{line}", f"{twice}{cell['error']}"


def _aligned(rows: list[tuple[str, str, str]]) -> Iterable[str]:
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for page, where, text in rows:
        yield f"  {page:{widths[0]}}  {where:{widths[1]}}  {text}".rstrip()
