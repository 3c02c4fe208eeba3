"""An exercise that takes a number and says what went wrong.

The true value and the values of the usual slips are computed by the author in
Python; the view only compares. Multiple choice is in `course.widgets.quiz`.

We looked for a library before writing our own. JupyterQuiz 2.9.6, the best kept
one, writes an inline script with a new random id into every output (a strict
Content-Security-Policy needs a new hash for each build), asks a CDN for MathJax,
announces nothing to a screen reader, and has neither slips with hints and steps
nor a memory of the reader's answers.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import traitlets as t
from numpy.typing import ArrayLike

from course.kit.prose import number
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card
from course.widgets.contract import Asked, answer, kept, sent
from course.widgets.operands import Operands

_CALLED = ("exercise", "exercises")


class Slip(NamedTuple):
    """A wrong value that readers arrive at, and what leads there.

    Parameters
    ----------
    value : float
        What the reader gets by the slip; computed, never typed.
    why : str
        The slip in words, shown to a reader who answers with ``value``.
    """

    value: float
    why: str


def decimal(value: float, digits: int) -> str:
    """Write a number with at most ``digits`` decimals and no trailing zeros.

    >>> decimal(1.18, 4), decimal(-0.5, 2), decimal(2.0, 2)
    ('1.18', '−0.5', '2')
    """
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def sum_of_products(left: ArrayLike, right: ArrayLike, digits: int = 4) -> str:
    """Write a dot product out as in ``0.6×0.8 + 0.4×0.1``.

    Parameters
    ----------
    left, right : array_like, shape (n,)
        The two vectors.
    digits : int
        Decimals at which factors are rounded.
    """
    pairs = zip(np.ravel(left), np.ravel(right), strict=True)
    return " + ".join(f"{decimal(a, digits)}×{decimal(b, digits)}" for a, b in pairs)


def dot_steps(left: ArrayLike, right: ArrayLike, digits: int = 4) -> list[str]:
    """Work a dot product out: one step for each product, one for their sum.

    The sum is that of the products as they are written, so that the line adds up.

    Parameters
    ----------
    left, right : array_like, shape (n,)
        The two vectors.
    digits : int
        Decimals at which numbers are rounded.
    """
    left, right = np.ravel(left), np.ravel(right)
    rounded = np.round(left * right, digits)
    products = [decimal(p, digits) for p in rounded]
    factors = sum_of_products(left, right, digits).split(" + ")
    steps = [f"{f} = {p}" for f, p in zip(factors, products, strict=True)]
    total = decimal(float(rounded.sum()), digits)
    return [*steps, f"{' + '.join(products)} = {total}"]


class Exercise(Card):
    """Ask for one number; accept its correct roundings; name the usual slips.

    Right is any number with at least ``digits`` decimals that rounds to the true
    value, as is a fraction or a percentage of that size. Wrong sign, percent
    instead of a fraction, too few decimals and digits cut off instead of rounded
    are recognised without being listed.

    Parameters
    ----------
    name : str
        Names the exercise on its page, so that the reader's answer is found
        again after a reload.
    prompt : str
        What is asked, in words.
    truth : float
        The true value, computed.
    expression : str
        What is to be worked out, ending in ``= ?``.
    digits : int
        Decimals asked for.
    operands : Operands, optional
        Matrices of which the reader picks the lines that enter, so that picking the
        wrong ones can happen; the expression is then written out from the picks.
    slips : sequence of Slip
        Values of usual slips. A slip that cannot be told from the answer, or
        from an earlier slip, at ``digits`` decimals is left out.
    hint : str
        A first push.
    steps : sequence of str
        The way to the answer, shown one by one after the hint.

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

    _esm = bundle("exercise.js")
    _css = stylesheet("exercise.css")
    shows = False

    name = sent(t.Unicode())
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

    @t.default("title")
    def _default_title(self) -> str:
        return f"Exercise: {self.prompt}"

    def drawn_still(self) -> str:
        """Give the exercise, and its way and its answer folded away."""
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
            operands=operands.plain if operands else {},
            digits=digits,
            slips=_distinct(float(truth), slips, digits),
            hint=hint,
            steps=list(steps),
        )


def _distinct(truth: float, slips: Sequence[Slip], digits: int) -> list[dict]:
    """Keep the slips that differ from the true value and from one another."""
    taken, kept = [truth], []
    for slip in slips:
        if all(abs(slip.value - value) > 10.0**-digits for value in taken):
            taken.append(slip.value)
            kept.append({"value": float(slip.value), "why": slip.why})
    return kept
