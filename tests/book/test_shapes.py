"""Every shape in the prose, such as "7 x 3", is checked against a computed shape.

An author who writes a shape has two choices. The code of the page asserts the shape, or
`TABLE` has a row: the page, the words that state shapes, and the computed shapes.
"""

import ast
import re
from functools import cache

import nbformat
import pytest

from book.build import ROOT
from course.notes import APPLE, CAT, EIGHT_TOKENS

GUIDES = {"README.md", "CONTRIBUTING.md", "DEVELOPING.md"}
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("*.md"))
    if path.name not in GUIDES
)
SHAPE = re.compile(r"(\d+)(?: ?(?:\\times|×|x) ?| by |, )(\d+)(?!\d|, \d|\.\d)")
LISTED = re.compile(r"(?<!\()\b\d+, \d+")  # "3, 4" is a list; "(3, 4)" is a shape
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)

N, WIDTH = EIGHT_TOKENS.X.shape
WORDS = 3  # the number of words in "I am good"
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
    """Return the sources of a page's cells; a Markdown page is one Markdown cell."""
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
    """Return every tuple of constants in the ``assert`` statements of a page."""
    found = set()
    for source in cells(page, "code"):
        for statement in ast.walk(ast.parse(source)):
            if not isinstance(statement, ast.Assert):
                continue
            for node in ast.walk(statement.test):
                if isinstance(node, ast.Tuple) and all(
                    isinstance(element, ast.Constant) for element in node.elts
                ):
                    found.add(tuple(element.value for element in node.elts))
    return found


def unaccounted(page: str, text: str) -> list[tuple[int, int]]:
    """Return the shapes in a text that are neither in `TABLE` nor asserted by code."""
    for page_of_row, words in TABLE:
        if page_of_row == page:
            text = text.replace(words, "")
    return [shape for shape in shapes(text) if shape not in asserted(page)]


@pytest.mark.parametrize("page", PAGES)
def test_a_shape_in_prose_is_computed(page):
    assert unaccounted(page, prose(page)) == []


@pytest.mark.parametrize(("page", "words"), TABLE, ids=lambda each: each[-40:])
def test_a_row_of_the_table_has_the_shapes_of_its_words(page, words):
    assert words in prose(page)
    assert shapes(words) == TABLE[page, words]
