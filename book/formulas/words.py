"""Write formulas as plain words, for titles, descriptions and the search."""

import re
import unicodedata
from html import escape, unescape

from pylatexenc.latex2text import LatexNodes2Text

_COLOUR = re.compile(r"\\color\{[^}]*\}")
_FORMULA = re.compile(r'<(span|div) class="math[^>]* data-tex="([^"]*)">.*?</\1>')
_FUNCTION = re.compile(r"\\(ln|log|exp|sin|cos|tanh|max|min)\s+")
_SMALL_FRACTION = re.compile(r"\\[td]frac(?![a-z])")
_RELATION = re.compile(r"\s*([=×·≤≥<>≈→∝∈])\s*")
_ROOT_OF_ONE = re.compile(r"√\((\w+)\)")
_TEXT = LatexNodes2Text(math_mode="text", strict_latex_spaces=False)


def plain_formula(latex: str) -> str:
    r"""Return a formula as a reader would type it: ``\sqrt{d_k}`` is ``√d_k``."""
    known = _SMALL_FRACTION.sub(r"\\frac", _COLOUR.sub("", latex))
    spaced = _FUNCTION.sub(r"\\\1\\ ", known)
    text = unicodedata.normalize("NFKC", _TEXT.latex_to_text(spaced))
    text = _RELATION.sub(r" \1 ", _ROOT_OF_ONE.sub(r"√\1", text))
    return " ".join(text.split())


def in_words(html: str) -> str:
    """Return HTML with its formulas as plain words."""
    return _FORMULA.sub(lambda each: escape(plain_formula(unescape(each[2]))), html)
