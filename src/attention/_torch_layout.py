"""The weights of a layer as PyTorch's ``nn.MultiheadAttention`` keeps them, and back.

There a matrix multiplies from the left, the heads are blocks of its rows, and those of
queries, keys and values are stacked where all three are square. ``E`` is its name for
``d_model``, which is ``h * d_k`` and ``h * d_v`` there.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention._checks.layers import heads, square, state_dict_of

AXES = {
    "out_proj.weight": "(E, E)",
    "in_proj_weight": "(3 * E, E)",
    "q_proj_weight": "(E, E)",
    "k_proj_weight": "(E, kdim)",
    "v_proj_weight": "(E, vdim)",
    "in_proj_bias": "(3 * E)",
    "out_proj.bias": "(E)",
    "bias_k": "(1, 1, E)",
    "bias_v": "(1, 1, E)",
}


def from_state_dict(
    state_dict: Mapping[str, ArrayLike], num_heads: int, prefix: str
) -> dict[str, NDArray]:
    """Return the weights by their names in `MultiHeadAttention`."""
    arrays = state_dict_of(state_dict, AXES, prefix)
    W_O = arrays["out_proj.weight"]
    h = heads("out_proj.weight", num_heads, W_O.shape)
    if "in_proj_weight" in arrays:
        matrices = np.split(arrays["in_proj_weight"], 3)
    else:
        matrices = [arrays[f"{letter}_proj_weight"] for letter in "qkv"]
    weights = {"W_O": W_O.T}
    if "out_proj.bias" in arrays:
        weights["b_O"] = arrays["out_proj.bias"]
    for role, W in zip("QKV", matrices, strict=True):
        rows = W.reshape(h, -1, W.shape[1])  # (E, d) -> (h, E / h, d)
        weights[f"W_{role}"] = np.swapaxes(rows, 1, 2)
    if "in_proj_bias" in arrays:
        biases = arrays["in_proj_bias"].reshape(3, h, -1)  # (3 * E,) -> (3, h, E / h)
        weights.update(zip(("b_Q", "b_K", "b_V"), biases, strict=True))
    for name in arrays.keys() & {"bias_k", "bias_v"}:
        weights[name] = arrays[name].reshape(h, -1)  # (1, 1, E) -> (h, E / h)
    return weights


def to_state_dict(weights: dict[str, NDArray]) -> dict[str, NDArray]:
    """Return the state dict of weights by their names in `MultiHeadAttention`."""
    h, d_model, d_k = weights["W_Q"].shape
    square(h, d_model, d_k, weights["W_V"].shape[2])
    arrays = {}
    matrices = [
        np.swapaxes(weights[f"W_{role}"], 1, 2).reshape(d_model, -1) for role in "QKV"
    ]
    if all(W.shape == (d_model, d_model) for W in matrices):
        arrays["in_proj_weight"] = np.concatenate(matrices)
    else:
        names = (f"{letter}_proj_weight" for letter in "qkv")
        arrays.update(zip(names, matrices, strict=True))
    biases = [f"b_{role}" for role in "QKVO"]
    if weights.keys() & set(biases):
        none = np.zeros(d_model, weights["W_Q"].dtype)
        *ins, out = (weights.get(name, none).reshape(-1) for name in biases)
        arrays["in_proj_bias"] = np.concatenate(ins)
    for name in weights.keys() & {"bias_k", "bias_v"}:
        arrays[name] = weights[name].reshape(1, 1, -1)
    arrays["out_proj.weight"] = weights["W_O"].T
    if "in_proj_bias" in arrays:
        arrays["out_proj.bias"] = out
    return {name: array.copy() for name, array in arrays.items()}
