"""A cache of the keys and values of earlier tokens, for later tokens."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.arrays import numbers
from attention._checks.cache import fitting
from attention._checks.scalars import integer, shown, size

Pair = tuple[NDArray, NDArray]  # keys and values of the same tokens


def count(pair: tuple[NDArray, ...]) -> int:
    """Return the number of tokens in keys and values."""
    return pair[0].shape[-2]


class StoredTokens(NamedTuple):
    """Keys and values, in buffers that may have room for more tokens."""

    buffers: tuple[NDArray, ...] = ()
    begin: int = 0
    end: int = 0

    @property
    def length(self) -> int:
        """The number of tokens."""
        return self.end - self.begin

    def views(self) -> tuple[NDArray, ...]:
        """Return the keys and the values; ``()`` if no tokens were ever added."""
        return tuple(buffer[..., self.begin : self.end, :] for buffer in self.buffers)

    def last(self, n: int | None) -> "StoredTokens":
        """Return the last `n` tokens, or all if there are fewer or `n` is None."""
        return self if n is None else self._replace(begin=max(self.begin, self.end - n))

    def extended(self, new: Pair, *, in_place: bool = True) -> "StoredTokens":
        """Return these tokens and the new tokens, stored one after the other.

        Full buffers are replaced by new buffers with room for at least twice the old
        tokens. So each token is copied a constant number of times on average. Without
        `in_place` the buffers are always replaced: other threads may use the old ones.
        """
        old_length, n = self.length, count(new)
        buffers, end = self.buffers, self.end
        if not buffers or not in_place or end + n > count(buffers):
            room = max(old_length + n, 2 * old_length)
            buffers = tuple(
                np.empty((*a.shape[:-2], room, a.shape[-1]), a.dtype) for a in new
            )
            for buffer, view in zip(buffers, self.views(), strict=False):
                buffer[..., :old_length, :] = view
            end = old_length
        for buffer, array in zip(buffers, new, strict=True):
            buffer.setflags(write=True)
            buffer[..., end : end + n, :] = array
            buffer.setflags(write=False)  # so no view can be made writable
        return StoredTokens(buffers, end - old_length, end + n)

    def copied(self) -> "StoredTokens":
        """Return the same tokens in new buffers, without room for more tokens."""
        return StoredTokens(tuple(view.copy() for view in self.views()), 0, self.length)


class KeyValueCache:
    """Keys and values that grow token by token, so that no token is computed twice.

    A decoder that computes one more token needs the keys and values of all earlier
    tokens. These no longer change, so the cache keeps them: `append` adds the keys and
    values of new tokens and returns those of all tokens.

    Parameters
    ----------
    max_length : int, optional
        The largest number of tokens to keep; the oldest ones are forgotten. This is a
        sliding window in bounded memory. Default: all tokens are kept.

    Raises
    ------
    TypeError, ValueError
        If `max_length` is not an integer of at least 1.

    Notes
    -----
    With a `max_length` of ``w``, `append` returns the new tokens and the ``w - 1``
    before them. A single new token then sees exactly a window of ``w`` keys. Several
    new tokens at once need ``is_causal=True``, ``local_window_size=(w - 1, None)`` and
    ``alignment="bottom-right"``: otherwise some of them see more keys.

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

    Three new tokens at once, each with a window of two keys. The values are unit
    vectors, so the output is the weights:

    >>> from attention import scaled_dot_product_attention
    >>> key, value = KeyValueCache(max_length=2).append(np.eye(3), np.eye(3))
    >>> weights = scaled_dot_product_attention(
    ...     np.eye(3), key, value, is_causal=True,
    ...     local_window_size=(1, None), alignment="bottom-right",
    ... )
    >>> (weights > 0).sum(axis=-1)
    array([1, 2, 2])
    """

    def __init__(self, max_length: int | None = None) -> None:
        if max_length is not None:
            max_length = size("max_length", max_length, at_least=1)
        self._max_length = max_length
        self._stored = StoredTokens()

    def __len__(self) -> int:
        return self._stored.length

    def __repr__(self) -> str:
        parts = [str(array.shape) for array in self._stored.views()]
        if self._max_length is not None:
            parts.append(f"max_length={self._max_length}")
        return f"KeyValueCache({', '.join(parts)})"

    def append(self, key: ArrayLike, value: ArrayLike) -> Pair:
        """Keep the keys and values of new tokens, and return those of all tokens.

        Parameters
        ----------
        key : array_like, shape (..., n, d_k)
        value : array_like, shape (..., n, d_v)
            Of one or several new tokens. The first call fixes the dtypes and all axes
            but the number of tokens.

        Returns
        -------
        key : ndarray, shape (..., m, d_k)
        value : ndarray, shape (..., m, d_v)
            Of all ``m`` tokens so far; with a `max_length`, of the new tokens and the
            ``max_length - 1`` before them. Read-only views that later calls do not
            change, in the dtypes of the first call.

        Raises
        ------
        TypeError, ValueError
            If an array does not hold numbers, `key` and `value` differ in their number
            of tokens, or a dtype or another axis differs from the first call.
        """
        past, new = self._check(key, value)
        stored = past.extended(new)
        self._keep(stored)
        keys, values = stored.views()
        return keys, values

    def drop(self, n: int) -> None:
        """Forget the last tokens. Tokens lost through `max_length` do not come back.

        Parameters
        ----------
        n : int
            The number of tokens.

        Raises
        ------
        TypeError, ValueError
            If `n` is not an integer from 0 to the length of the cache.
        """
        n, length = integer("n", n, at_least=0), len(self)
        if n > length:
            raise ValueError(
                f"n must be at most {length}, all there are, got {shown(n)}"
            )
        # Copied, because earlier views show the dropped tokens, which must not change.
        self._stored = self._stored._replace(end=self._stored.end - n).copied()

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Give a copy or an unpickled cache new buffers.

        Two caches must not share buffers, and buffers in a pickle may be read-only.
        """
        self.__dict__.update(state)
        self._stored = self._stored.copied()

    def _check(self, key: ArrayLike, value: ArrayLike) -> tuple[StoredTokens, Pair]:
        """Return the earlier tokens that `append` returns, and the new tokens."""
        new = (
            numbers("key", key, axes="(..., n, d_k)"),
            numbers("value", value, axes="(..., n, d_v)"),
        )
        fitting(*new, self._stored.views())
        max_earlier = self._max_length
        if max_earlier is not None and count(new):
            max_earlier -= 1
        return self._stored.last(max_earlier), new

    def _keep(self, stored: StoredTokens) -> None:
        """Keep the last tokens, at most `max_length`."""
        self._stored = stored.last(self._max_length)
