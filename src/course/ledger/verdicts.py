"""The rules by which the ledger judges a printed figure.

A figure is compared with its exact value, rounded to the digits that are printed.

- A tie may be rounded either way: half up and half to even both count as right.
- The author may have computed a figure from exact inputs, and have rounded the inputs
  only for print. So a figure is right if the stated inputs give it after rounding, and
  the printed inputs give it within one unit of the last digit.
- Rounding is decimal. A recomputed float64 is put to 12 decimals before it is rounded.
  Products and sums of printed decimals have fewer than 12 decimals, and their float64
  error is far smaller. So the rounded value is the exact decimal, even at a tie.
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
"""The judgement of one printed number.

input
    A stated number; nothing is computed.
copy-faithful, copy-miscopied
    A repeated number that equals the earlier number, or differs from it.
right
    The stated inputs give the figure, exactly or rounded. The step is right, or it is
    one unit off in the last decimal.
inherited
    The step is right, but its inputs are wrong.
last digit
    The figure is one unit off in its last decimal. The stated inputs do not give it.
wrong
    The step is wrong, even if the figure happens to be right.
not checkable
    The inputs of the step are lost.
unreadable
    A damaged number, or a letter or mark that was read as a digit.
label
    A number that names something: Head 1, Step 3, an index, a file name.
"""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
CHECKED: tuple[Verdict, ...] = ("right", "inherited", "last digit", "wrong")
"""Verdicts on recomputed figures."""


def _decimal(value: float) -> Decimal:
    return Decimal(format(value, ".12f"))


def _unit(printed: str) -> Decimal:
    """Return one unit of the last printed digit."""
    return Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)


def is_rounded(printed: str, value: float) -> bool:
    """Return whether `printed` is `value`, exact or correctly rounded.

    >>> is_rounded("0.13", 0.125), is_rounded("0.12", 0.125), is_rounded("0.12", 0.126)
    (True, True, False)
    """
    exact, unit = _decimal(value), _unit(printed)
    return Decimal(printed) in (
        exact.quantize(unit, ROUND_HALF_UP),
        exact.quantize(unit, ROUND_HALF_EVEN),
    )


def is_last_digit_off(printed: str, value: float) -> bool:
    """Return whether `printed` has decimals and is one unit of the last decimal off."""
    unit = _unit(printed)
    rounded = _decimal(value).quantize(unit, ROUND_HALF_UP)
    return unit < 1 and abs(Decimal(printed) - rounded) == unit


def judge(printed: str, chained: float, source: float) -> Verdict:
    """Judge a figure by the results of the right steps.

    `chained` is the result of the right step on its printed inputs, `source` the result
    of the right steps from the stated inputs.
    """
    right_step = is_rounded(printed, chained)
    near = right_step or is_last_digit_off(printed, chained)
    if near and is_rounded(printed, source):
        return "right"
    if right_step:
        return "inherited"
    return "last digit" if near else "wrong"


def judge_copy(printed: str, original: float) -> Verdict:
    """Judge a copy of a printed number."""
    same = Decimal(printed) == _decimal(original)
    return "copy-faithful" if same else "copy-miscopied"
