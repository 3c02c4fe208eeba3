"""What a printed figure is worth: the rules, in one place.

A figure is compared with its exact value after that value is rounded to the
digits that the figure prints. Three rules decide what "rounded" means:

- A tie may go either way: half up and half to even both count as right.
- A figure may have been computed from its inputs before they were rounded for
  print. So one that is correctly rounded from source is right if its step on the
  printed inputs gives it within one unit of the last digit.
- Rounding is decimal. Recomputed values are float64, put to 12 decimals before
  they are rounded: products and sums of printed decimals have fewer decimals
  than that and an error far below it, so the value that is rounded is the exact
  decimal, and no tie is lost to binary fractions.
"""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Literal, get_args

Verdict = Literal[
    "input",
    "copy-faithful",
    "copy-miscopied",
    "right",
    "inherited",
    "last digit",
    "wrong",
    "not checkable",
    "unreadable",
    "label",
]
"""One word for each printed number.

input
    Stated, not computed.
copy-faithful, copy-miscopied
    Repeats an earlier number, equal to it or not.
right
    The step that gives it is right: exact, or rounded to the printed digits,
    and it is what the stated inputs give.
inherited
    The step is right, but what went in was not.
last digit
    One unit off in the last printed decimal, and not what the inputs give.
wrong
    The step is wrong, even where the figure is right by accident.
not checkable
    The inputs of the step are lost.
unreadable
    A misread sign of which nothing can be made.
label
    Names or counts something (Head 1, Step 3, an index, a file name): nothing
    to compute.
"""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
CHECKED: tuple[Verdict, ...] = ("right", "inherited", "last digit", "wrong")
"""Verdicts of figures that were recomputed."""


def _decimal(value: float) -> Decimal:
    return Decimal(format(value, ".12f"))


def _unit(printed: str) -> Decimal:
    """One unit of the last printed digit."""
    return Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)


def is_rounded(printed: str, value: float) -> bool:
    """Say whether `printed` is `value`, exact or correctly rounded.

    Examples
    --------
    >>> is_rounded("0.13", 0.125), is_rounded("0.12", 0.125), is_rounded("0.12", 0.126)
    (True, True, False)
    """
    exact, unit = _decimal(value), _unit(printed)
    return Decimal(printed) in (
        exact.quantize(unit, ROUND_HALF_UP),
        exact.quantize(unit, ROUND_HALF_EVEN),
    )


def is_last_digit_off(printed: str, value: float) -> bool:
    """Say whether `printed` has decimals and misses by one unit of the last."""
    unit = _unit(printed)
    rounded = _decimal(value).quantize(unit, ROUND_HALF_UP)
    return unit < 1 and abs(Decimal(printed) - rounded) == unit


def judge(printed: str, chained: float, source: float) -> Verdict:
    """Give the verdict on a computed figure.

    Parameters
    ----------
    printed : str
        The figure, with the digits it prints.
    chained : float
        The step done right on the printed inputs of the step.
    source : float
        All steps done right from the stated inputs.
    """
    right_step = is_rounded(printed, chained)
    near = right_step or is_last_digit_off(printed, chained)
    if near and is_rounded(printed, source):
        return "right"
    if right_step:
        return "inherited"
    return "last digit" if near else "wrong"


def judge_copy(printed: str, original: float) -> Verdict:
    """Give the verdict on a copy of a printed number."""
    same = Decimal(printed) == _decimal(original)
    return "copy-faithful" if same else "copy-miscopied"
