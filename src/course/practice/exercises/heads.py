"""Heads: split and merged, and W_O as a sum over them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.practice.gallery import Gallery
from course.practice.gallery.heads import merge, split
from course.practice.grader import FunctionTask, Inputs

Array = NDArray[Any]
Sizes = tuple[int, ...]


def _sizes(rng: np.random.Generator) -> Sizes:
    n, h, d = rng.integers(1, 6, size=3)
    return int(n), int(h), int(d)


# --- Split ----------------------------------------------------------------------------

SPLITS = Gallery()


@SPLITS.holds("heads", "split by reshape", "x.reshape(h, n, d)")
def split_by_reshape(x: Array, h: int) -> Array:
    """`reshape` gives the shape that is wanted, but cuts up words and not columns."""
    return x.reshape(h, len(x), -1)


@SPLITS.holds("heads", "columns dealt out in turn", "x.reshape(n, d, h)")
def dealt_out(x: Array, h: int) -> Array:
    """With the heads' axis in the last place head 1 gets every h-th column."""
    return np.moveaxis(x.reshape(len(x), -1, h), 2, 0)


@SPLITS.holds("heads", "heads in reverse order", "[x_h ... x_1]")
def split_in_reverse(x: Array, h: int) -> Array:
    """The last head's columns come first."""
    return split(x, h)[::-1]


@SPLITS.holds("heads", "axes not swapped", "x.reshape(n, h, d)")
def axes_not_swapped(x: Array, h: int) -> Array:
    """The columns are cut and the axes stay: attention takes heads for words."""
    return x.reshape(len(x), h, -1)


SPLIT = FunctionTask(
    arguments=("x", "h"),
    right=split,
    wrong=tuple(SPLITS.values()),
    printed=(
        (np.arange(1.0, 13).reshape(3, 4), 2),
        (np.arange(1.0, 9).reshape(2, 4), 2),
    ),
    sizes=_sizes,
    draw=lambda rng, sizes: _wide(rng, sizes),
    tells=lambda sizes: min(sizes) > 1 and sizes[0] != sizes[1],
    always=((1, 1, 1), (1, 2, 3), (3, 1, 2), (3, 2, 1), (20, 8, 12)),
)


def _wide(rng: np.random.Generator, sizes: Sizes) -> list[Inputs]:
    n, h, d = sizes
    return [(rng.normal(size=(n, h * d)), h)]


# --- Merge ----------------------------------------------------------------------------

MERGES = Gallery()


@MERGES.holds("heads", "merged by reshape", "heads.reshape(n, h*d)")
def merge_by_reshape(heads: Array) -> Array:
    """Without swapping the axes back first, a row holds pieces of several words."""
    return heads.reshape(heads.shape[1], -1)


@MERGES.holds("heads", "columns laid in turn", "one column of each head, then the next")
def laid_in_turn(heads: Array) -> Array:
    """With the heads' axis in the last place, columns of all heads take turns."""
    return np.moveaxis(heads, 0, 2).reshape(heads.shape[1], -1)


@MERGES.holds("heads", "heads in reverse order", "[Z_h ... Z_1]")
def merge_in_reverse(heads: Array) -> Array:
    """Collected from the last to the first, each head meets another one's rows."""
    return merge(heads[::-1])


@MERGES.holds("heads", "heads below each other", "np.concatenate(heads)")
def below_each_other(heads: Array) -> Array:
    """Joined along the first axis they are h times as many words, and none is wider."""
    return np.concatenate(heads)


MERGE = FunctionTask(
    arguments=("heads",),
    right=merge,
    wrong=tuple(MERGES.values()),
    printed=(
        (np.arange(1.0, 13).reshape(2, 3, 2),),
        (np.arange(1.0, 9).reshape(2, 2, 2),),
    ),
    sizes=_sizes,
    draw=lambda rng, sizes: [(rng.normal(size=(sizes[1], sizes[0], sizes[2])),)],
    tells=lambda sizes: min(sizes) > 1,
    always=((1, 1, 1), (1, 2, 3), (3, 1, 2), (3, 2, 1), (20, 8, 12)),
)


# --- W_O as a sum over heads ----------------------------------------------------------

PROJECTIONS = Gallery()


def project(heads: Array, W_O: Array) -> Array:
    """Each head through its own rows of W_O, added up."""
    return merge(heads) @ W_O


@PROJECTIONS.holds(
    "heads", "every head through the first rows of W_O", "sum Z_i W_O[:d_v]"
)
def first_rows(heads: Array, W_O: Array) -> Array:
    """The sum over heads does not move on to the next rows."""
    return sum(head @ W_O[: head.shape[1]] for head in heads)


@PROJECTIONS.holds("heads", "heads in reverse order", "[Z_h ... Z_1] W_O")
def reversed_heads(heads: Array, W_O: Array) -> Array:
    """The rows are gone through from the other end than the heads."""
    return merge(heads[::-1]) @ W_O


@PROJECTIONS.holds("heads", "rows dealt out in turn", "Z_i W_O[i::h]")
def every_hth_row(heads: Array, W_O: Array) -> Array:
    """A head's rows stand together; these are every h-th."""
    return sum(head @ W_O[i :: len(heads)] for i, head in enumerate(heads))


@PROJECTIONS.holds("heads", "heads merged by reshape", "Z.reshape(n, h*d_v) W_O")
def merged_by_reshape(heads: Array, W_O: Array) -> Array:
    """Without swapping the axes back first, a row holds pieces of several words."""
    return merge_by_reshape(heads) @ W_O


@PROJECTIONS.holds("heads", "the mean and not the sum", "sum Z_i W_O_i / h")
def mean_over_heads(heads: Array, W_O: Array) -> Array:
    """A product with the concatenation adds up, and divides by nothing."""
    return project(heads, W_O) / len(heads)


@PROJECTIONS.holds("heads", "only the last head", "= in place of +=")
def only_the_last(heads: Array, W_O: Array) -> Array:
    """At each head the sum is written over, and the last one is left."""
    return heads[-1] @ W_O[-heads.shape[2] :]


def _heads_and_rows(rng: np.random.Generator, sizes: Sizes) -> list[Inputs]:
    n, h, d, d_model = sizes
    return [(rng.normal(size=(h, n, d)), rng.normal(size=(h * d, d_model)))]


PROJECTION = FunctionTask(
    arguments=("heads", "W_O"),
    right=project,
    wrong=tuple(PROJECTIONS.values()),
    printed=(
        (
            np.array(
                [
                    [[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]],
                    [[0.0, 1.0], [2.0, 2.0], [1.0, -1]],
                ]
            ),
            np.array(
                [[1.0, 0.0, 1.0], [0.0, 1.0, 2.0], [2.0, 1.0, 0.0], [1.0, 3.0, 1]]
            ),
        ),
    ),
    sizes=lambda rng: (*_sizes(rng), int(rng.integers(1, 6))),
    draw=_heads_and_rows,
    tells=lambda sizes: min(sizes[:3]) > 1,
    always=(
        (1, 1, 1, 1),
        (1, 2, 3, 4),
        (3, 1, 2, 4),
        (3, 2, 1, 4),
        (3, 2, 3, 1),
        (20, 8, 12, 30),
    ),
)
