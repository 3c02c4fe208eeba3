r"""Formulas of the site: MathML that stands in the page, looked up in a table.

An author runs ``make formulas``, which sets every formula of the built pages with
Temml and writes `table.tsv`, a line a formula. A build only looks formulas up: it
needs neither Temml nor a browser, and a reader needs no script. What the table does
not have stands in the page as LaTeX, with the class ``unset``; `make book` reports it,
and the tests fail.

A line serves all formulas that differ in their digits alone, ``10^{-9}`` and
``10^{-16}``, where Temml sets them alike: ``#`` stands for a run of digits. So a number
that a cell computes, or a reader changes, finds its formula.

`setting` gives letters their room, and `font` cuts STIX Two Math to what is drawn. What
a view shows of itself, such as *W* with a *Q* above, is ``symbol("W", "", "Q")`` there
and stands in `views.SHOWN`. After Temml or the font was renewed, look at every page.
"""

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("table.tsv")
FONT = Path(__file__).with_name("stix-two-math.woff2")  # made by `book.formulas.font`
APPLICATION = "\u2061"  # between a function's name and its argument, not seen
HOW = {False: "inline", True: "display"}
# Digits that another number may replace: not those of x_1, x^2 or \frac12.
DIGITS = re.compile(r"(?<![A-Za-z_^\d])\d+")
SLOT = re.compile(r"#(\d+)")  # in the MathML of a line: which run of digits goes here
_ENVIRONMENT = re.compile(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)
_INLINE = r'<span class="math notranslate" [^>]*>(?:(?!</span>).)*</span>'
_BEFORE, _BEHIND = r"[(\[“‘]", r"(?:[.,:;!?)\]”…]|’s?)"  # punctuation
_TOGETHER = re.compile(rf"{_BEFORE}+{_INLINE}{_BEHIND}*|{_INLINE}{_BEHIND}+")
_COLOUR = re.compile(r"\\color\{[^}]*\}\s*")


class Formula(NamedTuple):
    """A formula in LaTeX, colours named by roles; `display`: on a line of its own."""

    latex: str
    display: bool = False

    @property
    def pattern(self) -> "Formula":
        """The formula with ``#`` for each of its runs of digits."""
        return self._replace(latex=DIGITS.sub("#", self.latex))

    @property
    def plain_latex(self) -> str:
        """What a reader copies: without the colours of roles."""
        return _COLOUR.sub("", self.latex)


def formula(latex: str, display: bool = False) -> Formula:
    r"""Make a formula of LaTeX as an author wrote it.

    White space is brought into one form; ``\\`` outside of every environment begins a
    new line, as Sphinx has it.
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
    """Write the table, one sorted line a formula."""
    lines = (f"{f.latex}\t{HOW[f.display]}\t{table[f]}\n" for f in table)
    return "".join(sorted(lines))


@cache
def table() -> dict[Formula, str]:
    """Give the committed table."""
    return read(TABLE.read_text(encoding="utf-8"))


def mathml(wanted: Formula) -> str | None:
    """Give a formula's MathML, with its own digits; None if the table lacks it."""
    if wanted in table():
        return table()[wanted]
    if wanted.pattern not in table():
        return None
    digits = DIGITS.findall(wanted.latex)
    return SLOT.sub(lambda slot: digits[int(slot[1])], table()[wanted.pattern])


def markup(wanted: Formula) -> str:
    """Give the HTML of a formula; without an entry in the table, its LaTeX."""
    element = "div" if wanted.display else "span"
    found = mathml(wanted)
    classes = "math notranslate" if found else "math unset"
    content = found or escape(wanted.plain_latex)
    tex = escape(wanted.latex)
    return f'<{element} class="{classes}" data-tex="{tex}">{content}</{element}>'


def kept_together(html: str) -> str:
    """Keep formulas and their punctuation on one line, which browsers would part."""
    return _TOGETHER.sub(r'<span class="together">\g<0></span>', html)
