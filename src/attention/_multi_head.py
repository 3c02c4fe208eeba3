"""Multi-head attention with one explicit matrix per head and role."""

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import _torch_layout
from attention._arguments import Arguments
from attention._blocked import attend_blocked
from attention._blocked_backward import Totals, attend_backward, transposed
from attention._cache import KeyValueCache, StoredTokens
from attention._checks.arrays import floats, gradient
from attention._checks.calls import with_axes, with_options
from attention._checks.layers import (
    WEIGHT_AXES,
    LayerInputs,
    cache_or_none,
    layer_inputs,
    projections,
)
from attention._checks.scalars import flag
from attention._dot_product import AttentionTrace, build_trace
from attention._formula import Steps, attend
from attention._heads import concatenate_heads, split_heads
from attention._options import LAYER_DEFAULTS, LayerOptions, complete, show_options
from attention._read_only import ReadOnly, read_only


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadTrace(ReadOnly):
    """Every step of one call of multi-head attention, as read-only arrays.

    Attributes
    ----------
    heads : tuple of AttentionTrace
        One trace for each head; its arrays have no axis of heads.
    concat : ndarray, shape (..., n, h * d_v)
        The outputs of the heads side by side, head 0 first.
    output : ndarray, shape (..., n, d_model)
        ``concat @ W_O``, plus `b_O` if the layer has it.
    """

    heads: tuple[AttentionTrace, ...]
    concat: NDArray
    output: NDArray

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "heads", tuple(self.heads))

    def __repr__(self) -> str:
        return (
            f"MultiHeadTrace(h={len(self.heads)}, concat{self.concat.shape}, "
            f"output{self.output.shape})"
        )


class MultiHeadGradients(NamedTuple):
    """The gradient of a loss with respect to each input and weight of one call.

    A field is None if the call or the layer has no such array. Without `context`, `x`
    also serves as the context, and its gradient covers both roles. Without `values`,
    the context also serves as the values, and its gradient covers both roles.

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


class CheckedCall(NamedTuple):
    """One checked call, with its tokens projected and split into heads."""

    inputs: LayerInputs
    arguments: Arguments
    all_tokens: StoredTokens | None  # cached and new; None without a cache


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadAttention(ReadOnly):
    """Several heads of attention side by side, each with its own projections.

    Each head projects the tokens to queries, keys and values and attends by itself.
    Then `W_O` combines the outputs of all heads. Biases are optional.

    Parameters
    ----------
    W_Q : array_like, shape (h, d_model, d_k)
    W_K : array_like, shape (h, d_key, d_k)
    W_V : array_like, shape (h, d_value, d_v)
        ``d_key`` and ``d_value`` are the widths of the tokens that give keys and
        values. Both are ``d_model`` in self-attention.
    W_O : array_like, shape (h * d_v, d_model)
        The rows ``i * d_v`` to ``(i + 1) * d_v - 1`` belong to head ``i``. All arrays
        are kept as read-only copies in their common floating dtype.
    b_Q, b_K : array_like, shape (h, d_k), optional
    b_V : array_like, shape (h, d_v), optional
    b_O : array_like, shape (d_model,), optional
        Added to the product with the matrix of the same letter.
    bias_k : array_like, shape (h, d_k), optional
    bias_v : array_like, shape (h, d_v), optional
        An extra key and value for each head, after the keys and values of the tokens.
        Give both or neither. Mask and lengths never hide them from a query.
    add_zero_attn : bool, default False
        An extra key and value of zeros at the end, which every query sees too. A query
        that matches no other key can attend to the key of zeros.

    Attributes
    ----------
    num_heads, d_model, d_k, d_v : int

    Raises
    ------
    TypeError, ValueError
        If an array does not hold numbers, the shapes do not fit each other, ``h``,
        ``d_model`` or ``d_k`` is 0, one of `bias_k` and `bias_v` is missing, or
        `add_zero_attn` is not a bool.

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

    A query of zeros attends equally to the token and to the key of zeros:

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
        frozen = {
            name: read_only(array.astype(dtype)) for name, array in weights.items()
        }
        zero = flag("add_zero_attn", self.add_zero_attn)
        vars(self).update(frozen, add_zero_attn=zero)

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
        """Return the layer with the weights of a PyTorch ``nn.MultiheadAttention``.

        Parameters
        ----------
        state_dict : mapping of str to array_like
            What ``layer.state_dict()`` returns, tensors or arrays; with packed
            projections (``in_proj_weight``) or separate ones (``q_proj_weight``, ...).
        num_heads : int
            The layer's `num_heads`; a state dict does not hold it.
        add_zero_attn : bool, default False
            The layer's `add_zero_attn`; a state dict does not hold it.
        prefix : str, default ""
            The beginning of the layer's names in the state dict of a whole model, with
            its dot: ``"encoder.layers.0.self_attn."``. Other entries are ignored.

        Returns
        -------
        MultiHeadAttention

        Raises
        ------
        TypeError, ValueError
            If `state_dict` is not a mapping, an entry is missing, unknown or of the
            wrong shape, no name begins with `prefix`, or `num_heads` does not divide
            the width.

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
            Copies in PyTorch's layout; packed if ``d_key`` and ``d_value`` are
            ``d_model``. If only some biases exist, the others become zeros, because
            PyTorch's class has all biases or none.

        Raises
        ------
        ValueError
            If ``h * d_k`` or ``h * d_v`` is not ``d_model``, as PyTorch requires.
        """
        return _torch_layout.to_state_dict(self._weights())

    @property
    def num_heads(self) -> int:
        """The number of heads ``h``."""
        return self.W_Q.shape[0]

    @property
    def d_model(self) -> int:
        """The width of a token of `x` and of the output."""
        return self.W_Q.shape[1]

    @property
    def d_k(self) -> int:
        """The width of a query and of a key in each head."""
        return self.W_Q.shape[2]

    @property
    def d_v(self) -> int:
        """The width of a value in each head."""
        return self.W_V.shape[2]

    @show_options(LayerOptions, LAYER_DEFAULTS)
    def __call__(
        self,
        x: ArrayLike,
        context: ArrayLike | None = None,
        values: ArrayLike | None = None,
        **options: Unpack[LayerOptions],
    ) -> NDArray:
        """Return new vectors for the tokens of `x`, which attend to `context` or `x`.

        Parameters
        ----------
        x : array_like, shape (..., n, d_model)
            The tokens that give the queries.
        context : array_like, shape (..., m, d_key), optional
            The tokens that give keys and values: cross-attention. Without a context
            the call is self-attention: the tokens of `x` give keys and values too.
        values : array_like, shape (..., m, d_value), optional
            The tokens that give the values instead of `context`: ``layer(q, k, v)`` as
            in PyTorch.
        attn_mask : array_like, optional
            As in `scaled_dot_product_attention`, broadcast to ``(..., h, n, m)``. A
            mask ``(n, m)`` holds for all heads and the whole batch. A mask for each
            sequence, ``(b, n, m)``, needs an axis for the heads: ``mask[:, None]``. A
            mask for each head is ``(h, n, m)``.
        is_causal : bool, default False
            With the default `alignment`, token ``i`` of `x` sees only the tokens ``0``
            to ``i``; with a `cache`, also the cached tokens before them.
        cache : KeyValueCache, optional
            Keys and values of earlier tokens. The call appends the new keys and values
            and attends to all of them. In `attn_mask`, ``m`` then counts the earlier
            and the new tokens. A call that fails does not change the cache.
        scale, query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
            As in `scaled_dot_product_attention`. Lengths for each sequence need an axis
            for the heads: ``lengths[:, None]``. The heads return 0 for a padded query,
            unless the layer has `bias_v`; `b_O` is added to their output.
        alignment : {"top-left", "bottom-right"}, optional
            As in `scaled_dot_product_attention`. Default: ``"bottom-right"`` with a
            `cache`, so that the last query is aligned with the last key, and
            ``"top-left"`` without one.

        Returns
        -------
        ndarray, shape (..., n, d_model)
            In the common NumPy dtype of the arrays and the weights; float16 is computed
            in float32 throughout and rounded once.

        Raises
        ------
        TypeError, ValueError
            If `x`, `context` or `values` does not have the width of its matrix, `cache`
            is not a `KeyValueCache` or holds keys of another shape or dtype, and for
            the reasons that `scaled_dot_product_attention` lists.
        """
        named = complete(MultiHeadAttention.__call__, options, LAYER_DEFAULTS)
        call = self._check_and_split(x, context, values, named, appends=True)
        with np.errstate(all="ignore"):
            heads = attend_blocked(call.arguments)  # (..., h, n, d_v)
            _, output = merge(heads, call.inputs.weights)  # (..., n, d_model)
            output = np.asarray(output, call.inputs.dtype)
        if call.all_tokens is not None:
            named["cache"]._keep(call.all_tokens)
        return output

    @show_options(LayerOptions, LAYER_DEFAULTS)
    def trace(
        self,
        x: ArrayLike,
        context: ArrayLike | None = None,
        values: ArrayLike | None = None,
        **options: Unpack[LayerOptions],
    ) -> MultiHeadTrace:
        """Return every intermediate result of a call.

        Parameters
        ----------
        x, context, values, attn_mask, is_causal, scale, alignment, \
        query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
            As in a call, with the same errors.
        cache : KeyValueCache, optional
            As in a call, but nothing is appended.

        Returns
        -------
        MultiHeadTrace
            Its `output` is what the call returns, up to rounding.
        """
        named = complete(MultiHeadAttention.trace, options, LAYER_DEFAULTS)
        call = self._check_and_split(x, context, values, named)
        dtype = call.inputs.dtype
        with np.errstate(all="ignore"):
            arguments = call.arguments.broadcast()._replace(dtype=dtype)
            steps = attend(arguments)
            concat, output = merge(steps.output, call.inputs.weights)
            one_head = arguments._replace(batch=arguments.batch[:-1])
            heads = tuple(
                build_trace(one_head, Steps(*(array[..., i, :, :] for array in steps)))
                for i in range(self.num_heads)
            )
            return MultiHeadTrace(heads, concat.astype(dtype), output.astype(dtype))

    @show_options(LayerOptions, LAYER_DEFAULTS)
    def gradients(
        self,
        d_output: ArrayLike,
        x: ArrayLike,
        context: ArrayLike | None = None,
        values: ArrayLike | None = None,
        **options: Unpack[LayerOptions],
    ) -> MultiHeadGradients:
        """Return a loss's gradient with respect to inputs and weights of a call.

        Parameters
        ----------
        d_output : array_like, shape (..., n, d_model)
            The gradient of the loss with respect to the output, in the output's shape.
        x, context, values, attn_mask, is_causal, scale, alignment, \
        query_seq_lengths, key_value_seq_lengths, local_window_size, softcap
            As in a call.
        cache : KeyValueCache, optional
            As in a call, but nothing is appended. Cached keys and values are constants:
            neither earlier tokens nor the weights get a gradient through them.

        Returns
        -------
        MultiHeadGradients
            A named tuple, in the dtype of the call's output.

        Raises
        ------
        TypeError, ValueError
            If `d_output` does not hold numbers or has another shape than the output,
            and as in a call.
        """
        named = complete(MultiHeadAttention.gradients, options, LAYER_DEFAULTS)
        call = self._check_and_split(x, context, values, named)
        inputs, (*batch, _) = call.inputs, call.arguments.batch
        shape = (*batch, inputs.x.shape[-2], self.W_O.shape[1])
        d_output = gradient(d_output, shape, "(..., n, d_model)")
        with np.errstate(all="ignore"):
            d_output = np.asarray(d_output, inputs.x.dtype)
            d_heads = split_heads(d_output @ inputs.weights["W_O"].T, self.num_heads)
            heads, totals = attend_backward(d_heads, call.arguments)
            gradients = {
                **projections_backward(call, totals),
                "W_O": weight_gradient(concatenate_heads(heads), d_output),
                "b_O": sum_to(d_output, (1, self.d_model))[0],
            }
            if values is None:
                gradients["context"] = gradients["context"] + gradients["values"]
            if context is None:
                gradients["x"] = gradients["x"] + gradients["context"]
            given = {"x": x, "context": context, "values": values}
            rounded: dict[str, Any] = {
                name: np.asarray(gradients[name], inputs.dtype)
                for name, array in {**given, **self._weights()}.items()
                if array is not None
            }
        return MultiHeadGradients(**{"context": None, **rounded})

    def _weights(self) -> dict[str, NDArray]:
        """Return the weights that the layer has, by name."""
        return {
            name: getattr(self, name)
            for name in WEIGHT_AXES
            if getattr(self, name) is not None
        }

    def _check_and_split(
        self,
        x: ArrayLike,
        context: ArrayLike | None,
        values: ArrayLike | None,
        options: dict[str, Any],
        *,
        appends: bool = False,
    ) -> CheckedCall:
        """Check a call; return it with the queries, keys and values of its heads.

        `appends`: whether new keys and values may be written to the cache's buffers.
        """
        cache = cache_or_none(options["cache"])
        inputs = layer_inputs(x, context, values, self._weights())
        weights = inputs.weights
        with np.errstate(all="ignore"):
            query = project(inputs.x, weights["W_Q"], weights.get("b_Q"))
            key = project(inputs.context, weights["W_K"], weights.get("b_K"))
            value = project(inputs.values, weights["W_V"], weights.get("b_V"))
        past = StoredTokens()
        if cache is not None:
            past = past_tokens(cache, key, value)
        if options["alignment"] is None:
            alignment = "top-left" if cache is None else "bottom-right"
            options = {**options, "alignment": alignment}
        arguments = with_options(
            (query, key, value),
            m=past.length + key.shape[-2],
            dtype=query.dtype,
            grouped=False,
            attn_mask=options["attn_mask"],
            is_causal=options["is_causal"],
            scale=options["scale"],
            options=options,
        )
        all_tokens = None
        if cache is not None:  # after all checks, so that an error copies nothing
            all_tokens = past.extended((key, value), in_place=appends)
            axes = arguments.key.ndim
            key, value = (with_axes(view, axes) for view in all_tokens.views())
            arguments = arguments._replace(key=key, value=value)
        if "bias_k" in weights:
            extra = weights["bias_k"], weights["bias_v"]
            arguments = with_extra_key(arguments, *extra)
        if self.add_zero_attn:
            h, dtype = self.num_heads, query.dtype
            zeros = np.zeros((h, self.d_k), dtype), np.zeros((h, self.d_v), dtype)
            arguments = with_extra_key(arguments, *zeros)
        return CheckedCall(inputs, arguments, all_tokens)


def past_tokens(cache: KeyValueCache, key: NDArray, value: NDArray) -> StoredTokens:
    """Return the cached tokens; raise unless the new key and value fit the cache."""
    try:
        past, _ = cache._check(key, value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"cache must fit the tokens of this call: {error}") from None
    return past


def project(x: NDArray, W: NDArray, b: NDArray | None) -> NDArray:
    """Return the tokens times each head's matrix, (..., h, n, d)."""
    heads = x[..., None, :, :] @ W  # (..., 1, n, d_model) @ (h, d_model, d)
    return heads if b is None else heads + b[:, None, :]


def merge(heads: NDArray, weights: dict[str, NDArray]) -> tuple[NDArray, NDArray]:
    """Return the heads side by side, and their combination by `W_O` and `b_O`."""
    concat = concatenate_heads(heads)  # (..., h, n, d_v) -> (..., n, h * d_v)
    output = concat @ weights["W_O"]  # (..., n, d_model)
    b_O = weights.get("b_O")
    return concat, output if b_O is None else output + b_O


def with_extra_key(arguments: Arguments, key: NDArray, value: NDArray) -> Arguments:
    """Return arguments with one more key (h, d_k) and value, which every query sees."""
    arrays = []
    for array, row in (arguments.key, key), (arguments.value, value):
        *batch, _, d = array.shape  # (..., h, m, d)
        row = np.broadcast_to(row[:, None, :], (*batch, 1, d))
        arrays.append(np.concatenate([array, row], axis=-2))
    key, value = arrays
    return arguments._replace(key=key, value=value, extra=arguments.extra + 1)


def projections_backward(call: CheckedCall, d: Totals) -> dict[str, NDArray]:
    """Return the gradients of tokens, projections and the layer's extra key."""
    inputs, gradients = call.inputs, {}
    # the keys are in this order: cached, new, bias_k, zeros
    end, m = d.key.shape[-2] - call.arguments.extra, inputs.context.shape[-2]
    new, bias = slice(end - m, end), slice(end, end + 1)
    roles = [
        ("x", "Q", inputs.x, d.query),
        ("context", "K", inputs.context, d.key[..., new, :]),
        ("values", "V", inputs.values, d.value[..., new, :]),
    ]
    for name, letter, x, d_heads in roles:
        W = inputs.weights[f"W_{letter}"]
        h, d_model, width = W.shape
        d_projected = sum_to(d_heads, (*x.shape[:-2], h, x.shape[-2], width))
        d_projected = concatenate_heads(d_projected)  # (..., n, h * width)
        gradients[name] = d_projected @ transposed(W).reshape(h * width, d_model)
        d_W = weight_gradient(x, d_projected).reshape(d_model, h, width)
        gradients[f"W_{letter}"] = d_W.transpose(1, 0, 2)
        gradients[f"b_{letter}"] = sum_rows(d_heads)
    if "bias_k" in inputs.weights:
        gradients["bias_k"] = sum_rows(d.key[..., bias, :])
        gradients["bias_v"] = sum_rows(d.value[..., bias, :])
    return gradients


def weight_gradient(x: NDArray, d: NDArray) -> NDArray:
    """Return a matrix's gradient (a, b), from `x` (..., n, a) and `d` (..., n, b).

    `d` is the gradient of ``x @ matrix``. One product sums over all tokens. Tokens
    without a gradient are left out: a hidden token may be NaN, and 0 * NaN is NaN.
    """
    rows = math.prod(x.shape[:-1])  # -1 is ambiguous if a width is 0
    x, d = x.reshape(rows, x.shape[-1]), d.reshape(rows, d.shape[-1])
    unused = ~d.any(axis=1, keepdims=True)
    return (np.where(unused, 0, x) if unused.any() else x).T @ d


def sum_to(gradient: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Return a gradient in `shape`: summed over the axes that were broadcast."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    stretched = tuple(i for i, length in enumerate(shape) if length == 1)
    return gradient.sum(axis=stretched, keepdims=True)


def sum_rows(d_heads: NDArray) -> NDArray:
    """Return the sum over tokens and batch of an array (..., h, n, d), shape (h, d)."""
    h, _, d = d_heads.shape[-3:]
    return sum_to(d_heads, (h, 1, d))[:, 0]
