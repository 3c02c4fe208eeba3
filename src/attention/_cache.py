"""The keys and values of the tokens so far, kept for those to come."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import _checks


class KeyValueCache:
    """Keys and values that grow token by token, so that none is computed twice.

    A decoder that asks for one token more needs the keys and values of all before it.
    They do not change any more: `append` keeps them and hands out the whole.

    Notes
    -----
    Room is doubled when it runs out, so that appending ``m`` tokens one by one copies
    each a constant number of times on average, not ``m`` times.

    References
    ----------
    Shazeer (2019), Fast Transformer Decoding: One Write-Head is All You Need,
    section 2.4.

    Examples
    --------
    >>> cache = KeyValueCache()
    >>> for token in np.eye(3):
    ...     key, value = cache.append([token], [token])
    ...     print(len(cache), key.shape)
    1 (1, 3)
    2 (2, 3)
    3 (3, 3)
    """

    def __init__(self) -> None:
        self._length = 0
        self._buffers: tuple[NDArray, ...] = ()  # key and value, with room to grow

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"KeyValueCache({', '.join(str(a.shape) for a in self._filled())})"

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
            Of all ``m`` tokens so far: read-only views that nothing later changes.

        Raises
        ------
        TypeError
            If an array does not hold integers or floats, or has another dtype than
            what was kept before.
        ValueError
            If the two differ in their number of tokens, or in another axis from what
            was kept before.
        """
        new = (
            _checks.numbers("key", key, axes="(..., n, d_k)"),
            _checks.numbers("value", value, axes="(..., n, d_v)"),
        )
        _checks.cached(*new, kept=self._filled())
        n = new[0].shape[-2]
        self._make_room(new, self._length + n)
        for buffer, array in zip(self._buffers, new, strict=True):
            buffer[..., self._length : self._length + n, :] = array
        self._length += n
        keys, values = self._filled()
        return keys, values

    def drop(self, n: int) -> None:
        """Forget the last keys and values.

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
        n = _checks.integer("n", n, at_least=0)
        if n > self._length:
            raise ValueError(
                f"n must be at most {self._length}, all there are, got {n}"
            )
        self._length -= n
        self._buffers = tuple(view.copy() for view in self._filled())

    def _filled(self) -> tuple[NDArray, ...]:
        views = tuple(buffer[..., : self._length, :] for buffer in self._buffers)
        for view in views:
            view.flags.writeable = False
        return views

    def _make_room(self, new: tuple[NDArray, ...], length: int) -> None:
        if self._buffers and length <= self._buffers[0].shape[-2]:
            return
        room, kept = max(length, 2 * self._length), self._filled()
        self._buffers = tuple(
            np.empty((*array.shape[:-2], room, array.shape[-1]), array.dtype)
            for array in new
        )
        for buffer, array in zip(self._buffers, kept, strict=False):
            buffer[..., : self._length, :] = array
