"""Shapes of multi-head attention, drawn to scale, with their costs."""

from itertools import product, starmap
from typing import Any, NamedTuple

import traitlets as t

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Question, Sentence, ask
from course.widgets.card.still import boxes
from course.widgets.contract import ratios, sent, slider


class Step(NamedTuple):
    """One matrix product of multi-head attention and its cost.

    Attributes
    ----------
    left, right : tuple of int
        Shapes of the two factors.
    times : int
        Number of these products: 1, or one for each head.
    parameters : int
        Entries of the right factor if it is learned, else 0.
    multiplications : int
        Multiplications of numbers in all `times` products.
    """

    left: tuple[int, int]
    right: tuple[int, int]
    times: int
    parameters: int
    multiplications: int


def _step(
    left: tuple[int, int],
    right: tuple[int, int],
    times: int = 1,
    learned: bool = True,
) -> Step:
    """Return the step for a product of these shapes, with its costs."""
    parameters = right[0] * right[1] if learned else 0
    return Step(left, right, times, parameters, times * left[0] * left[1] * right[1])


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
    (subject, is_counted), (have, is_wide) = _HEADS[heads], _WIDTHS[widths]
    return Sentence(
        f"{heads}_{widths}",
        f"{subject} {have}. Scores and weighted sums need {{share:.1f}}% of the "
        "multiplications. Only this part grows with n².",
        lambda fact: is_counted(fact) and is_wide(fact) and 0 < fact["share"] < 100,
    )


class ShapeExplorer(Card):
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

    _esm = bundle("shape_explorer.js")
    _css = stylesheet("shape_explorer.css")

    title = sent(t.Unicode("Shapes of multi-head attention"))
    n = slider(64, _SIZES, "Tokens", "n")
    d_model = slider(512, _SIZES, "Width of a token", "d_model")
    h = slider(8, range(1, 65), "Heads", "h")
    d_k = slider(64, _SIZES, "Width of a key", "d_k")
    d_v = slider(64, _SIZES, "Width of a value", "d_v")

    @t.default("question")
    def _default_question(self) -> Question:
        return ask(
            "A model is 512 wide and has 8 heads of width 64. You take 16 heads of "
            "width 32 instead. What happens to the number of parameters?",
            (
                "It doubles, because there are twice as many heads",
                False,
                "Twice as many heads, each half as wide: a head’s matrices shrink with "
                "its width. More heads cost parameters only at a fixed width.",
            ),
            (
                "It stays the same",
                True,
                "All heads together are h · dₖ = 512 wide either way, so each of the "
                "four projections stays 512 × 512.",
            ),
            (
                "It halves, because every head is narrower",
                False,
                "Each head is half as large, and there are twice as many. The width of "
                "all heads together decides, and that is 512 both times.",
            ),
        )

    sentences = tuple(starmap(_sentence, product(_HEADS, _WIDTHS)))

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        counts = {
            name: count["multiplications"] for name, count in self.numbers().items()
        }
        return {
            "keys": self.h * self.d_k,
            "values": self.h * self.d_v,
            "share": 100 * (counts["scores"] + counts["mix"]) / counts["total"],
        }

    def pictures(self) -> list[str]:
        """Draw each matrix of the products once."""
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
        """Return the costs of each matrix product and of all products together.

        Returns
        -------
        dict of str to dict
            ``parameters`` and ``multiplications`` of each of `steps` and of the
            ``total``.
        """
        costs = ("parameters", "multiplications")
        steps = {
            name: {cost: getattr(step, cost) for cost in costs}
            for name, step in self.steps().items()
        }
        total = {cost: sum(step[cost] for step in steps.values()) for cost in costs}
        return {**steps, "total": total}

    def steps(self) -> dict[str, Step]:
        """Return every matrix product with its costs, without biases.

        Returns
        -------
        dict of str to Step
            ``query``, ``key``, ``value`` (the projections of all heads side by
            side), ``scores`` and ``mix`` (in each head), ``output``.
        """
        n, d_model, h, d_k, d_v = self.n, self.d_model, self.h, self.d_k, self.d_v
        return {
            "query": _step((n, d_model), (d_model, h * d_k)),
            "key": _step((n, d_model), (d_model, h * d_k)),
            "value": _step((n, d_model), (d_model, h * d_v)),
            "scores": _step((n, d_k), (d_k, n), times=h, learned=False),
            "mix": _step((n, n), (n, d_v), times=h, learned=False),
            "output": _step((n, h * d_v), (h * d_v, d_model)),
        }
