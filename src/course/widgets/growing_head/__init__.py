"""An induction head grows: the attention of every head at each step of a run."""

from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from course.widgets.card import Card, Sentence
from course.widgets.card.still import bars, lines
from course.widgets.contract import IndexOf, choice, looked_at, sent, slider
from transformer.small import induction

LEARNT = 0.95
"""The share of right letters from which on a sentence speaks of an induction head."""
_HISTORY = induction.history()
SEQUENCES = tuple(_HISTORY.sequences)
SHOWN = len(SEQUENCES[0])
PLACES = tuple(f"letter {i}" for i in range(1, SHOWN + 1))
_CONFIG = induction.WATCHED.config
HEADS = tuple(
    f"Layer {layer + 1}, head {head + 1}"
    for layer in range(_CONFIG.num_layers)
    for head in range(_CONFIG.num_heads)
)
NAMED = {
    name: layer * _CONFIG.num_heads + head
    for name, (layer, head) in _HISTORY.named.items()
}
"""Indices in `HEADS` of the two heads that a causal test found, by name."""
_TRAINING = {
    "steps": _HISTORY.steps,
    "loss": _HISTORY.loss,
    "right": _HISTORY.right,
    "sequences": SEQUENCES,
    "heads": HEADS,
    "named": NAMED,
    "learnt": LEARNT,
}


class GrowingHead(Card, view="growing_head/growing_head"):
    """Drag through a training run and see an induction head appear.

    Attributes
    ----------
    step : int
        Step of the run; the figure shows the nearest stored step.
    sequence : int
        Index in `SEQUENCES`.
    head : int
        Index in `HEADS` of the head whose arcs are drawn.
    place : int
        Index of the letter that attends.
    """

    sentences = (
        Sentence(
            "grows",
            "After {at} steps{near}, {right:.2f} of the predictable letters are right. "
            "{goes_on} gives {induction:.2f} of its weight to letters that followed "
            "an earlier copy of the attending letter. {looks_back} gives "
            "{previous:.2f} to the letter before.",
            lambda fact: fact["right"] < LEARNT,
        ),
        Sentence(
            "grown",
            "After {at} steps{near}, {right:.2f} of the predictable letters are right. "
            "{goes_on} is an induction head: {induction:.2f} of its weight is on "
            "letters that followed an earlier copy of the attending letter. "
            "{looks_back} gives {previous:.2f} to the letter before.",
            lambda fact: fact["right"] >= LEARNT,
        ),
    )

    title = sent(t.Unicode("An induction head grows"))
    step = slider(_HISTORY.steps[-1], _HISTORY.steps, "Step of the training")
    sequence = choice(0, SEQUENCES, "Letters")
    head = looked_at(IndexOf(NAMED["induction"], HEADS))
    place = choice(SHOWN - 3, PLACES, "Letter that attends")
    weight_changes = sent(t.Bytes(read_only=True))
    training = sent(t.Dict(_TRAINING, read_only=True))

    @t.default("weight_changes")
    def _default_weight_changes(self) -> bytes:
        # Send the change of each byte from step to step, modulo 256, not the byte:
        # in a compressed page the changes are a fifth smaller.
        stored = np.frombuffer(induction.HISTORY.read_bytes(), np.uint8)
        steps = stored.reshape(len(_HISTORY.steps), -1)
        return np.diff(steps, axis=0, prepend=np.uint8(0)).T.tobytes()

    def _stored_index(self) -> int:
        """Return the index of the nearest stored step; in a tie, the earlier one."""
        return int(np.abs(np.array(_HISTORY.steps) - self.step).argmin())

    def _weights(self) -> NDArray[np.float64]:
        """Return the attention weights of every head, shape (heads, n, n)."""
        return _HISTORY.attention[self._stored_index(), self.sequence].reshape(
            -1, SHOWN, SHOWN
        )

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that the view shows for this step.

        ``loss`` and ``right`` of the model; ``before``, ``after`` (heads,): mean weight
        on the previous letter, and on letters that followed an earlier copy.
        """
        letters = np.array([list(SEQUENCES[self.sequence])])
        weights, after = self._weights()[None, None], induction.after_the_same(letters)
        return {
            "loss": _HISTORY.loss[self._stored_index()],
            "right": _HISTORY.right[self._stored_index()],
            "before": induction.weight_on(weights, induction.before(letters))[0],
            "after": induction.weight_on(weights, after)[0],
        }

    def facts(self) -> dict[str, Any]:
        """Return the values that the sentences name, besides the traits."""
        numbers, at = self.numbers(), _HISTORY.steps[self._stored_index()]
        near = f" (the stored step nearest to {self.step})"
        return {
            "at": at,
            "near": "" if at == self.step else near,
            "right": numbers["right"],
            "previous": numbers["before"][NAMED["previous"]],
            "induction": numbers["after"][NAMED["induction"]],
            "looks_back": HEADS[NAMED["previous"]],
            "goes_on": HEADS[NAMED["induction"]],
        }

    def pictures(self) -> list[str]:
        """Draw the arcs of the chosen letter, and both mean weights of every head."""
        letters = SEQUENCES[self.sequence]
        row = self._weights()[self.head, self.place]
        numbers = self.numbers()
        return [
            lines([letters[self.place]], letters, [row]),
            *(bars(HEADS, numbers[name]) for name in ("before", "after")),
        ]
