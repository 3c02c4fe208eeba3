"""A GGUF file of random weights, with the layer and head counts of the real model.

The code that writes the file shares no code with the course's readers. `_arrays` holds
the unpacked numbers of each matrix.
"""

import struct

import numpy as np

from language_model.model import Layer, Model

LAYERS, HEADS, GROUPS, WIDTH, D_MODEL, HIDDEN = 30, 9, 3, 32, 64, 96
BASE, EPSILON = 1000.0, 1e-5
F32, Q4, Q8 = 0, 3, 8
BLOCKS = {  # of 32 numbers
    Q4: [("factor", "<f2"), ("least", "<f2"), ("pairs", "u1", 16)],
    Q8: [("factor", "<f2"), ("whole", "i1", 32)],
}
U32, FLOAT, TEXT, LIST = 4, 6, 8, 9  # types of metadata values
NORMAL, SPECIAL = 1, 3

# A printable byte is its own letter; other bytes get the letters from U+0100 on.
PRINTS = [*range(33, 127), *range(161, 173), *range(174, 256)]
OTHERS = [b for b in range(256) if b not in PRINTS]
LETTERS = {b: chr(b) for b in PRINTS} | {b: chr(256 + i) for i, b in enumerate(OTHERS)}
MERGES = ["t h", "th e", "Ġ the", "Ġ c", "2 2", "a t", "Ġc at"]
TOKENS = [*LETTERS.values(), *(m.replace(" ", "") for m in MERGES), "<|end|>"]
NUMBERS = {token: number for number, token in enumerate(TOKENS)}


OF_LAYER = {  # type and shape of each matrix of a layer, in the order of `Layer`
    "attn_norm": (F32, D_MODEL),
    "attn_q": (Q4, HEADS * WIDTH, D_MODEL),
    "attn_k": (Q4, GROUPS * WIDTH, D_MODEL),
    "attn_v": (Q8, GROUPS * WIDTH, D_MODEL),
    "attn_output": (Q4, D_MODEL, HEADS * WIDTH),
    "ffn_norm": (F32, D_MODEL),
    "ffn_gate": (Q4, HIDDEN, D_MODEL),
    "ffn_up": (Q4, HIDDEN, D_MODEL),
    "ffn_down": (Q8, D_MODEL, HIDDEN),
}


class TinyModel:
    """Random weights, as a GGUF file and as a NumPy model of the course."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)
        self._arrays: dict[str, np.ndarray] = {}
        self._written: list[tuple[str, tuple[int, ...], int, bytes]] = []
        self._add("token_embd", Q8, len(TOKENS), D_MODEL)
        self._add("output_norm", F32, D_MODEL)
        for i in range(LAYERS):
            for name, of in OF_LAYER.items():
                self._add(f"blk.{i}.{name}", *of)

    def _add(self, name: str, kind: int, *shape: int) -> None:
        count, rng = int(np.prod(shape)), self._rng
        if kind == F32:
            packed = values = rng.uniform(0.5, 1.5, count).astype("<f4")
        else:
            packed = np.empty((count // 32, 1), BLOCKS[kind])
            packed["factor"] = rng.uniform(0.01, 0.03, packed.shape)
            factors = packed["factor"].astype("f4")
            if kind == Q8:
                whole = rng.integers(-40, 40, (count // 32, 32))
                packed["whole"] = whole[:, np.newaxis]
                values = whole * factors
            else:
                whole = rng.integers(0, 16, (count // 32, 32))
                packed["least"] = -8 * factors
                packed["pairs"] = (whole[:, :16] | whole[:, 16:] << 4)[:, np.newaxis]
                values = whole * factors + packed["least"].astype("f4")
        self._arrays[name] = np.reshape(values, shape).astype("f4")
        self._written.append((f"{name}.weight", shape, kind, packed.tobytes()))

    def file(self) -> bytes:
        """Return the bytes of the GGUF file."""
        kinds = [SPECIAL if token == "<|end|>" else NORMAL for token in TOKENS]
        whole = {
            "block_count": LAYERS,
            "attention.head_count": HEADS,
            "attention.head_count_kv": GROUPS,
            "embedding_length": D_MODEL,
            "feed_forward_length": HIDDEN,
            "rope.dimension_count": WIDTH,
        }
        decimal = {"rope.freq_base": BASE, "attention.layer_norm_rms_epsilon": EPSILON}
        metadata = {
            **{f"llama.{name}": _u32(value) for name, value in whole.items()},
            **{f"llama.{name}": _float(value) for name, value in decimal.items()},
            "tokenizer.ggml.tokens": _list(TEXT, map(_text, TOKENS)),
            "tokenizer.ggml.merges": _list(TEXT, map(_text, MERGES)),
            "tokenizer.ggml.token_type": _list(
                U32, (struct.pack("<I", k) for k in kinds)
            ),
        }
        header = struct.pack("<IIQQ", 0x46554747, 3, len(self._written), len(metadata))
        header += b"".join(_text(name) + value for name, value in metadata.items())
        body = b""
        for name, shape, kind, packed in self._written:
            header += _text(name) + struct.pack("<I", len(shape))
            header += b"".join(struct.pack("<Q", size) for size in reversed(shape))
            header += struct.pack("<IQ", kind, len(body))
            body += _padded(packed)
        return _padded(header) + body

    def model(self) -> Model:
        """Return the NumPy model that has the weights of the file."""
        arrays = self._arrays
        return Model(
            embedding=arrays["token_embd"],
            layers=[
                Layer(*(arrays[f"blk.{i}.{name}"].T for name in OF_LAYER))
                for i in range(LAYERS)
            ],
            last_norm=arrays["output_norm"],
            d_k=WIDTH,
            base=BASE,
            epsilon=EPSILON,
        )


def _u32(value: int) -> bytes:
    return struct.pack("<II", U32, value)


def _float(value: float) -> bytes:
    return struct.pack("<If", FLOAT, value)


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _list(kind: int, entries) -> bytes:
    entries = list(entries)
    return struct.pack("<IIQ", LIST, kind, len(entries)) + b"".join(entries)


def _padded(part: bytes) -> bytes:
    return part + bytes(-len(part) % 32)
