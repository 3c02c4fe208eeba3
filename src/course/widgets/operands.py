"""Exercises in which the reader chooses the operands, right or wrong.

In a calculation by hand, people often pick the wrong numbers: a row instead of a
column, or the row of another word. So an exercise can show whole matrices.
The reader marks a row or a column of each matrix, and the view writes out the
calculation with the marked lines, even if they are wrong. A *line* is a row or column.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention import softmax


class Grid(NamedTuple):
    """A matrix to choose a row or a column from."""

    name: str
    values: ArrayLike
    rows: Sequence[str] = ()  # labels; empty for "row 1", "row 2" and so on
    columns: Sequence[str] = ()


class Operands(NamedTuple):
    """The matrices that the reader chooses from, and the value of the right choice.

    The keys of `view_data`: ``kind``, "product" (of two lines) or "softmax" (the weight
    of an entry in a line); ``grids``, the matrices, each with its right line and a
    reason for each wrong line; ``entry``, the row and the column that are asked for.
    """

    truth: float  # value of the calculation with the right lines
    view_data: dict[str, Any]


def entry_of_product(left: Grid, right: Grid, entry: tuple[int, int]) -> Operands:
    """Return operands for an entry of a product: the reader chooses the two lines.

    `entry` is the row and the column of the entry that is asked for. The factors must
    fit, and the product must have this entry.
    """
    a, b = np.asarray(left.values, float), np.asarray(right.values, float)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise ValueError(f"cannot multiply shapes {a.shape} and {b.shape}")
    i, j = _checked_entry((a.shape[0], b.shape[1]), entry)
    rows, columns = _labels(left)[0], _labels(right)[1]
    row_rule = f"The left factor gives a row: here {rows[i]}."
    column_rule = f"The right factor gives a column: here {columns[j]}."
    grids = [
        _grid(left, ("row", i), row_rule),
        _grid(right, ("column", j), column_rule),
    ]
    truth = float(a[i] @ b[:, j])
    return Operands(truth, {"kind": "product", "grids": grids, "entry": [i, j]})


def softmax_of_row(grid: Grid, entry: tuple[int, int]) -> Operands:
    """Return operands for a softmax weight: the reader chooses the line of logits.

    `entry` is the row and the column of the weight that is asked for.
    """
    values = np.asarray(grid.values, float)
    i, j = _checked_entry(values.shape, entry)
    rule = "Softmax runs over the keys, so it needs a row of the scores."
    grids = [_grid(grid, ("row", i), rule)]
    truth = float(softmax(values[i])[j])
    return Operands(truth, {"kind": "softmax", "grids": grids, "entry": [i, j]})


def _checked_entry(shape: tuple[int, ...], entry: tuple[int, int]) -> tuple[int, int]:
    """Return the entry, or raise ValueError if a matrix of this shape lacks it."""
    if len(shape) != 2 or not all(
        0 <= i < n for i, n in zip(entry, shape, strict=True)
    ):
        raise ValueError(f"entry must exist in a matrix of shape {shape}, got {entry}")
    return entry


def _labels(grid: Grid) -> tuple[list[str], list[str]]:
    """Return the names of the rows and the names of the columns of a grid."""
    sizes = np.shape(grid.values)
    given = (grid.rows, grid.columns)
    return tuple(
        [str(name) for name in names] or [f"{kind} {k + 1}" for k in range(size)]
        for names, kind, size in zip(given, ("row", "column"), sizes, strict=True)
    )


def _reasons(grid: Grid, wanted: tuple[str, int], rule: str) -> dict[str, str]:
    """Return the text that the view shows for each wrong line, by line."""
    reasons = {}
    for kind, labels in zip(("row", "column"), _labels(grid), strict=True):
        for k, label in enumerate(labels):
            if (kind, k) == wanted:
                continue
            took = label if label == f"{kind} {k + 1}" else f"the {kind} of “{label}”"
            if kind == wanted[0]:
                asked = labels[wanted[1]]
                reasons[f"{kind} {k}"] = f"You took {took} of {grid.name}, not {asked}."
            else:
                reasons[f"{kind} {k}"] = f"You took {took} of {grid.name}. {rule}"
    return reasons


def _grid(grid: Grid, wanted: tuple[str, int], rule: str) -> dict[str, Any]:
    """Return a grid as plain data for the view."""
    rows, columns = _labels(grid)
    values = np.asarray(grid.values, float).tolist()
    return {
        "name": grid.name,
        "values": values,
        "rows": rows,
        "columns": columns,
        "digits": _digits(values),
        "wanted": f"{wanted[0]} {wanted[1]}",
        "reasons": _reasons(grid, wanted, rule),
    }


def _digits(values: Sequence[Sequence[float]]) -> int:
    """Return the fewest decimals that write all entries exactly, at most 4."""
    flat = np.ravel(values)
    exact = (d for d in range(4) if np.allclose(flat, np.round(flat, d), atol=1e-9))
    return next(exact, 4)
