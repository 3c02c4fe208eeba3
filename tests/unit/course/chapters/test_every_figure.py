"""Each figure function of a chapter needs a test in the tests of this chapter."""

import ast
from pathlib import Path

import course.chapters
from course.claims import register

PACKAGES = Path(course.chapters.__file__).parent
TESTS = Path(__file__).parent


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def figures_of(module: Path) -> set[str]:
    """Return the names of the public functions of a module that return a figure."""
    functions = (n for n in parsed(module).body if isinstance(n, ast.FunctionDef))
    drawing = (f for f in functions if f.returns and "Figure" in ast.unparse(f.returns))
    return {f.name for f in drawing if not f.name.startswith("_")}


def names_in(tests: Path) -> set[str]:
    """Return the names in a chapter's tests, with or without a module before them."""
    nodes = [n for test in tests.glob("test_*.py") for n in ast.walk(parsed(test))]
    plain = {n.id for n in nodes if isinstance(n, ast.Name)}
    return plain | {n.attr for n in nodes if isinstance(n, ast.Attribute)}


def test_a_figure_has_no_test_in_its_chapter():
    for path in PACKAGES.glob("*/figures.py"):
        chapter = path.parent.name
        missing = figures_of(path) - names_in(TESTS / chapter)
        assert not missing, f"no test of the chapter {chapter} draws {missing}"


def test_a_claim_names_a_figure_that_its_chapter_lacks():
    for claim in register():
        if claim.figure:
            module = PACKAGES / claim.function.partition(".")[0] / "figures.py"
            assert claim.figure in figures_of(module), claim.words
