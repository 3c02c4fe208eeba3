"""A shape that prose states is computed: asserted by its page's code, or in a table.

An author who types "7 x 3" asserts that shape in the chapter's code, or adds a row to
`TABLE`: the words with their shapes, and what gives them.
"""

import ast
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

from course.notes import APPLE, CAT, EIGHT_TOKENS

ROOT = Path(__file__).resolve().parents[2]
GUIDES = {"README.md", "CONTRIBUTING.md", "DEVELOPING.md"}
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("*.md"))
    if path.name not in GUIDES
)
SHAPE = re.compile(r"(\d+)(?: ?(?:\\times|×|x) ?| by |, )(\d+)(?!\d|, \d|\.\d)")
LISTED = re.compile(r"(?<!\()\b\d+, \d+")  # a list of numbers is no shape
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)

N, WIDTH = EIGHT_TOKENS.X.shape
HEADS = 2  # of the page of the eight tokens
WORDS = 3  # I am good
D_MODEL, D_K = 512, 64  # of the paper's base model
TABLE = {
    (
        "chapters/03-multi-head.ipynb",
        r"Each head's matrices are $4 \times 2$, and $W^O$ is $4 \times 4$",
    ): [CAT.W_Q[0].shape, CAT.W_O.shape],
    ("chapters/03b-multi-head.ipynb", "an 8 by 8 matrix"): [(N, N)],
    ("chapters/04-output-projection.ipynb", r"a $12 \times 4$ matrix"): [
        (APPLE.printed["concat"].size, APPLE.X.shape[1])
    ],
    ("chapters/05-walkthrough-apple.ipynb", "a 4 × 4 matrix"): [APPLE.W_Q[0].shape],
    ("chapters/06b-transformer.ipynb", r"embedding width, $3 \times 512$"): [
        (WORDS, D_MODEL)
    ],
    (
        "chapters/06b-transformer.ipynb",
        r"a $3 \times 3$ matrix, and any such matrix is a product of a "
        r"$3 \times 64$ and a $64 \times 3$ one",
    ): [(WORDS, WORDS), (WORDS, D_K), (D_K, WORDS)],
    (
        "chapters/06b-transformer.ipynb",
        r"$(3 \times 64)(64 \times 3) = 3 \times 3$",
    ): [(WORDS, D_K), (D_K, WORDS), (WORDS, WORDS)],
    (
        "chapters/06b-transformer.ipynb",
        r"$(3 \times 3)(3 \times 64) = 3 \times 64$",
    ): [(WORDS, WORDS), (WORDS, D_K), (WORDS, D_K)],
    ("chapters/errata.ipynb", "Apply softmax to an 8 by 8 matrix"): [(N, N)],
    ("chapters/errata.ipynb", "The 8 by 8 matrix is tokens by tokens"): [(N, N)],
}


@cache
def cells(page: str, kind: str) -> list[str]:
    """The cells of a page; of a Markdown page, its whole text."""
    path = ROOT / page
    if path.suffix == ".md":
        return [path.read_text(encoding="utf-8")] if kind == "markdown" else []
    read = nbformat.read(path, as_version=4).cells
    return [cell.source for cell in read if cell.cell_type == kind]


def prose(page: str) -> str:
    text = "\n\n".join(CODE.sub("", cell) for cell in cells(page, "markdown"))
    return " ".join(text.split())


def shapes(text: str) -> list[tuple[int, int]]:
    found = SHAPE.findall(LISTED.sub("", text))
    return [(int(rows), int(columns)) for rows, columns in found]


def asserted(page: str) -> set[tuple[int, ...]]:
    """Every shape that the code of a page asserts."""
    parsed = (ast.parse(source) for source in cells(page, "code"))
    tests = (n.test for p in parsed for n in ast.walk(p) if isinstance(n, ast.Assert))
    tuples = (n for t in tests for n in ast.walk(t) if isinstance(n, ast.Tuple))
    return {
        tuple(each.value for each in found.elts)
        for found in tuples
        if all(isinstance(each, ast.Constant) for each in found.elts)
    }


def unaccounted(page: str, text: str) -> list[tuple[int, int]]:
    """Shapes of a text that nothing computes."""
    for at, words in TABLE:
        text = text.replace(words, "") if at == page else text
    return [shape for shape in shapes(text) if shape not in asserted(page)]


@pytest.mark.parametrize("page", PAGES)
def test_a_shape_in_prose_is_computed(page):
    assert unaccounted(page, prose(page)) == []


@pytest.mark.parametrize(("page", "words"), TABLE, ids=lambda each: each[-40:])
def test_the_table_says_what_is_computed(page, words):
    assert words in prose(page)
    assert shapes(words) == TABLE[page, words]
