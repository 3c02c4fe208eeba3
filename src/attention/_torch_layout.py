"""A layer's weights in the layout of PyTorch's ``nn.MultiheadAttention``, and back.

In PyTorch a matrix multiplies from the left. The heads are blocks of rows of the query,
key and value matrices, and blocks of columns of the output matrix. If the first three
matrices are all square, they are stacked into one.
``E`` is PyTorch's ``embed_dim``, which is ``d_model``, ``h * d_k`` and ``h * d_v``.
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
    """Return the weights of a state dict by their names in `MultiHeadAttention`."""
    arrays = state_dict_of(state_dict, AXES, prefix)
    W_O = arrays["out_proj.weight"]
    h = heads("out_proj.weight", num_heads, W_O.shape)
    if "in_proj_weight" in arrays:
        matrices = np.split(arrays["in_proj_weight"], 3)
    else:
        matrices = [arrays[f"{letter}_proj_weight"] for letter in "qkv"]
    d = len(W_O) // h  # E / h
    W_Q, W_K, W_V = (W.reshape(h, d, W.shape[1]).swapaxes(1, 2) for W in matrices)
    weights = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O.T}
    if "out_proj.bias" in arrays:
        weights["b_O"] = arrays["out_proj.bias"]
    if "in_proj_bias" in arrays:
        biases = arrays["in_proj_bias"].reshape(3, h, d)
        weights["b_Q"], weights["b_K"], weights["b_V"] = biases
    for name in ("bias_k", "bias_v"):
        if name in arrays:
            weights[name] = arrays[name].reshape(h, d)
    return weights


def stack_heads(W: NDArray) -> NDArray:
    """Return the matrices (h, d, E / h) of the heads as blocks of rows, (E, d)."""
    h, d, width = W.shape
    return W.swapaxes(1, 2).reshape(h * width, d)


def to_state_dict(weights: dict[str, NDArray]) -> dict[str, NDArray]:
    """Return weights, given by their names in `MultiHeadAttention`, as a state dict."""
    h, d_model, d_k = weights["W_Q"].shape
    square(h, d_model, d_k, weights["W_V"].shape[2])
    arrays = {
        f"{role.lower()}_proj_weight": stack_heads(weights[f"W_{role}"])
        for role in "QKV"
    }
    if all(W.shape == (d_model, d_model) for W in arrays.values()):
        arrays = {"in_proj_weight": np.concatenate([*arrays.values()])}
    biases = [f"b_{role}" for role in "QKVO"]
    if weights.keys() & set(biases):
        zeros = np.zeros(d_model, weights["W_Q"].dtype)
        *ins, out = (weights.get(name, zeros).ravel() for name in biases)
        arrays["in_proj_bias"] = np.concatenate(ins)
    for name in ("bias_k", "bias_v"):
        if name in weights:
            arrays[name] = weights[name].reshape(1, 1, d_model)
    arrays["out_proj.weight"] = weights["W_O"].T
    if "in_proj_bias" in arrays:
        arrays["out_proj.bias"] = out
    return {name: array.copy() for name, array in arrays.items()}
