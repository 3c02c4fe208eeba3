"""Wrong ways to split, merge and project heads, and eight wrong multi-head attentions.

``x`` is (n, h*d), ``heads`` (h, n, d) and ``W_O`` (h*d_v, d_model). ``W_Q``, ``W_K``
and ``W_V`` hold the matrices of the ``h`` heads side by side, (d_model, h*d).
"""

from functools import partial

import numpy as np

from course.practice.gallery.wrong_function import Gallery

SPLITS, MERGES, PROJECTIONS, HEADS = Gallery(), Gallery(), Gallery(), Gallery()

# --- Right ----------------------------------------------------------------------------


def split(x, h):
    """Cut columns into heads: (n, h*d) -> (h, n, d)."""
    return x.reshape(len(x), h, -1).swapaxes(0, 1)


def merge(heads):
    """Put heads side by side: (h, n, d) -> (n, h*d)."""
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def project(heads, W_O):
    """Multiply each head by its own rows of W_O and add up: -> (n, d_model)."""
    return merge(heads) @ W_O


def attend(Q, K, V):
    """Attention of each head, from (h, n, d_k), (h, n, d_k) and (h, n, d_v)."""
    s = Q @ K.swapaxes(1, 2) / np.sqrt(K.shape[2])
    powers = np.exp(s - s.max(axis=2, keepdims=True))
    return powers / powers.sum(axis=2, keepdims=True) @ V


def multi_head(X, W_Q, W_K, W_V, W_O, h, split=split, project=project):
    """Multi-head self-attention: (n, d_model) -> (n, d_model)."""
    return project(attend(*(split(X @ W, h) for W in (W_Q, W_K, W_V))), W_O)


# --- Split ----------------------------------------------------------------------------


@SPLITS.add("heads", "split by reshape", "x.reshape(h, n, d)")
def split_by_reshape(x, h):
    """The shape is right, but head 1 gets all columns of the first words."""
    return x.reshape(h, len(x), -1)


@SPLITS.add("heads", "every h-th column to a head", "x.reshape(n, d, h)")
def dealt_out(x, h):
    """If the axis of the heads comes last, head 1 gets every h-th column."""
    return np.moveaxis(x.reshape(len(x), -1, h), 2, 0)


@SPLITS.add("heads", "heads in reverse order", "[x_h ... x_1]")
def split_in_reverse(x, h):
    """The columns of the last head come first."""
    return split(x, h)[::-1]


@SPLITS.add("heads", "axes not swapped", "x.reshape(n, h, d)")
def axes_not_swapped(x, h):
    """The columns are cut, but the axes stay: attention takes heads for words."""
    return x.reshape(len(x), h, -1)


# --- Merge ----------------------------------------------------------------------------


@MERGES.add("heads", "merged by reshape", "heads.reshape(n, h*d)")
def merge_by_reshape(heads):
    """The axes are not swapped back first: a row holds pieces of several words."""
    return heads.reshape(heads.shape[1], -1)


@MERGES.add("heads", "columns laid in turn", "one column of each head, then the next")
def laid_in_turn(heads):
    """With the axis of the heads last, the columns of all heads alternate."""
    return np.moveaxis(heads, 0, 2).reshape(heads.shape[1], -1)


@MERGES.add("heads", "heads in reverse order", "[Z_h ... Z_1]")
def merge_in_reverse(heads):
    """The heads are joined from the last to the first."""
    return merge(heads[::-1])


@MERGES.add("heads", "heads below each other", "np.concatenate(heads)")
def below_each_other(heads):
    """Joined along the first axis, they are h times as many words of the same width."""
    return np.concatenate(heads)


# --- W_O as a sum over heads ----------------------------------------------------------


@PROJECTIONS.add(
    "heads", "every head through the first rows of W_O", "sum Z_i W_O[:d_v]"
)
def first_rows(heads, W_O):
    """Every head is multiplied by the same rows of W_O."""
    return sum(head @ W_O[: head.shape[1]] for head in heads)


@PROJECTIONS.add("heads", "heads in reverse order", "[Z_h ... Z_1] W_O")
def reversed_heads(heads, W_O):
    """Joined from the last to the first, each head meets the rows of another head."""
    return merge(heads[::-1]) @ W_O


@PROJECTIONS.add("heads", "every h-th row of W_O", "Z_i W_O[i::h]")
def every_hth_row(heads, W_O):
    """The rows of a head stand together. This takes every h-th row."""
    return sum(head @ W_O[i :: len(heads)] for i, head in enumerate(heads))


@PROJECTIONS.add("heads", "heads merged by reshape", "Z.reshape(n, h*d_v) W_O")
def merged_by_reshape(heads, W_O):
    """The axes are not swapped back first: a row holds pieces of several words."""
    return merge_by_reshape(heads) @ W_O


@PROJECTIONS.add("heads", "the mean and not the sum", "sum Z_i W_O_i / h")
def mean_over_heads(heads, W_O):
    """A product with the concatenation adds the heads up. It does not divide."""
    return project(heads, W_O) / len(heads)


@PROJECTIONS.add("heads", "only the last head", "= in place of +=")
def only_the_last(heads, W_O):
    """Each head overwrites the sum, so only the last head is left."""
    return heads[-1] @ W_O[-heads.shape[2] :]


# --- Multi-head attention -------------------------------------------------------------


def _with_split(wrong):
    return partial(multi_head, split=wrong)


def _with_projection(wrong):
    return partial(multi_head, project=wrong)


def _add(wrong, build, **changes):
    built = wrong.within(build, **changes)
    HEADS[built.name] = built


_add(SPLITS["split by reshape"], _with_split, name="heads split by reshape")
_add(PROJECTIONS["heads merged by reshape"], _with_projection)
_add(PROJECTIONS["heads in reverse order"], _with_projection)
_add(SPLITS["every h-th column to a head"], _with_split)


@HEADS.add("heads", "one head's projections in all", "Z_1 = ... = Z_h")
def first_projections_in_all(X, W_Q, W_K, W_V, W_O, h):
    """`[head] * h` is one head h times: all heads return the same."""
    return multi_head(X, W_Q, W_K, W_V, W_O, h, split=lambda x, h: split(x, h)[[0] * h])


@HEADS.add("heads", "one big head", "softmax(Q K^T / sqrt(h d_k)) V W_O")
def one_big_head(X, W_Q, W_K, W_V, W_O, h):
    """All shapes fit without a split, but each word has one row of weights."""
    return multi_head(X, W_Q, W_K, W_V, W_O, 1)


_add(PROJECTIONS["every head through the first rows of W_O"], _with_projection)


@HEADS.add("heads", "no W_O", "[Z_1 ... Z_h]")
def without_projection(X, W_Q, W_K, W_V, W_O, h):
    """Where h d_v = d_model, the concatenation already has the right shape."""
    return multi_head(X, W_Q, W_K, W_V, W_O, h, project=lambda heads, W_O: merge(heads))
