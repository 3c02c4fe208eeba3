"""The keys and values of the tokens so far, kept for those to come."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.arrays import numbers
from attention._checks.cache import fitting
from attention._checks.scalars import integer, shown, size


def count(arrays: tuple[NDArray, ...]) -> int:
    """Return how many tokens there are: as many keys as values."""
    key, _ = arrays
    return key.shape[-2]


def write(buffers: tuple[NDArray, ...], at: int, arrays: tuple[NDArray, ...]) -> None:
    """Write the keys and values of some tokens to buffers, from token `at` on."""
    for i, array in enumerate(arrays):
        buffers[i][..., at : at + count(arrays), :] = array


class Kept(NamedTuple):
    """Keys and values, in buffers that have room for more behind them."""

    buffers: tuple[NDArray, ...] = ()
    begin: int = 0
    end: int = 0

    def views(self) -> tuple[NDArray, ...]:
        """Return the keys and the values, or nothing if there never were any."""
        views = tuple(buffer[..., self.begin : self.end, :] for buffer in self.buffers)
        for view in views:
            view.setflags(write=False)
        return views

    def last(self, n: int | None) -> "Kept":
        """Return the last `n`, or as many as there are; None for all."""
        return self if n is None else self._replace(begin=max(self.begin, self.end - n))

    def extended(self, new: tuple[NDArray, ...]) -> "Kept":
        """Return these and some more, which are written to the room behind them.

        Room for twice as many is made where there is too little: each token is copied
        a constant number of times on average.
        """
        past, n = self.end - self.begin, count(new)
        buffers, end = self.buffers, self.end
        if not buffers or end + n > count(buffers):
            room = max(past + n, 2 * past)
            buffers = tuple(
                np.empty((*a.shape[:-2], room, a.shape[-1]), a.dtype) for a in new
            )
            write(buffers, 0, self.views())
            end = past
        write(buffers, end, new)
        return Kept(buffers, end - past, end + n)

    def copied(self) -> "Kept":
        """Return the same in buffers of their own, without room behind them."""
        views = self.views()
        return Kept(tuple(view.copy() for view in views), 0, self.end - self.begin)


class Extension(NamedTuple):
    """Keys and values behind those that were there; nothing is copied yet."""

    past: Kept
    new: tuple[NDArray, ...]

    def blank(self) -> list[NDArray]:
        """Return arrays of the shapes and dtypes of the whole, to check a call with."""
        past, n = self.past.end - self.past.begin, count(self.new)
        return [
            np.broadcast_to(a.dtype.type(0), (*a.shape[:-2], past + n, a.shape[-1]))
            for a in self.new
        ]

    def whole(self) -> Kept:
        """Return all of them."""
        return self.past.extended(self.new)


class KeyValueCache:
    """Keys and values that grow token by token, so that none is computed twice.

    A decoder that asks for one token more needs the keys and values of all before it.
    They do not change any more: `append` keeps them and hands out the whole.

    Parameters
    ----------
    max_length : int, optional
        How many tokens are kept at most, the last ones: a sliding window, in memory
        that does not grow. Default: all are kept.

    Raises
    ------
    TypeError
        If `max_length` is not an integer.
    ValueError
        If `max_length` is below 1.

    Notes
    -----
    Appending ``m`` tokens one by one copies each a constant number of times on average,
    not ``m`` times.

    With a `max_length` of ``w``, `append` hands out the new tokens and the ``w - 1``
    before them: all that a window of ``w`` keys shows, ``w - 1`` to the left of a query
    and the one at its place. Where several tokens come at once, the first of them sees
    no farther back than that, and the later ones need
    ``local_window_size=(w - 1, None)`` beside ``alignment="bottom-right"``.

    References
    ----------
    Shazeer (2019), Fast Transformer Decoding: One Write-Head is All You Need,
    section 2.4. Beltagy, Peters and Cohan (2020), Longformer, section 3.1, for the
    window.

    Examples
    --------
    >>> cache = KeyValueCache(max_length=2)
    >>> for token in np.eye(3):
    ...     key, value = cache.append([token], [token])
    ...     print(len(cache), key.tolist())
    1 [[1.0, 0.0, 0.0]]
    2 [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    2 [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    def __init__(self, max_length: int | None = None) -> None:
        if max_length is not None:
            max_length = size("max_length", max_length, at_least=1)
        self._max_length = max_length
        self._kept = Kept()

    def __len__(self) -> int:
        return self._kept.end - self._kept.begin

    def __repr__(self) -> str:
        parts = [str(array.shape) for array in self._kept.views()]
        if self._max_length is not None:
            parts.append(f"max_length={self._max_length}")
        return f"KeyValueCache({', '.join(parts)})"

    def append(self, key: ArrayLike, value: ArrayLike) -> tuple[NDArray, NDArray]:
        """Keep some more keys and values and return all of them.

        Parameters
        ----------
        key : array_like, shape (..., n, d_k)
        value : array_like, shape (..., n, d_v)
            Those of one or several new tokens. What comes first fixes the dtypes and
            all axes but the tokens'.

        Returns
        -------
        key : ndarray, shape (..., m, d_k)
        value : ndarray, shape (..., m, d_v)
            Of all ``m`` tokens so far, or with a `max_length` of the new ones and the
            ``max_length - 1`` before them: read-only views that nothing later changes.

        Raises
        ------
        TypeError
            If an array does not hold integers or floats, or has another dtype than
            what was kept before.
        ValueError
            If the two differ in their number of tokens, or in another axis from what
            was kept before.
        """
        whole = self._with(key, value).whole()
        self._keep(whole)
        keys, values = whole.views()
        return keys, values

    def drop(self, n: int) -> None:
        """Forget the last keys and values; what a `max_length` forgot stays forgotten.

        Parameters
        ----------
        n : int
            How many tokens, at least 0 and at most as many as there are.

        Raises
        ------
        TypeError
            If `n` is not an integer.
        ValueError
            If `n` is below 0 or beyond the length of the cache.
        """
        n, length = integer("n", n, at_least=0), len(self)
        if n > length:
            raise ValueError(
                f"n must be at most {length}, all there are, got {shown(n)}"
            )
        # Copied: what was handed out may reach beyond, and must not be written over.
        self._kept = self._kept._replace(end=self._kept.end - n).copied()

    def __copy__(self) -> "KeyValueCache":
        """Return a cache of its own: two must not write to the same room."""
        other = KeyValueCache(self._max_length)
        other._kept = self._kept.copied()
        return other

    def _with(self, key: ArrayLike, value: ArrayLike) -> Extension:
        """Return what is kept and some more, which nothing keeps yet."""
        new = (
            numbers("key", key, axes="(..., n, d_k)"),
            numbers("value", value, axes="(..., n, d_v)"),
        )
        fitting(*new, kept=self._kept.views())
        most = self._max_length
        if most is not None and count(new):
            most -= 1
        return Extension(self._kept.last(most), new)

    def _keep(self, whole: Kept) -> None:
        """Keep what an extension came to, as far as there is room."""
        self._kept = whole.last(self._max_length)
