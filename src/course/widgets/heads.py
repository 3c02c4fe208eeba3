"""Heads on and off in "the cat sat": what each adds to the output through W_O."""

from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from attention import MultiHeadAttention
from course.kit.prose import number
from course.notes import CAT
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Question, Sentence, ask
from course.widgets.card.still import matrix

_ATTENTION = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O)


def _outputs() -> NDArray[np.float64]:
    """Output of each head for each word, shape (h, n, d_v)."""
    return np.stack([head.output for head in _ATTENTION.trace(CAT.X).heads])


def _shares() -> NDArray[np.float64]:
    """Give what each head adds to each word's output, shape (h, n, d_model)."""
    blocks = CAT.W_O.reshape(_ATTENTION.num_heads, _ATTENTION.d_v, -1)
    return _outputs() @ blocks


class Heads(Card):
    """Switch the heads of "the cat sat" on and off and follow W_O to the output.

    Attributes
    ----------
    on : list of bool
        For each head whether it is on. A head that is off is zero in the
        concatenation.
    word : int
        The word whose sum is written out, 0 to 2.
    """

    _esm = bundle("heads.js")
    _css = stylesheet("heads.css")

    sentences = (
        Sentence(
            "With every head off the concatenation is zero, and so is the output of "
            "“{word}”.",
            lambda fact: fact["on"] == 0,
        ),
        Sentence(
            "For “{word}”, {heads} alone gives ({output}).",
            lambda fact: fact["on"] == 1,
        ),
        Sentence(
            "For “{word}”, {heads} add up to ({output}).",
            lambda fact: fact["on"] > 1,
        ),
    )

    title = t.Unicode("Heads of the cat sat").tag(sync=True)
    on = t.List(t.Bool()).tag(sync=True, url=True)
    word = t.Int(0, min=0, max=len(CAT.tokens) - 1).tag(sync=True, url=True)
    tokens = t.List(list(CAT.tokens), read_only=True).tag(sync=True)
    outputs = t.List(read_only=True).tag(sync=True)
    shares = t.List(read_only=True).tag(sync=True)
    projection = t.List(CAT.W_O.tolist(), read_only=True).tag(sync=True)

    @t.default("on")
    def _default_on(self) -> list[bool]:
        return [True] * _ATTENTION.num_heads

    @t.default("outputs")
    def _default_outputs(self) -> list[list[list[float]]]:
        return _outputs().tolist()

    @t.default("shares")
    def _default_shares(self) -> list[list[list[float]]]:
        return _shares().tolist()

    @t.validate("on")
    def _valid_on(self, proposal: dict[str, Any]) -> list[bool]:
        if len(proposal["value"]) != _ATTENTION.num_heads:
            raise t.TraitError(
                f"on has one entry a head, {_ATTENTION.num_heads}, "
                f"not {len(proposal['value'])}"
            )
        return proposal["value"]

    @t.default("question")
    def _default_question(self) -> Question:
        return ask(
            "Two heads of width 2 feed an output of width 4. You switch head 1 off: "
            "its two columns of the concatenation become 0. What happens to a word’s "
            "output?",
            (
                "Its first two entries become 0",
                False,
                "That would hold if the concatenation were the output. Each row of Wᴼ "
                "spreads one column of a head over all four entries.",
            ),
            (
                "All four entries change",
                True,
                "Head 1 meets the top two rows of Wᴼ, which reach every entry. What "
                "it added is gone, and what head 2 adds stays as it was.",
            ),
            (
                "Little, because head 2 takes over its part",
                False,
                "Heads do not see each other. Head 2 computes from the words alone and "
                "adds exactly what it added before.",
            ),
        )

    def pictures(self) -> list[str]:
        """Draw the concatenation, W_O and the output."""
        numbers = self.numbers()
        return [
            matrix("Concatenation", numbers["concat"], self.tokens),
            matrix("W_O", self.projection, digits=1),
            matrix("Output", numbers["output"], self.tokens, role="output"),
        ]

    def numbers(self) -> dict[str, NDArray[np.float64]]:
        """Compute with `attention` every number that the view shows.

        Returns
        -------
        dict
            ``concat`` (n, h * d_v) with the heads that are off at zero,
            ``projection``, which is W_O, ``output`` (n, d_model), and
            ``written_out`` (h + 1, d_model): what each head adds to the chosen word's
            output, and their sum.
        """
        on = np.array(self.on, dtype=float)[:, None, None]
        concat = np.concatenate(list(on * _outputs()), axis=-1)
        output = concat @ CAT.W_O
        parts = (on * _shares())[:, self.word]
        return {
            "concat": concat,
            "projection": CAT.W_O,
            "output": output,
            "written_out": np.vstack([parts, output[self.word]]),
        }

    def facts(self) -> dict[str, Any]:
        """Give the values of the fields of `sentences` in the present state."""
        on = [f"head {head + 1}" for head, is_on in enumerate(self.on) if is_on]
        output = self.numbers()["output"][self.word]
        return {
            "word": self.tokens[self.word],
            "on": len(on),
            "heads": " and ".join(on),
            "output": ", ".join(number(entry) for entry in output),
        }
