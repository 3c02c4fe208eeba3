"""PyTorch's attention as calls of `attention`: names and layouts, no arithmetic."""

import numpy as np

from attention import (
    MultiHeadAttention,
    scaled_dot_product_attention,
    scaled_dot_product_attention_gradients,
)

# The positional parameters of torch.nn.functional.multi_head_attention_forward.
PARAMETERS = (
    *("query", "key", "value", "embed_dim_to_check", "num_heads"),
    *("in_proj_weight", "in_proj_bias", "bias_k", "bias_v", "add_zero_attn"),
    *("dropout_p", "out_proj.weight", "out_proj.bias"),
)
PROJECTIONS = ("q_proj_weight", "k_proj_weight", "v_proj_weight")


def array(tensor):
    """Return a tensor as an array, and any other value unchanged."""
    return tensor.detach().numpy() if hasattr(tensor, "detach") else tensor


def dot_product(*arrays, dropout_p, **options):
    """Return our output for PyTorch's `scaled_dot_product_attention` arguments."""
    assert dropout_p == 0
    return scaled_dot_product_attention(*arrays, **options)


def dot_product_gradients(d_output, *arrays, dropout_p, **options):
    """Return the gradients of `dot_product` with respect to query, key and value."""
    assert dropout_p == 0
    return scaled_dot_product_attention_gradients(d_output, *arrays, **options)[:3]


def functional(*positional, attn_mask, use_separate_proj_weight, training, **named):
    """Return output and mean weights like PyTorch's `multi_head_attention_forward`."""
    given = dict(zip(PARAMETERS, positional, strict=True)) | named
    assert given["dropout_p"] == 0
    assert not training
    assert use_separate_proj_weight == (given["in_proj_weight"] is None)
    names = ("in_proj_bias", "bias_k", "bias_v", "out_proj.weight", "out_proj.bias")
    state = {
        name: given[name]
        for name in ("in_proj_weight", *PROJECTIONS, *names)
        if given[name] is not None
    }
    for name in ("bias_k", "bias_v"):
        state[name] = state[name].reshape(1, 1, -1)  # flat in a call, not in a layer
    arrays = [given[name] for name in ("query", "key", "value")]
    return layer(
        state, given["num_heads"], given["add_zero_attn"], arrays, None, attn_mask
    )


def layer(
    state_dict,
    num_heads,
    add_zero_attn,
    arrays,
    key_padding_mask,
    attn_mask,
    batch_first=False,
):
    """Return output and mean weights like `torch.nn.MultiheadAttention`.

    Without `batch_first` the axis of tokens stands before the axis of the batch.
    """
    moved = len(arrays[0].shape) == 3 and not batch_first
    query, key, value = (np.swapaxes(a, 0, 1) if moved else a for a in arrays)
    trace = MultiHeadAttention.from_torch(state_dict, num_heads, add_zero_attn).trace(
        query,
        key,
        values=value,
        attn_mask=mask(query, num_heads, key_padding_mask, attn_mask),
    )
    weights = np.mean([head.weights for head in trace.heads], axis=0)
    return np.swapaxes(trace.output, 0, 1) if moved else trace.output, weights


def mask(query, num_heads, key_padding_mask, attn_mask):
    """Return PyTorch's two masks as one. In PyTorch's masks True *hides* a key.

    A mask of three dimensions has batch and heads in one axis.
    """
    masks = []
    if attn_mask is not None:
        if attn_mask.ndim == 3:
            batch = (query.shape[0],) if query.ndim == 3 else ()
            attn_mask = attn_mask.reshape(*batch, num_heads, *attn_mask.shape[1:])
        masks.append(~attn_mask if attn_mask.dtype == bool else attn_mask)
    if key_padding_mask is not None:
        padding = key_padding_mask  # (..., m) -> (..., 1, 1, m)
        masks.append(~padding[..., None, None, :])
    if len(masks) < 2:
        return masks[0] if masks else None
    return np.logical_and(*masks)
