"""Heads on and off in "the cat sat": what each adds to the output through W_O."""

from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from attention import MultiHeadAttention
from course.notes import CAT
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Question, Sentence, ask
from course.widgets.card.still import matrix
from course.widgets.contract import choice, sent, setting

_ATTENTION = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O)
_HEADS = _ATTENTION.num_heads


def _outputs() -> NDArray[np.float64]:
    """Output of each head for each word, shape (h, n, d_v)."""
    return np.stack([head.output for head in _ATTENTION.trace(CAT.X).heads])


def _shares() -> NDArray[np.float64]:
    """Give what each head adds to each word's output, shape (h, n, d_model)."""
    blocks = CAT.W_O.reshape(_HEADS, _ATTENTION.d_v, -1)
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
            "none",
            "With every head off the concatenation is zero, and so is the output of "
            "“{of}”.",
            lambda fact: not fact["heads"],
        ),
        Sentence(
            "one",
            "For “{of}”, {heads:and} alone gives ({output:.2f}).",
            lambda fact: len(fact["heads"]) == 1,
        ),
        Sentence(
            "several",
            "For “{of}”, {heads:and} add up to ({output:.2f}).",
            lambda fact: len(fact["heads"]) > 1,
        ),
    )

    title = sent(t.Unicode("Heads of the cat sat"))
    on = setting(t.List(t.Bool(), [True] * _HEADS, minlen=_HEADS, maxlen=_HEADS))
    word = choice(0, CAT.tokens, "Word written out below")
    tokens = sent(t.List(list(CAT.tokens), read_only=True))
    outputs = sent(t.List(_outputs().tolist(), read_only=True))
    shares = sent(t.List(_shares().tolist(), read_only=True))
    projection = sent(t.List(CAT.W_O.tolist(), read_only=True))

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
        """Give what the sentences say of the present state, beside its traits."""
        return {
            "of": self.tokens[self.word],
            "heads": [f"head {i + 1}" for i, is_on in enumerate(self.on) if is_on],
            "output": self.numbers()["output"][self.word],
        }
