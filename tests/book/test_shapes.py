"""Every shape in the prose, such as "7 x 3", is checked against a computed shape.

An author who writes a shape has two choices. The code of the page asserts the shape, or
`TABLE` has a row: the page, the words that state shapes, and the computed shapes.
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
from course.notes import APPLE, CAT, EIGHT_TOKENS

SHAPE = re.compile(r"(\d+)(?: ?(?:\\times|×|x) ?| by |, )(\d+)(?!\d|, \d|\.\d)")
LISTED = re.compile(r"(?<!\()\b\d+, \d+")  # "3, 4" is a list; "(3, 4)" is a shape
COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "eight": 8, "twelve": 12}
WORDED = re.compile(r"(\w+) rows? and (\w+) columns?")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)

N = len(EIGHT_TOKENS.X)
WORDS = 3  # the number of words in "I am good"
D_MODEL, D_K = 512, 64  # of the paper's base model
TABLE = {
    "03-multi-head": {
        r"Each head's matrices are $4 \times 2$, and $W^O$ is $4 \times 4$": [
            CAT.W_Q[0].shape,
            CAT.W_O.shape,
        ],
    },
    "03b-multi-head": {"an 8 by 8 matrix": [(N, N)]},
    "04-output-projection": {
        r"a $12 \times 4$ matrix": [(APPLE.printed["concat"].size, APPLE.X.shape[1])]
    },
    "05-walkthrough-apple": {"a 4 × 4 matrix": [APPLE.W_Q[0].shape]},
    "05b-walkthrough-apple": {
        "twelve rows and four columns": [
            (APPLE.printed["concat"].size, APPLE.X.shape[1])
        ]
    },
    "06b-transformer": {
        r"embedding width, $3 \times 512$": [(WORDS, D_MODEL)],
        r"a $3 \times 3$ matrix, and any such matrix is a product of a "
        r"$3 \times 64$ and a $64 \times 3$ one": [
            (WORDS, WORDS),
            (WORDS, D_K),
            (D_K, WORDS),
        ],
        r"$(3 \times 64)(64 \times 3) = 3 \times 3$": [
            (WORDS, D_K),
            (D_K, WORDS),
            (WORDS, WORDS),
        ],
        r"$(3 \times 3)(3 \times 64) = 3 \times 64$": [
            (WORDS, WORDS),
            (WORDS, D_K),
            (WORDS, D_K),
        ],
    },
    "errata": {
        "Apply softmax to an 8 by 8 matrix": [(N, N)],
        "The 8 by 8 matrix is tokens by tokens": [(N, N)],
    },
}


def prose(page: Path) -> str:
    """Return the text of a notebook or of a Markdown page, without code."""
    if page.suffix == ".ipynb":
        texts = sources(page, "markdown")
    else:
        texts = [page.read_text(encoding="utf-8")]
    return " ".join(" ".join(CODE.sub("", text) for text in texts).split())


def shapes(text: str) -> list[tuple[int, int]]:
    found = SHAPE.findall(LISTED.sub("", text))
    in_words = [tuple(map(COUNTS.get, pair)) for pair in WORDED.findall(text)]
    unequal = [pair for pair in in_words if all(pair) and len(set(pair)) == 2]
    return [(int(rows), int(columns)) for rows, columns in found] + unequal


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
    text = prose(page)
    for words, computed in TABLE.get(page.stem, {}).items():
        assert words in text
        assert shapes(words) == computed
        text = text.replace(words, "")
    assert [shape for shape in shapes(text) if shape not in asserted(page)] == []


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
