"""Why divide by sqrt(d_k): one row of weights, with and without the division."""

from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from attention import softmax, trace_attention
from course.kit.measures import entropy, jacobian_norm
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence
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
    """

    _esm = bundle("sqrt_dk.js")
    _css = stylesheet("sqrt_dk.css")

    sentences = (
        Sentence(
            "spreads",
            "At dₖ = {d_k} the spread of the logits is {undivided_spread:.2f} without "
            "the division and {divided_spread:.2f} with it. The largest weight is "
            "{undivided_largest:.2f} without it and {divided_largest:.2f} with it.",
            lambda fact: np.isclose(
                fact["undivided_spread"], fact["root"] * fact["divided_spread"]
            ),
        ),
    )

    title = sent(t.Unicode("Why divide by the square root of d_k"))
    d_k = slider(64, ratios(1, WIDEST), "Width of a key", "d_k")
    beta = slider(1.0, even(0, 4, 0.05), "Sharpness", "β")
    row = choice(1, [f"query {i + 1}" for i in range(KEYS)], "Query")
    draws = sent(t.Dict(packed(), read_only=True))

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
            ``largest`` weight, ``entropy`` (nats) and ``norm`` (spectral norm of the
            Jacobian ``diag(p) - p p^T`` of the weights by the logits).
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
        return {
            "weights": weights,
            "spread": float(self.beta * scores.std()),
            "largest": float(weights.max()),
            "entropy": float(entropy(weights)),
            "norm": float(jacobian_norm(weights)),
        }
