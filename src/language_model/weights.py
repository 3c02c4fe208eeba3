"""Reads the model's weights from a GGUF file.

The file stores most weights in 4 or 8 bits with a factor for each block of 32. This
module expands the weights to single precision: 98 MB become 540 MB.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from language_model.fetch import found
from language_model.model import Layer, Model
from language_model.tokens import Pieces

if TYPE_CHECKING:
    from gguf import GGUFReader

NEEDS = (
    "The model's file is read by two packages that are not installed: "
    'pip install "attention-by-hand[model]"'
)
NAMES = {  # fields of `Layer`, and their names in the file
    "attention_norm": "attn_norm",
    "W_Q": "attn_q",
    "W_K": "attn_k",
    "W_V": "attn_v",
    "W_O": "attn_output",
    "feed_forward_norm": "ffn_norm",
    "W_gate": "ffn_gate",
    "W_up": "ffn_up",
    "W_down": "ffn_down",
}


def load(path: Path | None = None) -> tuple[Model, Pieces]:
    """Return the model and its word pieces; reading takes some seconds.

    Without a `path` the GGUF file is where `language_model.fetch` put it.
    """
    path = path or found()
    try:
        from gguf import GGUFReader

        reader = GGUFReader(path)
        return model_of(reader), pieces_of(reader)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(NEEDS) from missing


def model_of(reader: "GGUFReader") -> Model:
    """Return the model in an open file."""
    from gguf.quants import dequantize

    arrays = {}
    for tensor in reader.tensors:
        shape = tuple(int(size) for size in reversed(tensor.shape))
        array = dequantize(tensor.data, tensor.tensor_type)
        arrays[tensor.name] = array.astype(np.float32, copy=False).reshape(shape)

    def of_layer(i: int, name: str) -> NDArray:
        # The matrices of the file are for W @ x, the matrices of `Layer` for x @ W.
        return arrays[f"blk.{i}.{name}.weight"].T

    def metadata(name: str) -> float:
        return reader.fields[f"llama.{name}"].contents()

    return Model(
        embedding=arrays["token_embd.weight"],
        layers=[
            Layer(**{field: of_layer(i, name) for field, name in NAMES.items()})
            for i in range(int(metadata("block_count")))
        ],
        last_norm=arrays["output_norm.weight"],
        d_k=int(metadata("rope.dimension_count")),
        base=float(metadata("rope.freq_base")),
        epsilon=float(metadata("attention.layer_norm_rms_epsilon")),
    )


def pieces_of(reader: "GGUFReader") -> Pieces:
    """Return the word pieces in an open file."""
    names = ("tokens", "merges", "token_type")
    return Pieces(
        *(reader.fields[f"tokenizer.ggml.{name}"].contents() for name in names)
    )
