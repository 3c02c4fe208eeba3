"""Operands that the reader of an exercise chooses, so that the slip can happen.

A calculation by hand goes wrong where its numbers are picked: a row for a column,
the next word, the wrong side of a product. So an exercise can show whole matrices
and leave the picking to the reader, who marks a row or a column of each; what is to
be worked out is then written out from the lines that are marked, right or not.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention import softmax


class Grid(NamedTuple):
    """A matrix to choose a row or a column from.

    Parameters
    ----------
    name : str
        What it is called.
    values : array_like, shape (n, m)
        Its entries.
    rows, columns : sequence of str
        Labels; "row 1" and so on for an empty one.
    """

    name: str
    values: ArrayLike
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()


class Operands(NamedTuple):
    """What the reader chooses from, and what the right choice gives.

    Parameters
    ----------
    truth : float
        What the right lines give.
    plain : dict
        For the view: the kind ("product": the sum of the products of two lines;
        "share": the part of one entry in the sum of a line), the grids, the line
        wanted of each, and what each other line is.
    """

    truth: float
    plain: dict[str, Any]


def entry_of_product(left: Grid, right: Grid, entry: tuple[int, int]) -> Operands:
    """Let the reader choose the two lines of one entry of a matrix product.

    Parameters
    ----------
    left, right : Grid
        The factors.
    entry : (int, int)
        Row and column of the entry that is asked for.

    Raises
    ------
    ValueError
        If the factors do not fit, or the product has no such entry.
    """
    a, b = np.asarray(left.values, float), np.asarray(right.values, float)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise ValueError(f"cannot multiply shapes {a.shape} and {b.shape}")
    i, j = entry
    if not (0 <= i < a.shape[0] and 0 <= j < b.shape[1]):
        raise ValueError(f"entry must lie in {(a.shape[0], b.shape[1])}, got {entry}")
    rows, columns = _labels(left)[0], _labels(right)[1]
    whys = (
        _others(left, ("row", i), f"The left factor gives a row: here {rows[i]}."),
        _others(
            right, ("column", j), f"The right factor gives a column: here {columns[j]}."
        ),
    )
    grids = [
        _grid(grid, f"{kind} {at}", why)
        for grid, kind, at, why in zip(
            (left, right), ("row", "column"), entry, whys, strict=True
        )
    ]
    plain = {"kind": "product", "grids": grids, "entry": [i, j]}
    return Operands(float(a[i] @ b[:, j]), plain)


def softmax_of_row(grid: Grid, entry: tuple[int, int]) -> Operands:
    """Let the reader choose the line that goes through softmax; a row is right.

    Parameters
    ----------
    grid : Grid
        Logits; their exponentials are left to the reader.
    entry : (int, int)
        The entry whose weight is asked for.

    Raises
    ------
    ValueError
        If the grid has no such entry.
    """
    values = np.asarray(grid.values, float)
    i, j = entry
    if values.ndim != 2 or not (0 <= i < len(values) and 0 <= j < values.shape[1]):
        raise ValueError(f"entry must lie in {values.shape}, got {entry}")
    why = "Weights are shared out along a row, over the keys."
    plain = _grid(grid, f"row {i}", _others(grid, ("row", i), why))
    truth = float(softmax(values[i])[j])
    return Operands(truth, {"kind": "softmax", "grids": [plain], "entry": [i, j]})


def _labels(grid: Grid) -> tuple[list[str], list[str]]:
    """Name the rows and the columns of a grid."""
    sizes = np.shape(grid.values)
    given = (grid.rows, grid.columns)
    return tuple(
        [str(name) for name in names] or [f"{kind} {k + 1}" for k in range(size)]
        for names, kind, size in zip(given, ("row", "column"), sizes, strict=True)
    )


def _others(grid: Grid, wanted: tuple[str, int], rule: str) -> dict[str, str]:
    """Give what a reader is told who marks another line than the one wanted."""
    whys = {}
    for kind, labels in zip(("row", "column"), _labels(grid), strict=True):
        for k, label in enumerate(labels):
            if (kind, k) == wanted:
                continue
            took = label if label == f"{kind} {k + 1}" else f"the {kind} of “{label}”"
            if kind == wanted[0]:
                asked = labels[wanted[1]]
                whys[f"{kind} {k}"] = f"You took {took} of {grid.name}, not {asked}."
            else:
                whys[f"{kind} {k}"] = f"You took {took} of {grid.name}. {rule}"
    return whys


def _grid(grid: Grid, wanted: str, whys: dict[str, str]) -> dict[str, Any]:
    """Give a grid as plain data for the view."""
    rows, columns = _labels(grid)
    values = np.asarray(grid.values, float).tolist()
    return {
        "name": grid.name,
        "values": values,
        "rows": rows,
        "columns": columns,
        "digits": _digits(values),
        "wanted": wanted,
        "whys": whys,
    }


def _digits(values: Sequence[Sequence[float]], most: int = 4) -> int:
    """Give the fewest decimals with which all entries stand in full, up to `most`."""
    flat = np.ravel(values)
    full = (d for d in range(most) if np.allclose(flat, np.round(flat, d), atol=1e-9))
    return next(full, most)
