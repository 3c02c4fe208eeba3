"""Every figure of every room is drawn by a test of that room."""

import ast
from pathlib import Path

import pytest

import course.chapters
from course.claims import register

ROOMS = Path(course.chapters.__file__).parent
TESTS = Path(__file__).parent


def figures(module: Path) -> list[str]:
    """Names of the functions of a room that draw."""
    functions = (n for n in _tree(module).body if isinstance(n, ast.FunctionDef))
    return [
        f.name for f in functions if f.returns and "Figure" in ast.unparse(f.returns)
    ]


def called(test: Path) -> set[str]:
    """Names that a test calls or hands on, with a module's name before them or not."""
    nodes = list(ast.walk(_tree(test)))
    imported = {a.name for n in nodes if isinstance(n, ast.ImportFrom) for a in n.names}
    used = {n.id for n in nodes if isinstance(n, ast.Name)}
    attributes = {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    return attributes | (used & imported)


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("room", "figure"),
    [
        pytest.param(path.parent.name, figure, id=f"{path.parent.name}-{figure}")
        for path in sorted(ROOMS.glob("*/figures.py"))
        for figure in figures(path)
        if not figure.startswith("_")
    ],
)
def test_a_figure_is_drawn_by_a_test_of_its_room(room, figure):
    tests = (TESTS / room).glob("test_*.py")
    assert any(figure in called(test) for test in tests), "no test draws it"


@pytest.mark.parametrize(
    "claim", [row for row in register() if row.figure], ids=lambda row: row.function
)
def test_the_figure_of_a_claim_is_one_of_its_chapter(claim):
    room = claim.function.partition(".")[0]
    assert claim.figure in figures(ROOMS / room / "figures.py")
