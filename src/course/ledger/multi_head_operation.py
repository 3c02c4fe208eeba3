"""The numbers of ``multi-head-operation.md``: what each one is.

The note is about shapes: its weights have no values. The ledger checks a shape by the
product or the slice that has this shape.
"""

import numpy as np

from course.ledger.note import Figures, Note, entries


def declare(note: Note) -> None:
    """Claim every number of the shape walk-through."""
    d_model, h, d_k, n = _configuration(note)
    note.step = "inputs"
    note.fact(33, entries("shape of X", 2), (8, 4), kind="shape")
    for token in range(1, 9):
        note.label(35 + token, what="token number")
        note.inputs(35 + token, entries(f"X[token {token}]", 4))

    note.step = "shapes"
    W = _weight_shapes(note, d_model, d_k)
    X1 = _split(note, h, n)
    Q, K, V = _projections(note, X1, W)
    output = _attention(note, Q, K, V, d_k)
    _joined(note, output, d_k)


def _configuration(note: Note) -> tuple[Figures, Figures, Figures, Figures]:
    note.step = "shapes"
    base = note.inputs(3, "d_model (base)"), note.inputs(3, "h (base)")
    width = note.computed(3, "d_k (base)", np.divide, *base)
    note.copy(7, base[1])
    note.copy(7, width)
    note.computed(7, "h * d_k (base)", np.multiply, base[1], width, kind="product")
    d_model, h = note.inputs(29, "d_model"), note.inputs(29, "h")
    n = note.inputs(29, "n")
    return d_model, h, note.computed(29, "d_k", np.divide, d_model, h), n


def _weight_shapes(note: Note, d_model: Figures, d_k: Figures) -> list[Figures]:
    """Claim the stated shapes d_model x d_k of W_Q, W_K and W_V."""
    return [
        note.computed(
            line, entries(f"shape of {name}", 2), lambda d, k: [d, k], d_model, d_k
        )
        for line, name in ((50, "W_Q"), (54, "W_K"), (58, "W_V"))
    ]


def _split(note: Note, h: Figures, n: Figures) -> Figures:
    note.label(62, what="step number")
    note.copy(62, h)
    shapes = []
    for head, line in ((1, 64), (2, 66)):
        note.label(line, what="head number")
        note.label(line, 2, what="slice bound")
        names = entries(f"shape of X_head{head}", 2)
        shapes.append(note.computed(line, names, lambda n: [n, 2], n))
        note.fact(line, ["columns of the slice"], [2], kind="count")
    return shapes[0]


def _product(first: np.ndarray, second: np.ndarray) -> list[float]:
    """Return the shape of a matrix product, without a check of the inner sizes."""
    return [first[0], second[1]]


def _projections(note: Note, X1: Figures, weights: list[Figures]) -> list[Figures]:
    note.label(68, what="step number")
    note.label(70, what="head number")
    found = []
    for line, name, W in zip((72, 74, 76), "QKV", weights, strict=True):
        note.label(line, 3, what="head number")
        x, w = note.copy(line, X1), note.copy(line, W)
        names = entries(f"shape of {name}1", 2)
        found.append(note.computed(line, names, _product, x, w))
    return found


def _attention(note: Note, Q: Figures, K: Figures, V: Figures, d_k: Figures) -> Figures:
    note.label(78, what="step number")
    note.label(80, 3, what="head number")
    q = note.copy(80, Q)
    k = note.computed(80, entries("shape of K1^T", 2), lambda k: k[::-1], K)
    note.copy(80, d_k)
    A = note.computed(80, entries("shape of scores1", 2), _product, q, k)
    note.label(82, what="step number")
    note.label(84, 2, what="head number")
    note.copy(84, A)
    note.label(86, 3, what="head number")
    a, v = note.copy(86, A), note.copy(86, V)
    return note.computed(86, entries("shape of output1", 2), _product, a, v)


def _joined(note: Note, output: Figures, d_k: Figures) -> None:
    note.label(88, what="step number")
    note.label(90, 2, what="head number")
    first, second = note.copy(90, output), note.copy(90, output)
    names = entries("shape of the concatenation", 2)
    concat = note.computed(90, names, lambda a, b: [a[0], a[1] + b[1]], first, second)
    note.label(92, what="step number")
    x = note.copy(94, concat)
    W_O = note.computed(94, entries("shape of W_O", 2), lambda c: [c[1], c[1]], concat)
    final = note.computed(94, entries("shape of the output", 2), _product, x, W_O)
    note.copy(96, d_k)
    note.copy(96, final)
