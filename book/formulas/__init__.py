r"""Look up the MathML of the site's formulas in a table.

An author runs ``make formulas``, which sets every formula of the built pages with
Temml and writes `table.tsv`, one line for each formula. A build only looks formulas up:
it needs neither Temml nor a browser, and a reader needs no script. A page shows a
formula that is not in the table as LaTeX, with the class ``unset``. Then `make book`
reports the formula, and the tests fail.

One line serves all formulas that differ only in their digits, such as ``10^{-9}`` and
``10^{-16}``, if Temml sets them in the same form: ``#`` stands for a run of digits. So
the table also serves formulas with numbers that a cell computes or a reader changes.

`setting` corrects the spaces between letters. `font` reduces STIX Two Math to the
characters in use. A symbol that only a view shows, such as *W* with a *Q* above
(``symbol("W", "", "Q")`` in the view), must be listed in `views.SHOWN`. After an update
of Temml or of the font, look at every page.
"""

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("table.tsv")
FONT = Path(__file__).with_name("stix-two-math.woff2")  # made by `book.formulas.font`
APPLICATION = "\u2061"  # an invisible sign between a function's name and its argument
HOW = {False: "inline", True: "display"}  # a word of the table, by `Formula.display`
# Digits that another number may replace: not the digits of x_1, x^2 or \frac12.
DIGITS = re.compile(r"(?<![A-Za-z_^\d])\d+")
SLOT = re.compile(r"#(\d+)")  # in the table's MathML: which run of digits to insert
_ENVIRONMENT = re.compile(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)
_INLINE = r'<span class="math notranslate" [^>]*>(?:(?!</span>).)*</span>'
_BEFORE, _BEHIND = r"[(\[“‘]", r"(?:[.,:;!?)\]”…]|’s?)"  # punctuation
_TOGETHER = re.compile(rf"{_BEFORE}+{_INLINE}{_BEHIND}*|{_INLINE}{_BEHIND}+")
_COLOUR = re.compile(r"\\color\{[^}]*\}\s*")


class Formula(NamedTuple):
    """LaTeX that names colours by role. A `display` formula stands on its own line."""

    latex: str
    display: bool = False

    @property
    def pattern(self) -> "Formula":
        """The formula with ``#`` for each of its runs of digits."""
        return self._replace(latex=DIGITS.sub("#", self.latex))

    @property
    def plain_latex(self) -> str:
        """The LaTeX that a reader copies: without the colours of roles."""
        return _COLOUR.sub("", self.latex)


def formula(latex: str, display: bool = False) -> Formula:
    r"""Return the formula of LaTeX as an author wrote it.

    Each run of white space becomes one space. As in Sphinx, ``\\`` outside of every
    environment begins a new line.
    """
    latex = " ".join(latex.split())
    if display and r"\\" in _ENVIRONMENT.sub("", latex):
        latex = rf"\begin{{split}} {latex} \end{{split}}"
    return Formula(latex, display)


Table = Mapping[Formula, str]


def read(text: str) -> dict[Formula, str]:
    """Read the table's lines: LaTeX, inline or display, MathML, with tabs between."""
    lines = (line.split("\t") for line in text.splitlines())
    return {Formula(latex, how == HOW[True]): mathml for latex, how, mathml in lines}


def write(table: Table) -> str:
    """Return the text of a table: sorted, with one line for each formula."""
    lines = (f"{f.latex}\t{HOW[f.display]}\t{table[f]}\n" for f in table)
    return "".join(sorted(lines))


@cache
def table() -> dict[Formula, str]:
    """Return the committed table."""
    return read(TABLE.read_text(encoding="utf-8"))


def mathml(wanted: Formula) -> str | None:
    """Return a formula's MathML, with its own digits; None if the table lacks it."""
    if wanted in table():
        return table()[wanted]
    if wanted.pattern not in table():
        return None
    digits = DIGITS.findall(wanted.latex)
    return SLOT.sub(lambda slot: digits[int(slot[1])], table()[wanted.pattern])


def markup(wanted: Formula) -> str:
    """Return the HTML of a formula, with its LaTeX if the table lacks the formula."""
    element = "div" if wanted.display else "span"
    found = mathml(wanted)
    classes = "math notranslate" if found else "math unset"
    content = found or escape(wanted.plain_latex)
    tex = escape(wanted.latex)
    return f'<{element} class="{classes}" data-tex="{tex}">{content}</{element}>'


def kept_together(html: str) -> str:
    """Return HTML that keeps each formula and its punctuation on the same line."""
    return _TOGETHER.sub(r'<span class="together">\g<0></span>', html)
