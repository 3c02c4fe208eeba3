"""Bytes of a key-value cache: keys for each head, shared keys, or a code for all."""

import math
from typing import Any

import traitlets as t

from course.kit.prose import number
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.contract import choice, ratios, sent, slider

WIDTH = 128  # entries of a key, and of a value
SHARED = 8  # query heads that share one head of keys
MEMORY = 80e9  # bytes
SIZES = (4, 2, 1)  # bytes of one number
NAMES = ("own", "grouped", "single", "code")
ROWS = ("own keys", f"groups of {SHARED}", "all share", "a code")
_GIVEN = {
    "width": WIDTH,
    "shared": SHARED,
    "sizes": SIZES,
    "rows": ROWS,
    "memory": MEMORY,
}


class CacheBytes(Card, view="cache_bytes"):
    """Set the sizes of a model and see the bytes of its cache.

    Attributes
    ----------
    layers, heads, n : int
        Layers, query heads in a layer, and words in the cache.
    precision : int
        Index into `SIZES`, the bytes of one number.
    code : int
        Numbers in the code of a word, from which all heads make keys and values.
    without_code : bool
        Whether the figure leaves the code out.
    """

    sentences = (
        Sentence(
            "code",
            "With a code of {code} numbers for each word, the cache takes {coded} "
            "bytes. This is {share} of the bytes of own keys.",
            lambda fact: not fact["without_code"],
        ),
        Sentence(
            "one",
            "One query head has one head of keys in each row. The cache takes {own} "
            "bytes.",
            lambda fact: fact["without_code"] and fact["heads"] == 1,
        ),
        Sentence(
            "fits",
            "If each query head has its own keys, the cache takes {own} bytes. A "
            "memory of 80 GB has room for {texts} of these caches.",
            lambda fact: fact["without_code"] and fact["heads"] > 1 and fact["fits"],
        ),
        Sentence(
            "larger",
            "If each query head has its own keys, the cache takes {own} bytes. This is "
            "more than a memory of 80 GB holds.",
            lambda fact: (
                fact["without_code"] and fact["heads"] > 1 and not fact["fits"]
            ),
        ),
    )

    title = sent(t.Unicode("Bytes of a cache"))
    layers = slider(32, ratios(1, 128, 2), "Layers", "L")
    heads = slider(32, ratios(1, 128, 2), "Query heads", "h")
    n = slider(4096, ratios(1, 2**20, 1), "Words", "n")
    precision = choice(
        1, [f"{b} byte{'s' * (b > 1)}" for b in SIZES], "Each number takes"
    )
    without_code = sent(t.Bool(True))
    code = slider(512, ratios(64, 4096, 2), "Numbers of a code", unless="without_code")
    given = sent(t.Dict(_GIVEN, read_only=True))

    def numbers(self) -> dict[str, Any]:
        """Return the bytes of the caches, and their shares of the largest cache."""
        key_heads = (self.heads, math.ceil(self.heads / SHARED), 1)
        counts = [2 * WIDTH * heads for heads in key_heads]  # numbers for each word
        if not self.without_code:
            counts.append(self.code)
        size = SIZES[self.precision]
        found = [self.layers * self.n * count * size for count in counts]
        return {
            "bytes": dict(zip(NAMES, found, strict=False)),
            "shares": [each / max(found) for each in found],
        }

    def facts(self) -> dict[str, Any]:
        """Return the bytes with own keys and with the code, and how many caches fit."""
        found = self.numbers()["bytes"]
        own, coded = found["own"], found.get("code", 0)
        return {
            "without_code": self.without_code,
            "coded": f"{coded:,}",
            "share": number(coded / own, 3),
            "fits": own <= MEMORY,
            "own": f"{own:,}",
            "texts": f"{int(MEMORY // own):,}",
        }

    def pictures(self) -> list[str]:
        """Draw the bytes of each cache as a share of the largest cache."""
        shares = self.numbers()["shares"]
        return [bars(ROWS[: len(shares)], shares, role="key")]
