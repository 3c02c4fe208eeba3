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


# --- And back -------------------------------------------------------------------------


class Bits:
    """Takes bits from the front."""

    def __init__(self, bits: str) -> None:
        self.bits, self.at = bits, 0

    def take(self, count: int) -> str:
        self.at += count
        assert self.at <= len(self.bits)
        return self.bits[self.at - count : self.at]

    def whole(self, order: int) -> int:
        zeros = 0
        while self.take(1) == "0":
            zeros += 1
        return int("1" + self.take(zeros + order), 2) - (1 << order)

    def flag(self) -> bool:
        return self.take(1) == "1"

    def values(self, *shape: int) -> np.ndarray:
        count = int(np.prod(shape))
        together = self.flag()
        if together and self.flag():
            words = (int(self.take(64), 2).to_bytes(8) for _ in range(count))
            return np.array([struct.unpack(">d", w)[0] for w in words]).reshape(shape)
        places = self.whole(2)
        if together:
            base = self.whole(16) + 1
            length = (base**count - 1).bit_length()
            number = int(self.take(length) or "0", 2)
            counts = [number // base**place % base for place in range(count)]
        else:
            order = self.whole(2)
            counts = [self.whole(order) for _ in range(count)]
        wholes = ((c + 1) // 2 if c % 2 else -c // 2 for c in counts)
        return np.array([float(f"{whole}e-{places}") for whole in wholes]).reshape(
            shape
        )


def read(text: str) -> WorksheetInputs:
    """Read what `written` wrote."""
    assert text[0] == "1"
    assert proof(text[:-3]) == text[-3:]
    bits = Bits("".join(f"{LETTERS.index(letter):06b}" for letter in text[1:-3]))
    n, d_model, d_k, d_v, heads = (bits.whole(2) + 1 for _ in range(5))
    causal, projects = bits.flag(), bits.flag()
    padding = [bits.flag() for _ in range(n)]
    names = [
        bytes(int(bits.take(8), 2) for _ in range(bits.whole(2))) for _ in range(n)
    ]
    return WorksheetInputs(
        [name.decode() for name in names],
        bits.values(n, d_model),
        *(bits.values(heads, d_model, width) for width in (d_k, d_k, d_v)),
        bits.values(heads * d_v, d_model) if projects else None,
        causal=causal,
        padding=padding,
    )
