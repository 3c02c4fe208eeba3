"""Every shape in the prose, such as "7 x 3", is checked against a computed shape.

An author who writes a shape has two choices. The code of the page asserts the shape, or
`STATED` lists, in order, the shapes that a person has checked.
"""

import ast
import math
import re
from pathlib import Path

import numpy as np
import pytest
from committed import PAGES, sources

import attention
from book.build import ROOT

SHAPE = re.compile(r"(\d+)(?: ?(?:\\times|×|x) ?| by |, )(\d+)(?!\d|, \d|\.\d)")
LISTED = re.compile(r"(?<!\()\b\d+, \d+")  # "3, 4" is a list; "(3, 4)" is a shape
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
# Three words in the paper's base model: Q Kᵀ as any product, then Q Kᵀ and A V
PAPER = [(3, 3), (3, 64), (64, 3), (3, 64), (64, 3), (3, 3), (3, 3), (3, 64), (3, 64)]
STATED = {
    "03-multi-head": [(4, 2), (4, 4)],  # two heads in the notes' example "cat"
    "03b-multi-head": [(8, 8)],  # tokens by tokens
    "04-output-projection": [(12, 4)],  # three heads of four columns in "apple"
    "05-walkthrough-apple": [(4, 4)],
    "06b-transformer": PAPER,
    "errata": [(8, 8), (8, 8)],
}


def prose(page: Path) -> str:
    """Return the text of a notebook or of a Markdown page, without code."""
    if page.suffix == ".ipynb":
        texts = sources(page, "markdown")
    else:
        texts = [page.read_text(encoding="utf-8")]
    return " ".join(" ".join(CODE.sub("", text) for text in texts).split())


def asserted(page: Path) -> set[tuple[int, ...]]:
    """Return every tuple of constants in the ``assert`` statements of a page."""
    code = sources(page, "code") if page.suffix == ".ipynb" else []
    statements = [s for source in code for s in ast.walk(ast.parse(source))]
    checks = [s.test for s in statements if isinstance(s, ast.Assert)]
    return {
        tuple(element.value for element in node.elts)
        for check in checks
        for node in ast.walk(check)
        if isinstance(node, ast.Tuple)
        if all(isinstance(element, ast.Constant) for element in node.elts)
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_shape_in_prose_is_not_computed(page):
    found = SHAPE.findall(LISTED.sub("", prose(page)))
    shapes = [(int(rows), int(columns)) for rows, columns in found]
    known = asserted(page)
    assert [each for each in shapes if each not in known] == STATED.get(page.stem, [])


def test_the_glossary_gives_an_array_another_shape():
    sizes = {"n": 3, "m": 5, "d_k": 7, "d_v": 11, "h": 2, r"d_{\text{model}}": 26}
    W_Q, W_K, W_V, W_O = map(np.ones, ((2, 26, 7), (2, 26, 7), (2, 26, 11), (22, 26)))
    layer = attention.MultiHeadAttention(W_Q, W_K, W_V, W_O)
    trace = layer.trace(x := np.ones((3, 26)), np.ones((5, 26)))
    head = trace.heads[0]
    arrays = {
        "$X$": x,
        "$W^Q$, $W^K$, $W^V$": W_Q[0],
        r"${\color{query}Q}$": head.query,
        r"${\color{key}K}$": head.key,
        r"${\color{value}V}$": head.value,
        "$S$": head.scores,
        "logits": head.logits,
        "$A$": head.weights,
        r"${\color{output}Z}$": head.output,
        "concatenation": trace.concat,
        "$W^O$": W_O,
    }
    text = (ROOT / "glossary.md").read_text(encoding="utf-8")
    for name, array in arrays.items():
        entry = text.split(f"\n{name}\n  ", 1)[1]
        sides = re.search(r"\$([^$=]*) \\times ([^$]*)\$", entry).groups()
        said = [math.prod(sizes[factor] for factor in side.split()) for side in sides]
        assert tuple(said) == array.shape, name
