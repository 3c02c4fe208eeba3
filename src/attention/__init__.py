"""Attention in NumPy: correct, small, and written to be read.

The functions follow the argument names and the semantics of PyTorch's
``scaled_dot_product_attention``. Axes have the same letters everywhere: ``n`` queries,
``m`` keys, ``d_k`` and ``d_v`` the widths of a key and of a value, ``h`` heads,
``d_model`` the width of a token; ``...`` stands for any leading batch axes.
"""

from attention._cache import KeyValueCache
from attention._dot_product import (
    AttentionTrace,
    scaled_dot_product_attention,
    trace_attention,
)
from attention._gradients import (
    AttentionGradients,
    scaled_dot_product_attention_gradients,
)
from attention._heads import merge_heads, split_heads
from attention._multi_head import (
    MultiHeadAttention,
    MultiHeadGradients,
    MultiHeadTrace,
)
from attention._positions import alibi, rotary_embedding, rotary_table
from attention._softmax import log_softmax, softmax

__version__ = "0.4.0"

__all__ = [
    "AttentionGradients",
    "AttentionTrace",
    "KeyValueCache",
    "MultiHeadAttention",
    "MultiHeadGradients",
    "MultiHeadTrace",
    "alibi",
    "log_softmax",
    "merge_heads",
    "rotary_embedding",
    "rotary_table",
    "scaled_dot_product_attention",
    "scaled_dot_product_attention_gradients",
    "softmax",
    "split_heads",
    "trace_attention",
]
