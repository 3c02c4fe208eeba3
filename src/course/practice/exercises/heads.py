"""Exercises on heads: split, merge, and W_O as a sum over heads."""

import numpy as np

from course.practice.gallery.heads import (
    MERGES,
    PROJECTIONS,
    SPLITS,
    merge,
    project,
    split,
)
from course.practice.grader import FunctionTask, sizes_to

_EDGES = ((1, 1, 1), (1, 2, 3), (3, 1, 2), (3, 2, 1), (20, 8, 12))  # n, h, d


_draw_sizes = sizes_to(5, count=3)


def _draw_wide(rng, sizes):
    n, h, d = sizes
    return [(rng.normal(size=(n, h * d)), h)]


def _draw_heads(rng, sizes):
    n, h, d = sizes
    return [(rng.normal(size=(h, n, d)),)]


def _draw_heads_and_projection(rng, sizes):
    n, h, d, d_model = sizes
    return [(rng.normal(size=(h, n, d)), rng.normal(size=(h * d, d_model)))]


SPLIT = FunctionTask(
    arguments=("x", "h"),
    right=split,
    wrong=tuple(SPLITS.values()),
    examples=(
        (np.arange(1.0, 13).reshape(3, 4), 2),
        (np.arange(1.0, 9).reshape(2, 4), 2),
    ),
    draw_sizes=_draw_sizes,
    draw_inputs=_draw_wide,
    # n = h hides that "split by reshape" and "axes not swapped" are two mistakes
    exposes_mistakes=lambda sizes: min(sizes) > 1 and sizes[0] != sizes[1],
    edge_sizes=_EDGES,
)

MERGE = FunctionTask(
    arguments=("heads",),
    right=merge,
    wrong=tuple(MERGES.values()),
    examples=(
        (np.arange(1.0, 13).reshape(2, 3, 2),),
        (np.arange(1.0, 9).reshape(2, 2, 2),),
    ),
    draw_sizes=_draw_sizes,
    draw_inputs=_draw_heads,
    exposes_mistakes=lambda sizes: min(sizes) > 1,
    edge_sizes=_EDGES,
)

PROJECTION = FunctionTask(
    arguments=("heads", "W_O"),
    right=project,
    wrong=tuple(PROJECTIONS.values()),
    examples=(
        (
            np.array([[[1.0, 2], [0, 1], [3, 0]], [[0, 1], [2, 2], [1, -1]]]),
            np.array([[1.0, 0, 1], [0, 1, 2], [2, 1, 0], [1, 3, 1]]),
        ),
    ),
    draw_sizes=lambda rng: (*_draw_sizes(rng), int(rng.integers(1, 6))),
    draw_inputs=_draw_heads_and_projection,
    exposes_mistakes=lambda sizes: min(sizes[:3]) > 1,
    edge_sizes=(*((*sizes, 4) for sizes in _EDGES[:-1]), (3, 2, 3, 1), (20, 8, 12, 30)),
)
