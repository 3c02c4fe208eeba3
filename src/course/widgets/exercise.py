"""An exercise: the reader types a number, and the card explains a wrong number.

The true value and the values of the usual slips are computed by the author in
Python; the view only compares. Multiple choice is in `course.widgets.quiz`.

We looked for a library before writing our own. JupyterQuiz 2.9.6, the best
maintained library, writes an inline script with a new random id into every output (a
strict Content-Security-Policy needs a new hash for each build), asks a CDN for
MathJax, announces nothing to a screen reader, has no slips, hints or steps, and does
not store the reader's answers.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import traitlets as t
from numpy.typing import ArrayLike

from course.kit.prose import number
from course.widgets.card import Card
from course.widgets.contract import Asked, answer, kept, sent
from course.widgets.operands import Operands

_CALLED = ("exercise", "exercises")


class Slip(NamedTuple):
    """A wrong value that readers often get, and the mistake that leads to it."""

    value: float  # computed by the author's code, not typed
    why: str  # the slip in words, shown to a reader who answers with the value


def decimal(value: float, digits: int) -> str:
    """Return a number as text, with at most ``digits`` decimals and no trailing zeros.

    >>> decimal(1.18, 4), decimal(-0.5, 2), decimal(2.0, 2)
    ('1.18', '−0.5', '2')
    """
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def dot_steps(left: ArrayLike, right: ArrayLike, digits: int = 4) -> list[str]:
    """Return the steps of a dot product: a line for each product, a line for the sum.

    The last line adds the rounded products, so that its written numbers add up.
    """
    left, right = np.ravel(left), np.ravel(right)
    rounded = np.round(left * right, digits)
    products = [decimal(p, digits) for p in rounded]
    steps = [
        f"{decimal(a, digits)}×{decimal(b, digits)} = {p}"
        for a, b, p in zip(left, right, products, strict=True)
    ]
    total = decimal(float(rounded.sum()), digits)
    return [*steps, f"{' + '.join(products)} = {total}"]


class Exercise(Card, view="exercise"):
    """Ask for one number; accept its correct roundings; name the usual slips.

    A number with at least ``digits`` decimals is right if it differs from the true
    value by at most half a unit of the last of these ``digits`` decimals. The reader
    may also type a fraction or a percentage. The card also recognises slips that are
    not listed: a wrong sign, percent instead of a fraction, too few decimals, and
    digits that are cut off and not rounded.

    Parameters
    ----------
    name : str
        Identifies the exercise on its page, so that the page finds the reader's
        answer after a reload.
    prompt : str
        The question in words.
    truth : float
        The true value, computed.
    expression : str
        The calculation to do, ending in ``= ?``.
    digits : int
        Number of decimals that the answer needs.
    operands : Operands, optional
        Matrices from which the reader picks rows or columns, right or wrong. The view
        then writes the expression with these numbers.
    slips : sequence of Slip
        Usual slips. A slip is left out if ``digits`` decimals cannot distinguish its
        value from the answer or from an earlier slip.
    hint : str
        A hint, shown before the steps.
    steps : sequence of str
        Steps to the answer, shown one by one after the hint.

    Raises
    ------
    ValueError
        If the true value or a slip is not finite, or ``digits`` is not in 0..8.

    Examples
    --------
    >>> half = Exercise("half", "Half of one?", truth=0.5, expression="1 / 2 = ?")
    >>> half.truth
    0.5
    """

    shows = False

    name = sent(t.Unicode())
    title = sent(t.Unicode(), lambda card: f"Exercise: {card.prompt}")
    prompt = sent(t.Unicode())
    expression = sent(t.Unicode())
    operands = sent(t.Dict())
    marks = answer(t.List(t.Unicode()), called=_CALLED)
    truth = sent(t.Float())
    digits = sent(t.Int(2))
    slips = sent(t.List())
    hint = sent(t.Unicode())
    steps = sent(t.List(t.Unicode()))
    entry = answer(
        t.Unicode(),
        Asked(
            "exercise.js",
            needs=("prompt", "truth", "digits", "slips", "operands"),
            pattern=r"\d",
        ),
        called=_CALLED,
    )
    helped = kept(t.Int(0, min=0), called=_CALLED)

    def drawn_still(self) -> str:
        """Return the exercise as HTML, with its steps and its answer folded away."""
        steps = "".join(f"<li>{escape(step)}</li>" for step in self.steps)
        return (
            f'<div class="still"><p class="still-title">{escape(self.prompt)}</p>'
            f"<p>{escape(self.expression)}</p><details><summary>Answer</summary>"
            f"<ul>{steps}</ul><p>{decimal(self.truth, self.digits)}</p></details></div>"
        )

    def __init__(
        self,
        name: str,
        prompt: str,
        *,
        truth: float,
        expression: str = "",
        operands: Operands | None = None,
        digits: int = 2,
        slips: Sequence[Slip] = (),
        hint: str = "",
        steps: Sequence[str] = (),
    ) -> None:
        if not 0 <= digits <= 8:
            raise ValueError(f"digits must be in 0..8, got {digits}")
        if not all(math.isfinite(v) for v in (truth, *(s.value for s in slips))):
            raise ValueError("the true value and every slip must be finite numbers")
        super().__init__(
            name=name,
            prompt=prompt,
            truth=float(truth),
            expression=expression,
            operands=operands.view_data if operands else {},
            digits=digits,
            slips=_distinct(float(truth), slips, digits),
            hint=hint,
            steps=list(steps),
        )


def _distinct(truth: float, slips: Sequence[Slip], digits: int) -> list[dict]:
    """Return slips that differ from the truth and each other by at least one unit."""
    taken, distinct = [truth], []
    unit = (1 - 1e-9) * 10.0**-digits  # a difference of one unit may be rounded down
    for slip in slips:
        if all(abs(slip.value - value) >= unit for value in taken):
            taken.append(slip.value)
            distinct.append({"value": float(slip.value), "why": slip.why})
    return distinct
