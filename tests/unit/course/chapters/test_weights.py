"""Weights are shares of the keys, wherever the course makes them."""

import ast
from pathlib import Path

import course
import transformer

ACROSS = {  # calls that run along another axis than the last, and why
    ("multi_head/experiments.py", "leak_errors"),  # its two places lie along the first
    ("walkthrough_apple/exercises.py", "_softmax_slips"),  # a slip to be named
}


def calls(path: Path) -> list[tuple[str, ast.Call]]:
    """Every call of a softmax in a file, with the function that it stands in."""
    found = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
        inside = (n for n in ast.walk(function) if isinstance(n, ast.Call))
        names = ((ast.unparse(n.func).rpartition(".")[2], n) for n in inside)
        found += [(function.name, n) for name, n in names if name == "softmax"]
    return found


def test_softmax_runs_over_the_keys():
    files = [
        p
        for each in (course, transformer)
        for p in Path(each.__path__[0]).rglob("*.py")
    ]
    found = {(path, *each) for path in files for each in calls(path)}
    assert len(found) > 15
    across = {
        ("/".join(path.parts[-2:]), name)
        for path, name, call in found
        if len(call.args) > 1 or any(k.arg == "axis" for k in call.keywords)
    }
    assert across == ACROSS
