"""The size of a query's gradient, with and without the division by sqrt(d_k)."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
import traitlets as t
from numpy.typing import ArrayLike

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence
from course.widgets.card.still import spans
from course.widgets.contract import choice, sent

SIDES = ("undivided", "divided")
_NAMES = ("not divided", "divided by √dₖ")
LEAST = 1e-9  # smaller norms are drawn at this value
_STARVED = 0.01  # a starved query gets less than this share of the mean gradient


class Measured(TypedDict):
    """Measurements with one number of keys: lists with an entry for each width."""

    keys: int
    undivided: list[list[float]]  # 10th, 50th and 90th percentile over queries
    divided: list[list[float]]
    starved: float  # share of starved queries, undivided, last width


def _measured(keys: int, norms: Sequence[Sequence[ArrayLike]]) -> Measured:
    """Return percentiles of the norms; `norms` has a pair of sides for each width."""
    both = [
        np.maximum([np.percentile(each, [10, 50, 90]) for each in side], LEAST)
        for side in zip(*norms, strict=True)
    ]
    last = np.asarray(norms[-1][0])
    starved = float((last < _STARVED * last.mean()).mean())
    undivided, divided = (side.tolist() for side in both)
    return Measured(keys=keys, undivided=undivided, divided=divided, starved=starved)


class QueryGradients(Card):
    """Choose the number of keys, and see the gradient of a query at each width.

    Parameters
    ----------
    norms : mapping of (int, int) to pairs of array_like, optional
        Norms of the gradients of random queries, undivided and divided, by number of
        keys and d_k. By default a few invented norms.
    **traits
        Initial traits.

    Attributes
    ----------
    count : int
        Index of the number of keys that is shown.
    """

    _esm = bundle("query_gradients.js")
    _css = stylesheet("query_gradients.css")

    sentences = (
        Sentence(
            "larger",
            "With {m} keys the median is larger without the division at each dₖ. At "
            "dₖ = {widest}, without the division, {starved:.0f}% of the queries "
            "receive less than a hundredth of the mean gradient.",
            lambda fact: not fact["smaller"],
        ),
        Sentence(
            "smaller",
            "With {m} keys the median is smaller without the division at each dₖ. At "
            "dₖ = {widest}, without the division, {starved:.0f}% of the queries "
            "receive less than a hundredth of the mean gradient.",
            lambda fact: not fact["larger"],
        ),
        Sentence(
            "both",
            "With {m} keys the median without the division is larger at dₖ = "
            "{larger:and} and smaller at {smaller:and}. At dₖ = {widest}, "
            "without the division, {starved:.0f}% of the queries receive less than a "
            "hundredth of the mean gradient.",
            lambda fact: bool(fact["larger"]) and bool(fact["smaller"]),
        ),
    )

    title = sent(t.Unicode("The gradient that a query receives"))
    widths = sent(t.List(t.Int()))
    found = sent(t.List(t.Dict()))
    rows = sent(t.List(t.Unicode()))
    count = choice(0, lambda card: card.rows, "Row of")

    def __init__(
        self,
        norms: Mapping[tuple[int, int], Sequence[ArrayLike]] | None = None,
        **traits: Any,
    ) -> None:
        norms = norms or {
            (m, d_k): ([1.0 / d_k, 1.0, m / d_k], [0.5, 0.6, 0.7])
            for m in (2, 20)
            for d_k in (4, 16)
        }
        counts, widths = (
            list(dict.fromkeys(each)) for each in zip(*norms, strict=True)
        )
        found = [_measured(m, [norms[m, d_k] for d_k in widths]) for m in counts]
        rows = [f"{m} keys" for m in counts]
        given = {"widths": widths, "found": found, "rows": rows}
        super().__init__(**given | traits)

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        shown = self.found[self.count]
        medians = [np.array(shown[side])[:, 1] for side in SIDES]
        larger = medians[0] > medians[1]
        return {
            "m": shown["keys"],
            "larger": [d for d, is_ in zip(self.widths, larger, strict=True) if is_],
            "smaller": [d for d, is_ in zip(self.widths, ~larger, strict=True) if is_],
            "starved": 100 * shown["starved"],
            "widest": self.widths[-1],
        }

    def pictures(self) -> list[str]:
        """Draw the spans of the gradients of both sides, a line for each width."""
        shown = self.found[self.count]
        everything = [e[side] for e in self.found for side in SIDES]
        ends = np.min(everything), np.max(everything)
        return [
            spans([f"dₖ = {d}, {name}" for d in self.widths], shown[side], ends)
            for side, name in zip(SIDES, _NAMES, strict=True)
        ]
