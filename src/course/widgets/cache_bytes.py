"""Bytes of a key-value cache, for three ways to share heads of keys."""

from typing import Any

import traitlets as t

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.contract import choice, ratios, sent, slider

WIDTH = 128
SHARED = 8
MEMORY = 80e9
SIZES = (4, 2, 1)
ROWS = ("own keys", f"{SHARED} share", "all share")


class CacheBytes(Card):
    """Set the sizes of a model and see the bytes of its cache.

    Attributes
    ----------
    layers, heads, n : int
        Layers, query heads in a layer, and words in the cache.
    precision : int
        Index into `SIZES`, the bytes of one number.
    """

    _esm = bundle("cache_bytes.js")
    _css = stylesheet()

    sentences = (
        Sentence(
            "one",
            "One query head has one head of keys in each row. The cache takes {own} "
            "bytes.",
            lambda fact: fact["heads"] == 1,
        ),
        Sentence(
            "fits",
            "If each query head has its own keys, the cache takes {own} bytes. A "
            "memory of 80 GB holds {texts} such texts.",
            lambda fact: fact["heads"] > 1 and fact["own_bytes"] <= MEMORY,
        ),
        Sentence(
            "larger",
            "If each query head has its own keys, the cache takes {own} bytes. This is "
            "more than a memory of 80 GB holds.",
            lambda fact: fact["heads"] > 1 and fact["own_bytes"] > MEMORY,
        ),
    )

    title = sent(t.Unicode("Bytes of a cache"))
    layers = slider(32, ratios(1, 128, 2), "Layers", "L")
    heads = slider(32, ratios(1, 128, 2), "Query heads", "h")
    n = slider(4096, ratios(1, 2**20, 1), "Words", "n")
    precision = choice(
        1, [f"{b} byte{'s' * (b > 1)}" for b in SIZES], "Each number takes"
    )
    given = sent(
        t.Dict(
            {
                "width": WIDTH,
                "shared": SHARED,
                "sizes": SIZES,
                "rows": ROWS,
                "memory": MEMORY,
            },
            read_only=True,
        )
    )

    def numbers(self) -> dict[str, Any]:
        """Return the bytes of the three caches, and their shares of the largest.

        Returns
        -------
        dict
            ``bytes`` by name: ``own``, ``grouped`` and ``single``; ``shares`` (3,).
        """
        numbers_of_a_head = 2 * self.layers * WIDTH * self.n
        heads = (self.heads, -(-self.heads // SHARED), 1)
        size = SIZES[self.precision]
        found = [count * numbers_of_a_head * size for count in heads]
        return {
            "bytes": dict(zip(("own", "grouped", "single"), found, strict=True)),
            "shares": [each / found[0] for each in found],
        }

    def facts(self) -> dict[str, Any]:
        """Return the bytes of the largest cache, and how many fit into the memory."""
        own = self.numbers()["bytes"]["own"]
        return {
            "own_bytes": own,
            "own": f"{own:,}",
            "texts": f"{int(MEMORY // own):,}",
        }

    def pictures(self) -> list[str]:
        """Draw the three caches as shares of the largest."""
        return [bars(ROWS, self.numbers()["shares"], role="key")]
