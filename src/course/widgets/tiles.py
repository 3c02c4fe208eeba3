"""Tiles of attention in one pass: blocks of queries against blocks of keys."""

from typing import Any

import numpy as np
import traitlets as t

from attention import softmax
from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars
from course.widgets.contract import checkbox, sent, slider

WORDS = 8
_RNG = np.random.default_rng(0)
LOGITS = 2 * _RNG.standard_normal((WORDS, WORDS))
VALUES = _RNG.random(WORDS)  # between 0 and 1


class TileMap(Card, view="tiles"):
    """Choose the size of the blocks and see which tiles are computed.

    Attributes
    ----------
    block : int
        Number of queries and of keys in a block.
    causal : bool
        Whether a word attends only to itself and to the words before it.
    """

    sentences = (
        Sentence(
            "whole",
            "One tile holds all {held} scores: the formula in one step.",
            lambda fact: fact["tiles"] == 1,
        ),
        Sentence(
            "skips",
            "{computed} of {tiles} tiles are computed. The mask skips {skipped}, "
            "because all their keys are later than their queries. Scores in memory at "
            "once: {held}.",
            lambda fact: fact["tiles"] > 1 and fact["causal"],
        ),
        Sentence(
            "all",
            "All {tiles} tiles are computed. Scores in memory at once: {held}.",
            lambda fact: fact["tiles"] > 1 and not fact["causal"],
        ),
    )

    title = sent(t.Unicode("Tiles of one pass"))
    block = slider(2, range(1, WORDS + 1), "Words in a block")
    causal = checkbox(True, "Causal mask")
    logits = sent(t.List(LOGITS.tolist(), read_only=True))
    values = sent(t.List(VALUES.tolist(), read_only=True))

    def numbers(self) -> dict[str, Any]:
        """Return the counts of the tiles, and the outputs by the formula.

        ``scores``: in all computed tiles; ``held``: scores in memory at once; ``kept``:
        maxima, sums and outputs of a block of queries.
        """
        seen = np.tri(WORDS, dtype=bool) | (not self.causal)
        edges = range(0, WORDS, self.block)
        tiles = [seen[i:, j:][: self.block, : self.block] for i in edges for j in edges]
        computed = [tile for tile in tiles if tile.any()]
        return {
            "computed": len(computed),
            "skipped": len(tiles) - len(computed),
            "scores": sum(tile.size for tile in computed),
            "held": self.block**2,
            "kept": 3 * self.block,
            "output": softmax(np.where(seen, LOGITS, -np.inf)) @ VALUES,
        }

    def facts(self) -> dict[str, Any]:
        """Return the counts, and the number of all tiles."""
        found = self.numbers()
        return {**found, "tiles": found["computed"] + found["skipped"]}

    def pictures(self) -> list[str]:
        """Draw the outputs as bars."""
        labels = [f"word {i + 1}" for i in range(WORDS)]
        return [bars(labels, self.numbers()["output"])]
