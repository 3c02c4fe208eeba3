"""A sheet as the text of its address: what worksheet/link.js does, again in Python."""

import struct
from decimal import Decimal

import numpy as np

from course.widgets.worksheet.inputs import WorksheetInputs

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def proof(text: str) -> str:
    value = 0x811C9DC5
    for character in text:
        value = (value ^ ord(character)) * 0x01000193 & 0xFFFFFFFF
    value ^= value >> 18
    return "".join(LETTERS[value >> shift & 63] for shift in (12, 6, 0))


def golomb(value: int, order: int) -> str:
    bits = f"{value + (1 << order):b}"
    return "0" * (len(bits) - 1 - order) + bits


def one_by_one(counts: list[int], places: int) -> str:
    order = min(sorted(counts)[len(counts) // 2].bit_length(), 63)
    body = "".join(golomb(count, order) for count in counts)
    return golomb(places, 2) + golomb(order, 2) + body


def as_one(counts: list[int], places: int) -> str:
    base = max(counts) + 1
    number = sum(count * base**place for place, count in enumerate(counts))
    length = (base ** len(counts) - 1).bit_length()
    body = f"{number:0{length}b}" if length else ""
    return golomb(places, 2) + golomb(max(counts), 16) + body


def list_bits(values: np.ndarray) -> str:
    floats = "11" + "".join(f"{b:08b}" for x in values for b in struct.pack(">d", x))
    if np.any((values == 0) & np.signbit(values)):
        return floats
    numbers = [Decimal(repr(float(x))).normalize() for x in values]
    places = max(0, *(-x.as_tuple().exponent for x in numbers))
    wholes = [int(x.scaleb(places)) for x in numbers]
    counts = [2 * w - 1 if w > 0 else -2 * w for w in wholes]
    options = [f"0{one_by_one(counts, places)}", f"10{as_one(counts, places)}", floats]
    return min(options, key=len)


def written(inputs: WorksheetInputs) -> str:
    """Write a worksheet's inputs as a text."""
    size = inputs.sizes
    bits = [
        golomb(size[name] - 1, 2)
        for name in ("tokens", "d_model", "d_k", "d_v", "heads")
    ]
    flags = (inputs.causal, inputs.W_O is not None, *inputs.padding)
    bits.extend("1" if flag else "0" for flag in flags)
    for token in inputs.tokens:
        named = token.encode()
        bits.append(golomb(len(named), 2) + "".join(f"{byte:08b}" for byte in named))
    lists = (inputs.X, inputs.W_Q, inputs.W_K, inputs.W_V, inputs.W_O)
    bits.extend(list_bits(values.ravel()) for values in lists if values is not None)
    joined = "".join(bits)
    joined += "0" * (-len(joined) % 6)
    letters = (LETTERS[int(joined[at : at + 6], 2)] for at in range(0, len(joined), 6))
    text = "1" + "".join(letters)
    return text + proof(text)
