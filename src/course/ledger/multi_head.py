"""The numbers of ``multi-head-operation.md``: what each one is.

The page is about shapes: its weights have no values. A shape is checked by the
product or the slice that gives it.
"""

import numpy as np

from course.ledger.page import Figures, Page, entries


def declare(page: Page) -> None:
    """Claim every number of the shape walk-through."""
    d_model, h, d_k, n = _configuration(page)
    page.step = "inputs"
    page.fact(33, entries("shape of X", 2), (8, 4), kind="shape")
    for token in range(1, 9):
        page.label(35 + token, what="token number")
        page.inputs(35 + token, entries(f"X[token {token}]", 4))

    page.step = "shapes"
    W = _weight_shapes(page, d_model, d_k)
    X1 = _split(page, h, n)
    Q, K, V = _projections(page, X1, W)
    output = _attention(page, Q, K, V, d_k)
    _joined(page, output, d_k)


def _configuration(page: Page) -> tuple[Figures, Figures, Figures, Figures]:
    page.step = "shapes"
    base = page.inputs(3, "d_model (base)"), page.inputs(3, "h (base)")
    width = page.computed(3, "d_k (base)", np.divide, *base)
    page.copy(7, base[1])
    page.copy(7, width)
    page.computed(7, "h * d_k (base)", np.multiply, base[1], width, kind="product")
    d_model, h = page.inputs(29, "d_model"), page.inputs(29, "h")
    n = page.inputs(29, "n")
    return d_model, h, page.computed(29, "d_k", np.divide, d_model, h), n


def _weight_shapes(page: Page, d_model: Figures, d_k: Figures) -> list[Figures]:
    """Claim the stated shapes d_model x d_k of W_Q, W_K and W_V."""
    return [
        page.computed(
            line, entries(f"shape of {name}", 2), lambda d, k: [d, k], d_model, d_k
        )
        for line, name in ((50, "W_Q"), (54, "W_K"), (58, "W_V"))
    ]


def _split(page: Page, h: Figures, n: Figures) -> Figures:
    page.label(62, what="step number")
    page.copy(62, h)
    shapes = []
    for head, line in ((1, 64), (2, 66)):
        page.label(line, what="head number")
        page.label(line, 2, what="slice bound")
        names = entries(f"shape of X_head{head}", 2)
        shapes.append(page.computed(line, names, lambda n: [n, 2], n))
        page.fact(line, ["columns of the slice"], [2], kind="count")
    return shapes[0]


def _product(first: np.ndarray, second: np.ndarray) -> list[float]:
    """Shape of a matrix product whose inner sizes are taken to agree."""
    return [first[0], second[1]]


def _projections(page: Page, X1: Figures, weights: list[Figures]) -> list[Figures]:
    page.label(68, what="step number")
    page.label(70, what="head number")
    found = []
    for line, name, W in zip((72, 74, 76), "QKV", weights, strict=True):
        page.label(line, 3, what="head number")
        x, w = page.copy(line, X1), page.copy(line, W)
        names = entries(f"shape of {name}1", 2)
        found.append(page.computed(line, names, _product, x, w))
    return found


def _attention(page: Page, Q: Figures, K: Figures, V: Figures, d_k: Figures) -> Figures:
    page.label(78, what="step number")
    page.label(80, 3, what="head number")
    q = page.copy(80, Q)
    k = page.computed(80, entries("shape of K1^T", 2), lambda k: k[::-1], K)
    page.copy(80, d_k)
    A = page.computed(80, entries("shape of scores1", 2), _product, q, k)
    page.label(82, what="step number")
    page.label(84, 2, what="head number")
    page.copy(84, A)
    page.label(86, 3, what="head number")
    a, v = page.copy(86, A), page.copy(86, V)
    return page.computed(86, entries("shape of output1", 2), _product, a, v)


def _joined(page: Page, output: Figures, d_k: Figures) -> None:
    page.label(88, what="step number")
    page.label(90, 2, what="head number")
    first, second = page.copy(90, output), page.copy(90, output)
    concat = page.computed(
        90,
        entries("shape of the concatenation", 2),
        lambda a, b: [a[0], a[1] + b[1]],
        first,
        second,
    )
    page.label(92, what="step number")
    x = page.copy(94, concat)
    W_O = page.computed(94, entries("shape of W_O", 2), lambda c: [c[1], c[1]], concat)
    final = page.computed(94, entries("shape of the output", 2), _product, x, W_O)
    page.copy(96, d_k)
    page.copy(96, final)
