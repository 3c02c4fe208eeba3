"""Why divide by sqrt(d_k): one row of weights, with and without the division."""

from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from attention import softmax, trace_attention
from course.kit.measures import entropy, jacobian_norm
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Question, Sentence, ask
from course.widgets.card.still import bars
from course.widgets.contract import choice, even, ratios, sent, slider
from course.widgets.drawn import KEYS, STEPS_PER_UNIT, WIDEST, draws, packed


class SqrtDk(Card):
    """Slide d_k and see what dividing by its square root does to a row of weights.

    Eight queries and eight keys are drawn once; a narrower d_k takes the first
    components of the same vectors.

    Attributes
    ----------
    d_k : int
        Components of a query and of a key that take part, 1 to 1024.
    beta : float
        Sharpness, 0 to 4: ``logits = beta * (q . k) / sqrt(d_k)``.
    row : int
        The query whose row is shown, 0 to 7.
    simple : bool
        Whether sharpness, entropy and Jacobian are left out, as where a reader has
        not met them.
    """

    _esm = bundle("sqrt_dk.js")
    _css = stylesheet("sqrt_dk.css")

    sentences = (
        Sentence(
            "spreads",
            "With dₖ = {d_k} the logits spread by {undivided_spread:.2f} as they are "
            "and by {divided_spread:.2f} after the division by √dₖ = {root:.2f}; the "
            "largest weight is {undivided_largest:.2f} against {divided_largest:.2f}.",
            lambda fact: np.isclose(
                fact["undivided_spread"], fact["root"] * fact["divided_spread"]
            ),
        ),
    )

    title = sent(t.Unicode("Why divide by the square root of d_k"))
    d_k = slider(64, ratios(1, WIDEST), "Width of a key", "d_k")
    beta = slider(1.0, even(0, 4, 0.05), "Sharpness", "β", unless="simple")
    row = choice(1, [f"query {i + 1}" for i in range(KEYS)], "Query")
    simple = sent(t.Bool(default_value=False))
    draws = sent(t.Dict(packed(), read_only=True))

    @t.default("question")
    def _default_question(self) -> Question:
        return ask(
            "The entries of a query and of a key are independent, with mean 0 and "
            "variance 1. Both get sixteen times as many entries. How does the spread "
            "of their dot product change?",
            (
                "It stays the same",
                False,
                "That is what an average of the products would do. A dot product is "
                "their sum, and it grows with every term.",
            ),
            (
                "It becomes four times as large",
                True,
                "Each product adds a variance of 1, so sixteen times the terms have "
                "sixteen times the variance and four times the spread.",
            ),
            (
                "It becomes sixteen times as large",
                False,
                "That would hold if all products had the same sign. Here they mostly "
                "cancel: the variance grows sixteenfold, the spread is its root.",
            ),
        )

    def pictures(self) -> list[str]:
        """Draw the row as bars, undivided and divided."""
        labels = [f"key {i + 1}" for i in range(KEYS)]
        return [bars(labels, side["weights"]) for side in self.numbers().values()]

    def numbers(self) -> dict[str, Any]:
        """Compute with `attention` every number that the view shows.

        Returns
        -------
        dict
            ``undivided`` and ``divided``, each a dict of the row's ``weights``
            (8,), and the floats ``spread`` (standard deviation of the 64 logits) and
            ``largest`` weight; unless it is simple, also ``entropy`` (nats) and
            ``norm`` (spectral norm of the Jacobian ``diag(p) - p p^T`` of the
            weights by the logits).
        """
        query, key = (draws() / STEPS_PER_UNIT)[..., : self.d_k]
        trace = trace_attention(query, key, key)
        return {
            "undivided": self._read(trace.scores),
            "divided": self._read(trace.scaled),
        }

    def facts(self) -> dict[str, Any]:
        """Give what the sentences say of the present state, beside its traits."""
        sides = {
            f"{side}_{name}": read[name]
            for side, read in self.numbers().items()
            for name in ("spread", "largest")
        }
        return {"root": float(np.sqrt(self.d_k)), **sides}

    def _read(self, scores: NDArray[np.float64]) -> dict[str, Any]:
        """Read one table of scores: the spread of all, the weights of one row."""
        weights = softmax(scores[self.row], beta=self.beta)
        numbers = {
            "weights": weights,
            "spread": float(self.beta * scores.std()),
            "largest": float(weights.max()),
        }
        if self.simple:
            return numbers
        slopes = {"entropy": entropy(weights), "norm": jacobian_norm(weights)}
        return numbers | {name: float(value) for name, value in slopes.items()}
