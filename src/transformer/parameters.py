"""Sizes and weights of the transformer; the weights are a tree of named arrays.

A layer's weights are a dict; a stack of layers is a dict of layers. `named` lists
the leaves as ``encoder.0.self_attention.W_Q``, and `nested` builds the tree again.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from transformer.grammar import MAX_FRENCH
from transformer.vocabulary import ENGLISH, FRENCH

Tree = dict[str, "NDArray | Tree"]

MAX_LENGTH = MAX_FRENCH + 1  # words of the longest sentence, and the end mark


@dataclass(frozen=True)
class Config:
    """Sizes of the transformer, and the parts that ablations remove."""

    num_layers: int = 2  # layers of the encoder, and of the decoder; the paper has 6
    # The next three are 8, 512, 2048 in the paper. A head is d_model / num_heads wide.
    num_heads: int = 4
    d_model: int = 32
    d_ff: int = 64
    # Layer norm after the residual addition, as in the paper, or before the sublayer.
    norm: Literal["post", "pre"] = "post"
    # The position encodings that are added to the embeddings.
    positions: Literal["sinusoidal", "none"] = "sinusoidal"
    residuals: bool = True  # whether a sublayer adds to its input or replaces it
    # Whether cross-attention has learnt weights or gives all words the same weight.
    cross: Literal["attention", "mean"] = "attention"

    def __post_init__(self) -> None:
        if self.d_model % self.num_heads:
            raise ValueError(
                f"num_heads must divide d_model = {self.d_model}, got {self.num_heads}"
            )


def initial(config: Config, seed: int, dtype: type = np.float32) -> Tree:
    """Return random weights of the translator."""
    rng = np.random.default_rng(seed)
    d_model = config.d_model
    tree = {
        "english": rng.normal(0, d_model**-0.5, (len(ENGLISH), d_model)),
        "french": rng.normal(0, d_model**-0.5, (len(FRENCH), d_model)),
        "encoder": stack(config, rng, "self_attention"),
        "decoder": stack(config, rng, "self_attention", "cross_attention"),
    }
    return as_dtype(tree, dtype)


def stack(config: Config, rng: np.random.Generator, *attentions: str) -> Tree:
    """Return random layers: Xavier for matrices, 1 and 0 for norms and biases.

    The tree has a layer under "0", "1", ...; with pre-norm a last ``norm``. Each layer
    has the attention sublayers `attentions`.
    """
    d_model, d_ff, h = config.d_model, config.d_ff, config.num_heads

    def matrix(*shape: int) -> NDArray:
        """Return weights that keep a signal's size, forward and backward (Xavier)."""
        return rng.normal(0, np.sqrt(2 / (shape[-2] + shape[-1])), shape)

    def attention() -> Tree:
        # Xavier's variance belongs to the matrix of all heads side by side.
        heads = {
            name: matrix(d_model, d_model).reshape(d_model, h, -1).swapaxes(0, 1)
            for name in ("W_Q", "W_K", "W_V")
        }
        return {**heads, "W_O": matrix(d_model, d_model)}

    def feed_forward() -> Tree:
        return {
            "W_1": matrix(d_model, d_ff),
            "b_1": np.zeros(d_ff),
            "W_2": matrix(d_ff, d_model),
            "b_2": np.zeros(d_model),
        }

    def norm() -> Tree:
        return {"gain": np.ones(d_model), "bias": np.zeros(d_model)}

    def layer() -> Tree:
        parts = {name: attention() for name in attentions}
        parts["feed_forward"] = feed_forward()
        return parts | {f"{name}_norm": norm() for name in parts}

    layers = {str(i): layer() for i in range(config.num_layers)}
    return layers | ({"norm": norm()} if config.norm == "pre" else {})


def as_dtype(tree: Tree, dtype: type) -> Tree:
    """Return the tree with all its arrays in one dtype."""
    return nested({name: array.astype(dtype) for name, array in named(tree).items()})


def named(tree: Tree) -> dict[str, NDArray]:
    """Return the arrays of a tree under their full names, joined by dots."""
    leaves = {}
    for name, branch in tree.items():
        if isinstance(branch, dict):
            leaves |= {f"{name}.{rest}": leaf for rest, leaf in named(branch).items()}
        else:
            leaves[name] = branch
    return leaves


def nested(leaves: dict[str, NDArray]) -> Tree:
    """Return the tree whose leaves have these full names."""
    tree: Tree = {}
    for name, leaf in leaves.items():
        *path, last = name.split(".")
        branch = tree
        for step in path:
            branch = branch.setdefault(step, {})
        branch[last] = leaf
    return tree
