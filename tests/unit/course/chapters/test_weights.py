"""Weights are shares of the keys, wherever the course makes them."""

import ast
from pathlib import Path

import course
import transformer

ACROSS = {  # calls that run along another axis than the last, and why
    "multi_head/experiments.py": ["softmax(logits, axis=0)"],  # two places
    "walkthrough_apple/exercises.py": ["softmax(steps.scaled, axis=0)"],  # a slip
    "gallery/weights.py": ["softmax(logits, axis=0)", "softmax(logits, axis=None)"],
}


def calls(path: Path) -> list[ast.Call]:
    """Every call of a softmax in a file."""
    text = path.read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(text)) if "softmax(" in text else ()
    found = (node for node in nodes if isinstance(node, ast.Call))
    names = ("softmax", "attention.softmax")
    return [call for call in found if ast.unparse(call.func) in names]


def test_softmax_runs_over_the_keys():
    roots = [Path(each.__path__[0]) for each in (course, transformer)]
    files = [path for root in roots for path in root.rglob("*.py")]
    found = {path: made for path in files if (made := calls(path))}
    assert len(found) > 10
    across = {
        "/".join(path.parts[-2:]): [ast.unparse(call) for call in made if axis_of(call)]
        for path, made in found.items()
    }
    assert {file: made for file, made in across.items() if made} == ACROSS


def axis_of(call: ast.Call) -> bool:
    """Whether a call names an axis."""
    return len(call.args) > 1 or any(each.arg == "axis" for each in call.keywords)
