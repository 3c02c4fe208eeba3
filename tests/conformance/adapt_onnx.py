"""ONNX's operators as calls of `attention`: names, layouts and defaults, no arithmetic.

Each function takes a node's inputs, by name, and its attributes, and returns its
outputs, by name.
"""

import numpy as np

from attention import (
    KeyValueCache,
    log_softmax,
    merge_heads,
    rotary_embedding,
    scaled_dot_product_attention,
    softmax,
    split_heads,
    trace_attention,
)

DOUBLE = 11  # in ONNX's TensorProto.DataType


def attention(inputs, attributes):
    """Return the outputs of `Attention`, opset 23 to 25."""
    query, key, value = (inputs[name] for name in "QKV")
    packed = query.ndim == 3
    if packed:
        h, kv_heads = attributes["q_num_heads"], attributes["kv_num_heads"]
        query = split_heads(query, h)
        key, value = split_heads(key, kv_heads), split_heads(value, kv_heads)
    options = {
        "scale": attributes.get("scale"),
        "softcap": attributes.get("softcap") or None,  # in ONNX 0 means no softcap
        "enable_gqa": query.shape[1] != key.shape[1],
    }
    mask, sides = inputs.get("attn_mask"), window(attributes)
    if "past_key" in inputs:
        cache, past = KeyValueCache(), inputs["past_key"].shape[-2]
        cache.append(inputs["past_key"], inputs["past_value"])
        key, value = cache.append(key, value)
        mask = padded(mask, key.shape[-2])
        mask = after_the_past(mask, past, query.shape[-2], key.shape[-2], sides)
    else:
        mask = padded(mask, key.shape[-2])
        options["local_window_size"] = sides
    if "nonpad_kv_seqlen" in inputs:
        options["key_value_seq_lengths"] = inputs["nonpad_kv_seqlen"][:, None]
        options["alignment"] = "bottom-right"
    arrays = (query, key, value)
    if attributes.get("softmax_precision") == DOUBLE:  # we never use less than float32
        arrays = tuple(array.astype(np.float64) for array in arrays)
    output = scaled_dot_product_attention(*arrays, mask, **options)
    return {
        "Y": (merge_heads(output) if packed else output).astype(query.dtype),
        "present_key": key,
        "present_value": value,
        "qk_matmul_output": step(attributes, arrays, mask, options).astype(query.dtype),
    }


def window(attributes):
    """Return how many keys a query sees on each side; causal means 0 to the right."""
    left, right = (
        None if (side := attributes.get(f"{name}_window_size", -1)) < 0 else side
        for name in ("left", "right")
    )
    return left, 0 if attributes.get("is_causal") else right


def after_the_past(mask, past, n, m, sides):
    """Return a mask for queries that stand directly after the past keys.

    More keys may follow; `attention` has no option for this alignment.
    """
    left, right = sides
    i, j = np.ogrid[past : past + n, :m]
    seen = (j >= i - (m if left is None else left)) & (
        j <= i + (m if right is None else right)
    )
    if mask is None or mask.dtype == bool:
        return seen if mask is None else mask & seen
    return np.where(seen, mask, np.array(-np.inf, mask.dtype))


def padded(mask, m):
    """Return the mask extended to `m` keys; the added keys are hidden."""
    if mask is None:
        return None
    rest = [(0, 0)] * (mask.ndim - 1) + [(0, m - mask.shape[-1])]
    return np.pad(mask, rest, constant_values=False if mask.dtype == bool else -np.inf)


def step(attributes, arrays, mask, options):
    """Return `qk_matmul_output`: the intermediate result that the mode selects."""
    mode = attributes.get("qk_matmul_output_mode", 0)
    if mode == 1:  # capped, not masked
        kept = {name: options[name] for name in ("scale", "softcap", "enable_gqa")}
        return trace_attention(*arrays, **kept).logits
    trace = trace_attention(*arrays, mask, **options)
    return {0: trace.scaled, 2: trace.logits, 3: trace.weights}[mode]


def rotary(inputs, attributes):
    """Return the output of `RotaryEmbedding`, opset 23."""
    x, cos, sin = (inputs[name] for name in ("input", "cos_cache", "sin_cache"))
    if "position_ids" in inputs:
        cos, sin = cos[inputs["position_ids"]], sin[inputs["position_ids"]]
    heads = split_heads(x, attributes["num_heads"]) if x.ndim == 3 else x
    rotated = rotary_embedding(
        heads,
        cos[:, None],
        sin[:, None],
        interleaved=bool(attributes.get("interleaved", 0)),
    )
    return {"output": merge_heads(rotated) if x.ndim == 3 else rotated}


OPERATORS = {
    "Attention": attention,
    "RotaryEmbedding": rotary,
    "Softmax": lambda inputs, a: {"y": softmax(inputs["x"], a.get("axis", -1))},
    "LogSoftmax": lambda inputs, a: {"y": log_softmax(inputs["x"], a.get("axis", -1))},
}
