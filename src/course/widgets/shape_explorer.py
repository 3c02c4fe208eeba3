"""Shapes of multi-head attention, drawn to scale, with their costs."""

from itertools import product, starmap
from typing import Any, NamedTuple

import traitlets as t

from course.widgets.card import Card, Sentence
from course.widgets.card.still import boxes
from course.widgets.contract import ratios, sent, slider


class Step(NamedTuple):
    """One matrix product of multi-head attention: the shapes of its factors."""

    left: tuple[int, int]
    right: tuple[int, int]
    times: int = 1  # number of these products: 1, or one for each head
    is_learned: bool = True  # whether the right factor is learned

    def costs(self) -> dict[str, int]:
        """Return the learned entries, and the multiplications in all products."""
        rows, inner = self.left
        columns = self.right[1]
        return {
            "parameters": inner * columns * self.is_learned,
            "multiplications": self.times * rows * inner * columns,
        }


_SIZES = ratios(1, 4096, per_octave=2)
_HEADS = {
    "one": ("One head has", lambda fact: fact["h"] == 1),
    "several": ("{h} heads together have", lambda fact: fact["h"] > 1),
}
_WIDTHS = {
    "as_token": (
        "width {keys}, the same as a token",
        lambda fact: fact["keys"] == fact["values"] == fact["d_model"],
    ),
    "alike": (
        "width {keys}, and a token has width {d_model}",
        lambda fact: fact["keys"] == fact["values"] != fact["d_model"],
    ),
    "apart": (
        "width {keys} (keys) and {values} (values), and a token has {d_model}",
        lambda fact: fact["keys"] != fact["values"],
    ),
}


def _sentence(heads: str, widths: str) -> Sentence:
    """Return the sentence on the total width of the heads and the cost of pairs."""
    (subject, fits_heads), (width, fits_widths) = _HEADS[heads], _WIDTHS[widths]
    return Sentence(
        f"{heads}_{widths}",
        f"{subject} {width}. Scores and weighted sums need {{share:.1f}}% of the "
        "multiplications. Only this part grows with n².",
        lambda fact: fits_heads(fact) and fits_widths(fact),
    )


class ShapeExplorer(Card, view="shape_explorer"):
    """Set the sizes of multi-head self-attention and see every matrix to scale.

    Attributes
    ----------
    n : int
        Tokens, 1 to 4096.
    d_model : int
        Width of a token, 1 to 4096.
    h : int
        Heads, 1 to 64.
    d_k, d_v : int
        Width of a key and of a value in one head, 1 to 4096.
    """

    title = sent(t.Unicode("Shapes of multi-head attention"))
    n = slider(64, _SIZES, "Tokens", "n")
    d_model = slider(512, _SIZES, "Width of a token", "d_model")
    h = slider(8, range(1, 65), "Heads", "h")
    d_k = slider(64, _SIZES, "Width of a key", "d_k")
    d_v = slider(64, _SIZES, "Width of a value", "d_v")

    sentences = tuple(starmap(_sentence, product(_HEADS, _WIDTHS)))

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        costs = self.numbers()
        pairs = sum(costs[name]["multiplications"] for name in ("scores", "mix"))
        return {
            "keys": self.h * self.d_k,
            "values": self.h * self.d_v,
            "share": 100 * pairs / costs["total"]["multiplications"],
        }

    def pictures(self) -> list[str]:
        """Draw X, the learned matrices, the queries of one head and its scores."""
        n, d_model, h, d_k, d_v = self.n, self.d_model, self.h, self.d_k, self.d_v
        shapes = {
            "X": ((n, d_model), "ink"),
            "W_Q": ((d_model, h * d_k), "query"),
            "W_K": ((d_model, h * d_k), "key"),
            "W_V": ((d_model, h * d_v), "value"),
            "Q": ((n, d_k), "query"),
            "scores": ((n, n), "muted"),
            "W_O": ((h * d_v, d_model), "output"),
        }
        return boxes(shapes)

    def numbers(self) -> dict[str, dict[str, int]]:
        """Return the costs of each matrix product, and of all products in ``total``."""
        costs = {name: step.costs() for name, step in self.steps().items()}
        kinds = ("parameters", "multiplications")
        total = {kind: sum(each[kind] for each in costs.values()) for kind in kinds}
        return {**costs, "total": total}

    def steps(self) -> dict[str, Step]:
        """Return every matrix product by name, without biases.

        ``query``, ``key`` and ``value`` are the projections of all heads side by side.
        """
        n, d_model, h, d_k, d_v = self.n, self.d_model, self.h, self.d_k, self.d_v
        return {
            "query": Step((n, d_model), (d_model, h * d_k)),
            "key": Step((n, d_model), (d_model, h * d_k)),
            "value": Step((n, d_model), (d_model, h * d_v)),
            "scores": Step((n, d_k), (d_k, n), times=h, is_learned=False),
            "mix": Step((n, n), (n, d_v), times=h, is_learned=False),
            "output": Step((n, h * d_v), (h * d_v, d_model)),
        }
