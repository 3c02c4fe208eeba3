"""Multi-head attention with one explicit matrix per head and role."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import _torch_layout
from attention._arguments import Arguments, aligned
from attention._blocked import attend_blocked
from attention._blocked_backward import Totals, attend_backward, turned
from attention._cache import Kept, KeyValueCache
from attention._checks.arrays import floats, gradient
from attention._checks.calls import Window, attention
from attention._checks.layers import (
    WEIGHT_AXES,
    cache_or_none,
    projections,
    tokens,
)
from attention._checks.scalars import flag
from attention._dot_product import AttentionTrace, build_trace
from attention._formula import Steps, attend
from attention._heads import merge_heads, split_heads
from attention._read_only import ReadOnly, read_only


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadTrace(ReadOnly):
    """Every step of one call of multi-head attention, as arrays that stay as they are.

    Attributes
    ----------
    heads : tuple of AttentionTrace
        One trace a head; its arrays have no head axis, as if the head were alone.
    concat : ndarray, shape (..., n, h * d_v)
        The outputs of the heads side by side, head 0 first.
    output : ndarray, shape (..., n, d_model)
        ``concat @ W_O``.
    """

    heads: tuple[AttentionTrace, ...]
    concat: NDArray
    output: NDArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(self.heads))
        object.__setattr__(self, "concat", read_only(self.concat))
        object.__setattr__(self, "output", read_only(self.output))

    def __repr__(self) -> str:
        return (
            f"MultiHeadTrace(h={len(self.heads)}, concat{self.concat.shape}, "
            f"output{self.output.shape})"
        )


class MultiHeadGradients(NamedTuple):
    """The gradient of a scalar loss by each input and weight of one call.

    What the call or the layer goes without is None. A call that leaves `context` out
    asks `x` itself, and all of that is in the gradient by `x`; in the same way that by
    `context` holds what came through the values unless they were given.

    Attributes
    ----------
    x : ndarray, shape (..., n, d_model)
    context : ndarray, shape (..., m, d_key), or None
    W_Q, W_K, W_V, W_O : ndarray
    values : ndarray, shape (..., m, d_value), or None
    b_Q, b_K, b_V, b_O, bias_k, bias_v : ndarray or None
        In the shapes of the weights, added up over tokens and batch.
    """

    x: NDArray
    context: NDArray | None
    W_Q: NDArray
    W_K: NDArray
    W_V: NDArray
    W_O: NDArray
    values: NDArray | None = None
    b_Q: NDArray | None = None
    b_K: NDArray | None = None
    b_V: NDArray | None = None
    b_O: NDArray | None = None
    bias_k: NDArray | None = None
    bias_v: NDArray | None = None


class Call(NamedTuple):
    """One call, checked and projected, ready to attend.

    The tokens and the `weights`, by name, are in the dtype to compute in; `dtype` is
    that of the result. `kept` is what a cache will keep once the call is done.
    """

    x: NDArray
    context: NDArray
    values: NDArray
    weights: dict[str, NDArray]
    arguments: Arguments
    dtype: np.dtype
    kept: Kept | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the output, (..., n, d_model)."""
        *batch, _ = self.arguments.batch
        return (*batch, self.x.shape[-2], self.weights["W_O"].shape[1])


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadAttention(ReadOnly):
    """Several attentions side by side, each with its own view of the tokens.

    Each head projects the tokens to its own queries, keys and values and attends on its
    own; `W_O` mixes what the heads found. Biases are optional; the paper has none.

    Parameters
    ----------
    W_Q : array_like, shape (h, d_model, d_k)
    W_K : array_like, shape (h, d_key, d_k)
    W_V : array_like, shape (h, d_value, d_v)
        ``d_key`` and ``d_value`` are ``d_model`` unless the context is wider or
        narrower than `x`.
    W_O : array_like, shape (h * d_v, d_model)
        The rows ``i * d_v`` to ``(i + 1) * d_v - 1`` belong to head ``i``. All arrays
        are kept as read-only copies in their common floating dtype.
    b_Q, b_K : array_like, shape (h, d_k), optional
    b_V : array_like, shape (h, d_v), optional
    b_O : array_like, shape (d_model,), optional
        Added after the matrix of the same letter.
    bias_k : array_like, shape (h, d_k), optional
    bias_v : array_like, shape (h, d_v), optional
        One more key and value for each head, after those of the tokens; both or none.
        Every query sees them, whatever mask and lengths say.
    add_zero_attn : bool, default False
        One more key and value of zeros, after those: somewhere to look for a query
        that finds nothing.

    Attributes
    ----------
    num_heads, d_model, d_k, d_v : int

    Raises
    ------
    TypeError
        If an array does not hold integers or floats, or `add_zero_attn` is not a bool.
    ValueError
        If an array has the wrong number of axes, the shapes do not fit each other,
        ``h``, ``d_model`` or ``d_k`` is 0, or one of `bias_k` and `bias_v` is missing.

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.

    Examples
    --------
    >>> eye = np.eye(4).reshape(4, 2, 2).swapaxes(0, 1)  # head i sees half i
    >>> mha = MultiHeadAttention(eye, eye, eye, np.eye(4))
    >>> mha
    MultiHeadAttention(h=2, d_model=4, d_k=2, d_v=2)
    >>> mha(np.ones((3, 4))).shape
    (3, 4)

    A token that finds nothing looks half at itself and half at zeros:

    >>> none, one = [[[0.0]]], [[[1.0]]]
    >>> MultiHeadAttention(none, one, one, [[1.0]], add_zero_attn=True)([[2.0]])
    array([[1.]])
    """

    W_Q: NDArray
    W_K: NDArray
    W_V: NDArray
    W_O: NDArray
    _: KW_ONLY
    b_Q: NDArray | None = None
    b_K: NDArray | None = None
    b_V: NDArray | None = None
    b_O: NDArray | None = None
    bias_k: NDArray | None = None
    bias_v: NDArray | None = None
    add_zero_attn: bool = False

    def __post_init__(self) -> None:
        weights = projections(self._weights())
        _, dtype = floats(**weights)
        for name, array in weights.items():
            object.__setattr__(self, name, read_only(array.astype(dtype)))
        zero = flag("add_zero_attn", self.add_zero_attn)
        object.__setattr__(self, "add_zero_attn", zero)

    def __repr__(self) -> str:
        return (
            f"MultiHeadAttention(h={self.num_heads}, d_model={self.d_model}, "
            f"d_k={self.d_k}, d_v={self.d_v})"
        )

    @classmethod
    def from_torch(
        cls,
        state_dict: Mapping[str, ArrayLike],
        num_heads: int,
        add_zero_attn: bool = False,
        *,
        prefix: str = "",
    ) -> Self:
        """Build the layer that a PyTorch ``nn.MultiheadAttention`` is.

        Parameters
        ----------
        state_dict : mapping of str to array_like
            What ``layer.state_dict()`` returns, tensors or arrays; with packed
            projections (``in_proj_weight``) or separate ones (``q_proj_weight``, ...).
        num_heads : int
            The layer's `num_heads`: it is not in the weights.
        add_zero_attn : bool, default False
            The layer's `add_zero_attn`: nor is this.
        prefix : str, default ""
            What stands before the layer's names in the state dict of a whole model, its
            dot included: ``"encoder.layers.0.self_attn."``. All other entries are left
            aside.

        Returns
        -------
        MultiHeadAttention

        Raises
        ------
        TypeError
            If `state_dict` is not a mapping, `prefix` is not a text, or as the class
            does.
        ValueError
            If an entry is missing or unknown, its shape does not fit, no name begins
            with `prefix`, or `num_heads` does not divide the width.

        See Also
        --------
        to_torch : The way back.

        Examples
        --------
        >>> names = "in_proj_weight", "out_proj.weight"
        >>> state_dict = dict(zip(names, [np.ones((12, 4)), np.eye(4)]))
        >>> MultiHeadAttention.from_torch(state_dict, num_heads=2)
        MultiHeadAttention(h=2, d_model=4, d_k=2, d_v=2)
        """
        weights = _torch_layout.from_state_dict(state_dict, num_heads, prefix)
        return cls(**weights, add_zero_attn=add_zero_attn)

    def to_torch(self) -> dict[str, NDArray]:
        """Return the weights as a state dict of PyTorch's ``nn.MultiheadAttention``.

        Returns
        -------
        dict of str to ndarray
            Copies in that class's layout and order: packed where ``d_key`` and
            ``d_value`` are ``d_model``. A missing bias beside others becomes zeros,
            because that class has all or none.

        Raises
        ------
        ValueError
            If ``h * d_k`` or ``h * d_v`` is not ``d_model``, which that class wants.

        See Also
        --------
        from_torch : The way back.
        """
        return _torch_layout.to_state_dict(self._weights())

    @property
    def num_heads(self) -> int:
        """The number of heads ``h``."""
        return self.W_Q.shape[0]

    @property
    def d_model(self) -> int:
        """The width of a token, in and out."""
        return self.W_Q.shape[1]

    @property
    def d_k(self) -> int:
        """The width of a query and of a key in each head."""
        return self.W_Q.shape[2]

    @property
    def d_v(self) -> int:
        """The width of a value in each head."""
        return self.W_V.shape[2]

    def __call__(
        self,
        x: ArrayLike,
        context: ArrayLike | None = None,
        attn_mask: ArrayLike | None = None,
        is_causal: bool = False,
        *,
        values: ArrayLike | None = None,
        cache: KeyValueCache | None = None,
        scale: float | None = None,
        alignment: str | None = None,
        query_seq_lengths: ArrayLike | None = None,
        key_value_seq_lengths: ArrayLike | None = None,
        local_window_size: Window = None,
        softcap: float | None = None,
    ) -> NDArray:
        """Attend from `x` to `context`, or to `x` itself where there is none.

        Parameters
        ----------
        x : array_like, shape (..., n, d_model)
            The tokens that ask: the queries come from here.
        context : array_like, shape (..., m, d_key), optional
            The tokens that are asked: keys and values come from here. Given, this is
            cross-attention; left out, self-attention with ``m = n``.
        attn_mask : array_like, optional
            As in `scaled_dot_product_attention`, broadcast to ``(..., h, n, m)``: a
            mask ``(n, m)`` holds for all heads and the whole batch. A mask a sequence,
            ``(b, n, m)``, needs an axis for the heads: ``mask[:, None]``; one a head is
            ``(h, n, m)``.
        is_causal : bool, default False
            Token ``i`` of `x` sees the tokens ``0`` to ``i`` only.
        values : array_like, shape (..., m, d_value), optional
            Where the values come from, if not from `context`.
        cache : KeyValueCache, optional
            Keys and values of earlier tokens. Those of this call are appended, and it
            attends to all: ``m`` counts them all. A call that fails leaves it as it
            was.
        alignment : {"top-left", "bottom-right"}, optional
            As in `scaled_dot_product_attention`. Default: ``"bottom-right"`` with a
            `cache`, so that the last token of `x` stands at the last of all, and
            ``"top-left"`` without one.
        scale, query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
            As in `scaled_dot_product_attention`; the batch axes of the lengths end with
            one for the heads, as those of a mask.

        Returns
        -------
        ndarray, shape (..., n, d_model)
            In the dtype that NumPy gives the arrays and the weights together; float16
            is computed in float32 throughout and rounded once.

        Raises
        ------
        TypeError, ValueError
            If `x`, `context` or `values` does not have the width that its matrix
            expects, and as `scaled_dot_product_attention`.
        """
        call = self._prepare(
            x,
            context,
            values,
            cache,
            attn_mask=attn_mask,
            is_causal=is_causal,
            scale=scale,
            alignment=alignment,
            query_seq_lengths=query_seq_lengths,
            key_value_seq_lengths=key_value_seq_lengths,
            local_window_size=local_window_size,
            softcap=softcap,
        )
        with np.errstate(all="ignore"):
            heads = attend_blocked(call.arguments)
            output = np.asarray(self._merge(call, heads)[1], call.dtype)
        if cache is not None and call.kept is not None:
            cache._keep(call.kept)
        return output

    def trace(
        self,
        x: ArrayLike,
        context: ArrayLike | None = None,
        attn_mask: ArrayLike | None = None,
        is_causal: bool = False,
        *,
        values: ArrayLike | None = None,
        cache: KeyValueCache | None = None,
        scale: float | None = None,
        alignment: str | None = None,
        query_seq_lengths: ArrayLike | None = None,
        key_value_seq_lengths: ArrayLike | None = None,
        local_window_size: Window = None,
        softcap: float | None = None,
    ) -> MultiHeadTrace:
        """Do the same as a call and keep every intermediate result.

        Parameters
        ----------
        x, context, attn_mask, is_causal, values, scale, alignment, \
        query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
            As in a call.
        cache : KeyValueCache, optional
            As in a call, and nothing is appended to it.

        Returns
        -------
        MultiHeadTrace
            Its `output` is what the call returns, up to rounding.

        Raises
        ------
        TypeError, ValueError
            As in a call.
        """
        call = self._prepare(
            x,
            context,
            values,
            cache,
            attn_mask=attn_mask,
            is_causal=is_causal,
            scale=scale,
            alignment=alignment,
            query_seq_lengths=query_seq_lengths,
            key_value_seq_lengths=key_value_seq_lengths,
            local_window_size=local_window_size,
            softcap=softcap,
        )
        with np.errstate(all="ignore"):
            arguments = call.arguments.spread_out()._replace(dtype=call.dtype)
            steps = attend(arguments)
            concat, output = self._merge(call, steps.output)
            heads = tuple(
                build_trace(*one_head(arguments, steps, i))
                for i in range(self.num_heads)
            )
            return MultiHeadTrace(
                heads, concat.astype(call.dtype), output.astype(call.dtype)
            )

    def gradients(
        self,
        d_output: ArrayLike,
        x: ArrayLike,
        context: ArrayLike | None = None,
        attn_mask: ArrayLike | None = None,
        is_causal: bool = False,
        *,
        values: ArrayLike | None = None,
        cache: KeyValueCache | None = None,
        scale: float | None = None,
        alignment: str | None = None,
        query_seq_lengths: ArrayLike | None = None,
        key_value_seq_lengths: ArrayLike | None = None,
        local_window_size: Window = None,
        softcap: float | None = None,
    ) -> MultiHeadGradients:
        """Return the gradient of a loss by the inputs and the weights of a call.

        Parameters
        ----------
        d_output : array_like, shape (..., n, d_model)
            The gradient of the loss by the output, in the output's shape.
        x, context, attn_mask, is_causal, values, scale, alignment, \
        query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
            As in a call.
        cache : KeyValueCache, optional
            As in a call, and nothing is appended to it. What it holds counts as given:
            nothing comes back to the tokens that it was made from, nor through them to
            the weights.

        Returns
        -------
        MultiHeadGradients
            A named tuple, in the dtype that the call's output has.

        Raises
        ------
        TypeError, ValueError
            If `d_output` does not hold numbers or has another shape than the output,
            and as in a call.
        """
        call = self._prepare(
            x,
            context,
            values,
            cache,
            attn_mask=attn_mask,
            is_causal=is_causal,
            scale=scale,
            alignment=alignment,
            query_seq_lengths=query_seq_lengths,
            key_value_seq_lengths=key_value_seq_lengths,
            local_window_size=local_window_size,
            softcap=softcap,
        )
        d_output = gradient("d_output", d_output, call.shape, "(..., n, d_model)")
        with np.errstate(all="ignore"):
            d_output = np.asarray(d_output, call.x.dtype)
            d_concat = d_output @ call.weights["W_O"].T
            heads, totals = attend_backward(
                split_heads(d_concat, self.num_heads), call.arguments
            )
            concat = merge_heads(heads)
            gradients = {
                **projections_backward(call, totals),
                "W_O": weight_gradient(concat, d_output),
                "b_O": sum_to(d_output, (1, self.d_model))[0],
            }
            if values is None:
                gradients["context"] = gradients["context"] + gradients["values"]
            if context is None:
                gradients["x"] = gradients["x"] + gradients["context"]
            given = {"x": x, "context": context, "values": values, **self._weights()}
            rounded: dict[str, Any] = {
                name: np.asarray(gradients[name], call.dtype)
                for name, array in given.items()
                if array is not None
            }
        return MultiHeadGradients(**{"context": None, **rounded})

    def _weights(self) -> dict[str, NDArray]:
        return {
            name: getattr(self, name)
            for name in WEIGHT_AXES
            if getattr(self, name) is not None
        }

    def _prepare(
        self,
        x: ArrayLike,
        context: ArrayLike | None,
        values: ArrayLike | None,
        cache: KeyValueCache | None,
        *,
        alignment: str | None,
        **options: Any,
    ) -> Call:
        """Check and project the tokens, so that attention is all that is left."""
        cache = cache_or_none(cache)
        context = x if context is None else context
        values = context if values is None else values
        arrays, dtype = floats(x=x, context=context, values=values, **self._weights())
        x, context, values = arrays[:3]
        weights = dict(zip(self._weights(), arrays[3:], strict=True))
        tokens(x, context, values, weights)
        with np.errstate(all="ignore"):
            query = project(x, weights["W_Q"], weights.get("b_Q"))
            key = project(context, weights["W_K"], weights.get("b_K"))
            value = project(values, weights["W_V"], weights.get("b_V"))
        if alignment is None:
            alignment = "top-left" if cache is None else "bottom-right"
        options["alignment"] = alignment
        if cache is None:
            arguments, kept = attention(query, key, value, **options), None
        else:
            arguments, kept = attention_with(cache, query, key, value, **options)
        for key, value in self._extra(weights):
            arguments = with_extra_key(arguments, key, value)
        return Call(x, context, values, weights, arguments, dtype, kept)

    def _extra(self, weights: dict[str, NDArray]) -> list[tuple[NDArray, NDArray]]:
        """Return the keys and values that no token has, (h, d_k) and (h, d_v) each."""
        like = partial(np.zeros_like, weights["W_Q"])
        learned = (
            [(weights["bias_k"], weights["bias_v"])] if "bias_k" in weights else []
        )
        h, d_k, d_v = self.num_heads, self.d_k, self.d_v
        zero = (like(shape=(h, d_k)), like(shape=(h, d_v)))
        return learned + [zero] * self.add_zero_attn

    def _merge(self, call: Call, heads: NDArray) -> tuple[NDArray, NDArray]:
        """Put the heads side by side and mix them."""
        concat = merge_heads(heads)  # (..., h, n, d_v) -> (..., n, h * d_v)
        output = concat @ call.weights["W_O"]  # (..., n, d_model)
        b_O = call.weights.get("b_O")
        return concat, output if b_O is None else output + b_O


def attention_with(
    cache: KeyValueCache, query: NDArray, key: NDArray, value: NDArray, **options: Any
) -> tuple[Arguments, Kept]:
    """Check a call over all that is cached and what came, and return both together.

    The checks come before anything is copied: a refused call costs nothing.
    """
    extension = cache._with(key, value)
    blank_key, blank_value = extension.blank()
    arguments = attention(query, blank_key, blank_value, **options)
    kept, axes = extension.whole(), arguments.key.ndim
    key, value = (aligned(view, axes) for view in kept.views())
    return arguments._replace(key=key, value=value), kept


def one_head(arguments: Arguments, steps: Steps, i: int) -> tuple[Arguments, Steps]:
    """Return what head `i` computes with, and its steps, as if it were alone."""
    arrays = {name: getattr(arguments, name) for name in ("query", "key", "value")}
    return (
        arguments._replace(
            **{name: array[..., i, :, :] for name, array in arrays.items()},
            batch=arguments.batch[:-1],
        ),
        Steps(*(array[..., i, :, :] for array in steps)),
    )


def project(x: NDArray, W: NDArray, b: NDArray | None) -> NDArray:
    """Give every head its view of the tokens."""
    heads = x[..., None, :, :] @ W  # (..., 1, n, d_model) -> (..., h, n, d)
    return heads if b is None else heads + b[:, None, :]


def with_extra_key(arguments: Arguments, key: NDArray, value: NDArray) -> Arguments:
    """Append a key and a value to each head that every query sees."""
    return arguments._replace(
        key=append(arguments.key, key),
        value=append(arguments.value, value),
        extra=arguments.extra + 1,
    )


def append(array: NDArray, row: NDArray) -> NDArray:
    """Append a row (h, d) to every (m, d) of an array (..., h, m, d)."""
    *batch, _, d = array.shape
    row = np.broadcast_to(row[:, None, :], (*batch, 1, d))
    return np.concatenate([array, row], axis=-2)


def projections_backward(call: Call, d: Totals) -> dict[str, NDArray]:
    """Return the gradients by the tokens and by what projects them."""
    gradients, m = {}, call.context.shape[-2]
    extra = d.key.shape[-2] - call.arguments.extra
    new = slice(extra - m, extra)  # before them stands what was cached
    roles = [
        ("x", "Q", call.x, d.query),
        ("context", "K", call.context, d.key[..., new, :]),
        ("values", "V", call.values, d.value[..., new, :]),
    ]
    for name, letter, x, d_heads in roles:
        W = call.weights[f"W_{letter}"]
        h, d_model, d_k = W.shape
        d_own = sum_to(d_heads, (*x.shape[:-2], h, x.shape[-2], d_k))
        d_own = merge_heads(d_own)  # (..., n, h * d_k)
        gradients[name] = d_own @ turned(W).reshape(h * d_k, d_model)
        d_W = weight_gradient(x, d_own).reshape(d_model, h, d_k)
        gradients[f"W_{letter}"] = d_W.transpose(1, 0, 2)
        gradients[f"b_{letter}"] = sum_rows(d_heads)
    if "bias_k" in call.weights:
        gradients["bias_k"] = sum_rows(d.key[..., extra : extra + 1, :])
        gradients["bias_v"] = sum_rows(d.value[..., extra : extra + 1, :])
    return gradients


def weight_gradient(x: NDArray, d: NDArray) -> NDArray:
    """Add up what tokens (..., n, a) and gradients (..., n, b) make of a matrix (a, b).

    As one product, and without the tokens to which nothing comes back: 0 times the NaN
    of one that is hidden would be NaN.
    """
    x, d = x.reshape(-1, x.shape[-1]), d.reshape(-1, d.shape[-1])
    idle = ~d.any(axis=1, keepdims=True)
    return (np.where(idle, 0, x) if idle.any() else x).T @ d


def sum_to(gradient: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Add up the axes along which an array of `shape` was broadcast."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    stretched = tuple(i for i, length in enumerate(shape) if length == 1)
    return gradient.sum(axis=stretched, keepdims=True)


def sum_rows(d_heads: NDArray) -> NDArray:
    """Add up the tokens and the batch of an array (..., h, n, d)."""
    h, _, d = d_heads.shape[-3:]
    return sum_to(d_heads, (h, 1, d))[:, 0]
