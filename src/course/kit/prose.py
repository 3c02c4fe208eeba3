"""Sentences and tables with computed numbers.

No result is typed into a chapter's prose. A folded cell computes the sentence and
displays it with `say`, so the sentence is the same on the site, in JupyterLab and on
Colab. Most other functions return Markdown for `say`.
"""

from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal, localcontext
from inspect import cleandoc, getsource
from typing import Literal

import numpy as np
from IPython.display import Markdown, display
from numpy.typing import ArrayLike

MINUS = "\N{MINUS SIGN}"
Bound = Literal["least", "most"]
_ROUNDING = {None: ROUND_HALF_UP, "least": ROUND_FLOOR, "most": ROUND_CEILING}
_NOISE = 9  # decimals after the shown ones; later digits are rounding error


def say(*paragraphs: str) -> None:
    """Display Markdown, a paragraph for each argument.

    The common indentation of a triple-quoted string is removed.
    """
    display(Markdown("\n\n".join(cleandoc(paragraph) for paragraph in paragraphs)))


def _source(functions: Sequence[Callable]) -> str:
    """Return the source of functions as a block of code."""
    code = "\n\n".join(getsource(function).rstrip() for function in functions)
    return f"```python\n{code}\n```"


def how_measured(*functions: Callable, summary: str = "How this was measured") -> None:
    """Display a fold with the source of functions, below a summary."""
    display(Markdown(folded(summary, _source(functions))))


def folded(summary: str, *paragraphs: str) -> str:
    """Return a fold of Markdown below a summary."""
    text = "\n\n".join(cleandoc(paragraph) for paragraph in paragraphs)
    return (
        f'<details class="hide">\n<summary>{summary}</summary>\n\n{text}\n\n</details>'
    )


def number(value: float, decimals: int | None = 2, bound: Bound | None = None) -> str:
    """Write a number with a true minus sign, and zero without any sign.

    A tie is rounded away from zero, as in the JavaScript of every figure. With None in
    place of a number of decimals, all of them are kept. Use the bound "least" after
    the words *at least*, to round down, and "most" after *at most*, to round up.
    Otherwise the sentence could be false.

    >>> number(-0.25), number(-0.0001), number(0.125), number(0.05, None)
    ('−0.25', '0.00', '0.13', '0.05')
    >>> number(-np.inf)
    '−∞'
    >>> number(3.157, 1, bound="least"), number(0.02405, 3, bound="most")
    ('3.1', '0.025')
    """
    if decimals is None:
        exact = Decimal(np.format_float_positional(value, trim="-"))
    else:
        exact = Decimal(float(value))
        if exact.is_finite():
            with localcontext(prec=400):  # the largest float64 has 309 digits
                if bound:
                    exact = round(exact, decimals + _NOISE)
                exact = exact.quantize(Decimal(1).scaleb(-decimals), _ROUNDING[bound])
    text = f"{exact:f}"
    if float(text) == 0:
        return text.lstrip("-")
    return text.replace("-", MINUS).replace("Infinity", "∞")


def percent(value: float, decimals: int = 1, bound: Bound | None = None) -> str:
    """Write a share of one as a percentage; `bound` as in `number`.

    >>> percent(0.2752), percent(0.9387, 0, bound="least"), percent(0.29, 0, "least")
    ('27.5%', '93%', '29%')
    """
    return f"{number(100 * value, decimals, bound)}%"


def scientific(value: float) -> str:
    r"""Write a number as one digit times a power of ten, in LaTeX.

    >>> scientific(2.14e-5)
    '$2 \\times 10^{-5}$'
    """
    figure, power = f"{value:.0e}".split("e")
    return rf"${figure} \times 10^{{{int(power)}}}$"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], align: str = "") -> str:
    """Return a Markdown table; every row must be as long as the header.

    `align` has ``l`` or ``r`` for each column. By default the first column is aligned
    on the left, and every other column of numbers on the right.
    """
    for row in (align or header, *rows):
        if len(row) != len(header):
            raise ValueError(f"row has {len(row)} cells, header has {len(header)}")
    others = ([row[j] for row in rows] for j in range(1, len(header)))
    align = align or "l" + "".join(map(_side, others))
    rule = [":--" if side == "l" else "--:" for side in align]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))


def lookup(
    header: Sequence[str], rows: Sequence[Sequence[str]], align: str = ""
) -> str:
    """Return a `table` that readers of the site can search and sort."""
    return f'<div class="lookup">\n\n{table(header, rows, align)}\n\n</div>'


def _side(cells: Sequence[str]) -> str:
    """Return the alignment of a column: right if every filled cell has a digit."""
    figures = (any(c.isdigit() for c in cell) for cell in cells if cell)
    return "r" if all(figures) else "l"


def latex_matrix(values: ArrayLike, decimals: int = 2) -> str:
    r"""Return an array of one or two axes as a LaTeX ``bmatrix``.

    >>> latex_matrix([[1, -2]], decimals=0)
    '\\begin{bmatrix} 1 & -2 \\end{bmatrix}'
    """
    array = np.atleast_2d(np.asarray(values, dtype=float))
    body = r" \\ ".join(
        " & ".join(number(v, decimals).replace(MINUS, "-") for v in r) for r in array
    )
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"
