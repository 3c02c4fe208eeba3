"""Attention maps of chapter 9's model for sixteen sentences, one byte for each weight.

``python -m course.chapters.a_real_model.campaigns sentences`` writes the maps.
"""

import base64
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course.kit.arrays import Array
from transformer.stored_files import read_table, write_table

FOLDER = Path(__file__).parent
LAYERS, HEADS = 30, 9
SENTENCES = {
    "cat": "The cat sat on the mat because it was tired",
    "mat": "The cat sat on the mat because it was soft",
    "apple": "I bought apple to eat",
    "king": "The king spoke and the queen listened to him",
    "football": "The football player kicked the ball over the goal",
    "river": "We sat on the bank of the river",
    "money": "She took the money to the bank",
    "street": "The animal did not cross the street because it was too tired",
    "france": "The capital of France is Paris and of Italy it is",
    "numbers": "one two three four one two three four one",
    "names": "Anna gave Tom a book and Tom gave Anna",
    "quotes": "“Come in,” she said, “and close the",
    "code": "x = [1, 2, 3,",
    "french": "Le chat est sur la",
    "list": "red, green, blue, red, green,",
    "once": "Once upon a time there was a little",
}
"""Sentences by name. For each, 270 maps are stored: one for each head."""

_BYTE = 255


def pack(weights: Array) -> bytes:
    """Pack maps of shape (layers, heads, n, n): their lower triangles, row by row."""
    rows, keys = np.tril_indices(weights.shape[-1])
    return np.rint(weights[..., rows, keys] * _BYTE).astype(np.uint8).tobytes()


def unpack(packed: bytes, n: int) -> Array:
    """Return the maps of `n` tokens that `pack` packed; a weight is right to 0.002."""
    rows, keys = np.tril_indices(n)
    flat = np.frombuffer(packed, np.uint8) / _BYTE
    weights = np.zeros((LAYERS, HEADS, n, n))
    weights[..., rows, keys] = flat.reshape(LAYERS, HEADS, -1)
    return weights


class Stored(NamedTuple):
    """Tokens (`words`), likely next words with their chances, and packed maps."""

    words: list[str]
    next_words: list[str]
    chances: list[float]
    packed: bytes

    @property
    def weights(self) -> Array:
        """The maps, shape (layers, heads, n, n)."""
        return unpack(self.packed, len(self.words))


def write(name: str, results: Stored) -> None:
    """Store the results of a sentence under its name in `SENTENCES`."""
    row = {
        "words": "|".join(results.words),
        "next_words": "|".join(results.next_words),
        "chances": " ".join(f"{chance:.4f}" for chance in results.chances),
        "packed": base64.b64encode(results.packed).decode(),
    }
    write_table(FOLDER / f"{name}.csv", [row])


@cache
def stored(name: str) -> Stored:
    """Return the stored results of a sentence, by its name in `SENTENCES`."""
    (row,) = read_table(FOLDER / f"{name}.csv")
    return Stored(
        row["words"].split("|"),
        row["next_words"].split("|"),
        [float(chance) for chance in row["chances"].split()],
        base64.b64decode(row["packed"]),
    )
