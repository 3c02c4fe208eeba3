"""Multi-head attention with one explicit matrix per head and role."""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import _checks
from attention._dot_product import AttentionTrace, Steps, attend, build_trace
from attention._gradients import attend_backward, sum_to, turned
from attention._heads import merge_heads, split_heads


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadTrace:
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
        object.__setattr__(self, "concat", _checks.read_only(self.concat))
        object.__setattr__(self, "output", _checks.read_only(self.output))

    def __repr__(self) -> str:
        return (
            f"MultiHeadTrace(h={len(self.heads)}, concat{self.concat.shape}, "
            f"output{self.output.shape})"
        )


class MultiHeadGradients(NamedTuple):
    """The gradient of a scalar loss by each input and weight of one call.

    Attributes
    ----------
    x : ndarray, shape (..., n, d_model)
        In self-attention `x` is asked too, and both ways are in here.
    context : ndarray, shape (..., m, d_model), or None
        None in self-attention.
    W_Q, W_K, W_V, W_O : ndarray
        In the shapes of the weights, added up over tokens and batch.
    """

    x: NDArray
    context: NDArray | None
    W_Q: NDArray
    W_K: NDArray
    W_V: NDArray
    W_O: NDArray


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadAttention:
    """Several attentions side by side, each with its own view of the tokens.

    Each head projects the tokens to its own queries, keys and values and attends on its
    own; `W_O` mixes what the heads found. No biases, as in the paper.

    Parameters
    ----------
    W_Q : array_like, shape (h, d_model, d_k)
    W_K : array_like, shape (h, d_model, d_k)
    W_V : array_like, shape (h, d_model, d_v)
    W_O : array_like, shape (h * d_v, d_model)
        The rows ``i * d_v`` to ``(i + 1) * d_v - 1`` belong to head ``i``. All four are
        kept as read-only copies in their common floating dtype.

    Attributes
    ----------
    num_heads, d_model, d_k, d_v : int

    Raises
    ------
    TypeError
        If a matrix does not hold integers, float16, float32 or float64.
    ValueError
        If a matrix has the wrong number of axes, the shapes do not fit each other, or
        ``h``, ``d_model`` or ``d_k`` is 0.

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
    """

    W_Q: NDArray
    W_K: NDArray
    W_V: NDArray
    W_O: NDArray

    def __post_init__(self) -> None:
        weights = {
            "W_Q": _checks.projection("W_Q", self.W_Q, "(h, d_model, d_k)"),
            "W_K": _checks.projection("W_K", self.W_K, "(h, d_model, d_k)"),
            "W_V": _checks.projection("W_V", self.W_V, "(h, d_model, d_v)"),
            "W_O": _checks.projection("W_O", self.W_O, "(h * d_v, d_model)"),
        }
        _checks.projections(**weights)
        *_, dtype = _checks.floats(**weights)
        for name, array in weights.items():
            object.__setattr__(self, name, _checks.read_only(array.astype(dtype)))

    def __repr__(self) -> str:
        return (
            f"MultiHeadAttention(h={self.num_heads}, d_model={self.d_model}, "
            f"d_k={self.d_k}, d_v={self.d_v})"
        )

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
    ) -> NDArray:
        """Attend from `x` to `context`, or to `x` itself where there is none.

        Parameters
        ----------
        x : array_like, shape (..., n, d_model)
            The tokens that ask: the queries come from here.
        context : array_like, shape (..., m, d_model), optional
            The tokens that are asked: keys and values come from here. Given, this is
            cross-attention; left out, self-attention with ``m = n``.
        attn_mask : array_like, optional
            As in `scaled_dot_product_attention`, broadcast to ``(..., h, n, m)``: a
            mask ``(n, m)`` holds for all heads and the whole batch. A mask a sequence,
            ``(b, n, m)``, needs an axis for the heads: ``mask[:, None]``; one a head is
            ``(h, n, m)``.
        is_causal : bool, default False
            Token ``i`` of `x` sees the tokens ``0`` to ``i`` only.

        Returns
        -------
        ndarray, shape (..., n, d_model)
            In the dtype that NumPy gives the arrays and the weights together; float16
            is computed in float32 throughout and rounded once.

        Raises
        ------
        TypeError, ValueError
            If `x` or `context` does not have ``d_model`` columns, and as
            `scaled_dot_product_attention`.
        """
        *_, output, dtype = self._run(x, context, attn_mask, is_causal)
        with np.errstate(all="ignore"):
            return output.astype(dtype, copy=False)

    def trace(
        self,
        x: ArrayLike,
        context: ArrayLike | None = None,
        attn_mask: ArrayLike | None = None,
        is_causal: bool = False,
    ) -> MultiHeadTrace:
        """Do the same as a call and keep every intermediate result.

        Parameters
        ----------
        x, context, attn_mask, is_causal
            As in a call.

        Returns
        -------
        MultiHeadTrace
            Its `output` is what the call returns.

        Raises
        ------
        TypeError, ValueError
            As in a call.
        """
        arguments, steps, concat, output, dtype = self._run(
            x, context, attn_mask, is_causal
        )
        with np.errstate(all="ignore"):
            heads = tuple(
                build_trace(
                    tuple(array[..., i, :, :] for array in arguments[:3]),
                    Steps(*(array[..., i, :, :] for array in steps)),
                    arguments.scale,
                    dtype,
                )
                for i in range(self.num_heads)
            )
            return MultiHeadTrace(heads, concat.astype(dtype), output.astype(dtype))

    def gradients(
        self,
        d_output: ArrayLike,
        x: ArrayLike,
        context: ArrayLike | None = None,
        attn_mask: ArrayLike | None = None,
        is_causal: bool = False,
    ) -> MultiHeadGradients:
        """Return the gradient of a loss by the inputs and the weights of a call.

        Parameters
        ----------
        d_output : array_like, shape (..., n, d_model)
            The gradient of the loss by the output, in the output's shape.
        x, context, attn_mask, is_causal
            As in a call.

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
        arguments, steps, concat, output, dtype = self._run(
            x, context, attn_mask, is_causal
        )
        d_output = _checks.gradient(
            "d_output", d_output, output.shape, "(..., n, d_model)"
        )
        working = output.dtype
        d_output = d_output.astype(working)
        x, asked, W_Q, W_K, W_V, W_O = (
            np.asarray(array).astype(working)
            for array in (
                x,
                x if context is None else context,
                *(getattr(self, field.name) for field in fields(self)),
            )
        )
        with np.errstate(all="ignore"):
            d_heads = split_heads(d_output @ W_O.T, self.num_heads)
            d = attend_backward(d_heads, arguments, steps)
            d_x = input_gradient(d.query, W_Q, x)
            d_asked = input_gradient(d.key, W_K, asked)
            d_asked = d_asked + input_gradient(d.value, W_V, asked)
            gradients = MultiHeadGradients(
                d_x + d_asked if context is None else d_x,
                None if context is None else d_asked,
                weight_gradient(d.query, W_Q, x),
                weight_gradient(d.key, W_K, asked),
                weight_gradient(d.value, W_V, asked),
                sum_to(turned(concat) @ d_output, W_O.shape),
            )
            return MultiHeadGradients(
                *(d if d is None else d.astype(dtype, copy=False) for d in gradients)
            )

    def _run(
        self,
        x: ArrayLike,
        context: ArrayLike | None,
        attn_mask: ArrayLike | None,
        is_causal: bool,
    ) -> tuple[_checks.Arguments, Steps, NDArray, NDArray, np.dtype]:
        asked = x if context is None else context
        weights = {field.name: getattr(self, field.name) for field in fields(self)}
        x, asked, W_Q, W_K, W_V, W_O, dtype = _checks.floats(
            x=x, context=asked, **weights
        )
        _checks.tokens("x", x, "n", self.d_model)
        _checks.tokens("context", asked, "m", self.d_model)
        _checks.batches(x, asked)
        with np.errstate(all="ignore"):
            query = x[..., None, :, :] @ W_Q  # (..., 1, n, d_model) -> (..., h, n, d_k)
            key = asked[..., None, :, :] @ W_K  # (..., h, m, d_k)
            value = asked[..., None, :, :] @ W_V  # (..., h, m, d_v)
            arguments = _checks.attention(
                query, key, value, attn_mask, is_causal, None, False
            )
            steps = attend(arguments)
            concat = merge_heads(steps.output)  # (..., h, n, d_v) -> (..., n, h * d_v)
            return arguments, steps, concat, concat @ W_O, dtype


def input_gradient(d_heads: NDArray, W: NDArray, x: NDArray) -> NDArray:
    """Return the gradient by `x`, given that by ``x[..., None, :, :] @ W``."""
    every_head = (d_heads @ turned(W)).sum(axis=-3)  # (..., h, n, d) -> (..., n, d)
    return sum_to(every_head, x.shape)


def weight_gradient(d_heads: NDArray, W: NDArray, x: NDArray) -> NDArray:
    """Return the gradient by `W`, given that by ``x[..., None, :, :] @ W``."""
    return sum_to(turned(x)[..., None, :, :] @ d_heads, W.shape)
