"""The model: 30 layers of attention and feed-forward network, changed by `Knobs`.

Shapes: ``n`` tokens, ``h`` query heads, ``g`` key/value heads (each for ``h / g``
query heads), ``d_k`` the width of a head, ``d_model`` the width of a token.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention import (
    KeyValueCache,
    merge_heads,
    rotary_embedding,
    rotary_table,
    scaled_dot_product_attention,
    softmax,
    split_heads,
    trace_attention,
)

Head = tuple[int, int]
"""A head: the number of its layer, and its number in this layer, both from 0."""


class Layer(NamedTuple):
    """Weights of one layer. A matrix is multiplied from the right: ``x @ W_Q``."""

    attention_norm: NDArray  # (d_model,)
    W_Q: NDArray  # (d_model, h * d_k)
    W_K: NDArray  # (d_model, g * d_k)
    W_V: NDArray  # (d_model, g * d_k)
    W_O: NDArray  # (h * d_k, d_model)
    feed_forward_norm: NDArray  # (d_model,)
    W_gate: NDArray  # (d_model, d_hidden)
    W_up: NDArray  # (d_model, d_hidden)
    W_down: NDArray  # (d_hidden, d_model)


@dataclass(frozen=True)
class Knobs:
    """Changes to a run of the model. Without arguments nothing is changed."""

    # Factor beta of the logits, beta * (q . k) / sqrt(d_k): broadcasts to (layers, h).
    sharpness: ArrayLike = 1.0
    # Outputs that replace the output of a head: 0 switches the head off, a vector
    # (d_k,) is for all tokens, an array (n, d_k) may be from another text (patching).
    outputs: Mapping[Head, ArrayLike] = field(default_factory=dict)
    # Output matrices that replace W_O, by layer.
    W_O: Mapping[int, NDArray] = field(default_factory=dict)


AS_IT_IS = Knobs()


@dataclass(frozen=True)
class Reading:
    """Arrays of one run of the model: `last`, and the arrays that `keep` names."""

    last: NDArray  # (n, d_model): after the last layer
    # Lists with an array for each layer that ran; empty unless `keep` names the list:
    vectors: list[NDArray] = field(default_factory=list)  # (n, d_model), input
    scores: list[NDArray] = field(default_factory=list)  # (h, n, m), beta * (q . k)
    weights: list[NDArray] = field(default_factory=list)  # (h, n, m)
    outputs: list[NDArray] = field(default_factory=list)  # (h, n, d_k), before W_O


@dataclass(frozen=True)
class Model:
    """The weights of the model, and three numbers that the shapes do not give."""

    embedding: NDArray  # (words, d_model): input vectors, and table of the scores
    layers: Sequence[Layer]
    last_norm: NDArray  # (d_model,)
    d_k: int = 64
    base: float = 100_000.0  # of the rotary positions
    epsilon: float = 1e-5  # of the norms

    def caches(self) -> list[KeyValueCache]:
        """Return an empty cache for each layer."""
        return [KeyValueCache() for _ in self.layers]

    def read(
        self,
        tokens: Sequence[int],
        knobs: Knobs = AS_IT_IS,
        *,
        keep: Collection[str] = (),
        caches: Sequence[KeyValueCache] | None = None,
        first: int = 0,
        vectors: NDArray | None = None,
    ) -> Reading:
        """Return the arrays of a run of the model on tokens.

        Parameters
        ----------
        tokens : sequence of int, length n
        knobs : Knobs
        keep : collection of {"vectors", "weights", "scores", "outputs"}
            The arrays that the reading holds besides `last`.
        caches : sequence of KeyValueCache, optional
            One cache for each layer, with the keys and values of earlier tokens. The
            keys and values of `tokens` are appended.
        first : int
            The layer to begin with, if its input `vectors` is known: a change in layer
            20 needs no second run of the 20 layers below.
        vectors : ndarray, shape (n, d_model), optional
            The vectors that enter the layer `first`. Default: the embeddings.

        Returns
        -------
        Reading
        """
        recorded: dict[str, list[NDArray]] = {name: [] for name in keep}
        x = self.embedding[np.asarray(tokens)] if vectors is None else vectors
        # the last cache, because layers before `first` add no tokens to theirs
        start = len(caches[-1]) if caches else 0
        tables = rotary_table(np.arange(start, start + len(x)), self.d_k, self.base)
        cos_sin = [table.astype(np.float32) for table in tables]
        heads = self.layers[0].W_Q.shape[1] // self.d_k
        sharpness = np.broadcast_to(
            np.asarray(knobs.sharpness, np.float32), (len(self.layers), heads)
        )
        for i in range(first, len(self.layers)):
            layer = self.layers[i]
            if "vectors" in recorded:
                recorded["vectors"].append(x)
            q, k, v = self._queries_keys_values(layer, x, cos_sin)
            q = q * sharpness[i][:, None, None]
            if caches:
                k, v = caches[i].append(k, v)
            z = self._attend(q, k, v, recorded)  # (h, n, d_k)
            for (of_layer, head), output in knobs.outputs.items():
                if of_layer == i:
                    z[head] = output
            if "outputs" in recorded:
                recorded["outputs"].append(z)
            x = x + merge_heads(z) @ knobs.W_O.get(i, layer.W_O)
            x = self._feed_forward(layer, x)
        return Reading(x, **recorded)

    def scores_of_words(self, vectors: NDArray) -> NDArray:
        """Return the scores of the next word piece, from rows of `Reading.last`."""
        return self._norm(vectors, self.last_norm) @ self.embedding.T

    def losses(
        self, tokens: Sequence[int], knobs: Knobs = AS_IT_IS, **begin: object
    ) -> NDArray:
        """Return the loss of each token except the first: -ln of its probability.

        `begin` may hold `first` and `vectors`, as in `read`.
        """
        last = self.read(tokens, knobs, **begin).last  # type: ignore[arg-type]
        scores = self.scores_of_words(last[:-1])
        right_scores = scores[np.arange(len(scores)), tokens[1:]]
        top = scores.max(axis=-1)
        total = np.exp(scores - top[:, None]).sum(axis=-1, dtype=np.float64)
        return np.log(total) + top - right_scores

    def go_on(
        self, tokens: Sequence[int], count: int, knobs: Knobs = AS_IT_IS
    ) -> list[int]:
        """Return the next `count` tokens; each is the token with the highest score."""
        caches, new, text = self.caches(), list(tokens), []
        for _ in range(count):
            last = self.read(new, knobs, caches=caches).last[-1]
            new = [int(self.scores_of_words(last).argmax())]
            text += new
        return text

    def _queries_keys_values(
        self, layer: Layer, x: NDArray, cos_sin: list[NDArray]
    ) -> tuple[NDArray, NDArray, NDArray]:
        """Return all heads' queries and keys, rotated by position, and values."""
        x = self._norm(x, layer.attention_norm)
        q, k, v = (
            split_heads(x @ matrix, matrix.shape[1] // self.d_k)
            for matrix in (layer.W_Q, layer.W_K, layer.W_V)
        )
        q, k = (rotary_embedding(a, *cos_sin, interleaved=True) for a in (q, k))
        return q, k, v

    def _attend(
        self, q: NDArray, k: NDArray, v: NDArray, recorded: dict[str, list[NDArray]]
    ) -> NDArray:
        """Return the heads' outputs; append scores and weights if recorded."""
        options = {"is_causal": True, "enable_gqa": True, "alignment": "bottom-right"}
        wanted = {"weights", "scores"} & recorded.keys()
        if not wanted:
            return scaled_dot_product_attention(q, k, v, **options)
        trace = trace_attention(q, k, v, **options)
        for name in wanted:
            recorded[name].append(getattr(trace, name))
        return trace.output.copy()  # `read` writes into it

    def _feed_forward(self, layer: Layer, x: NDArray) -> NDArray:
        """Return the vectors plus the output of the feed-forward network, a SwiGLU."""
        normed = self._norm(x, layer.feed_forward_norm)
        gate = normed @ layer.W_gate
        hidden = gate / (1 + np.exp(-gate)) * (normed @ layer.W_up)
        return x + hidden @ layer.W_down

    def _norm(self, x: NDArray, gain: NDArray) -> NDArray:
        """Return each vector divided by its root mean square, times `gain`."""
        mean_square = (x * x).mean(axis=-1, keepdims=True)
        return x / np.sqrt(mean_square + np.float32(self.epsilon)) * gain


def probabilities(scores: NDArray, sharpness: float = 1.0) -> NDArray:
    """Return the probabilities of the next word; the temperature is 1 / sharpness."""
    return softmax(sharpness * scores.astype(np.float64))
