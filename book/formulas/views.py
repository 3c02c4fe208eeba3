"""Symbols in figures and questions: letters with scripts, as in d_k, W^Q or e^2.5.

The views of widgets look these symbols up in the table, which the site's runtime
contains (`script`). Without the table, as in JupyterLab, ``symbol`` in
``card/elements.js`` sets them. The still picture that replaces a widget without scripts
takes its symbols from the table too (`marked`).
"""

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from book.formulas import Formula, kept_together, markup, table

# Symbols within the texts of questions, exercises and titles, as in card/prose.js.
MARK = re.compile(r"\b([A-Za-z])_([A-Za-z]+)|\*([A-Za-z])\*|\b(e)\^([\u2212\d.]*\d)")

# Symbols that only JavaScript writes, so that no page's text has them. Each is (letter,
# subscript, superscript); the digit 1 stands for every number.
SHOWN = (
    *((letter, "", "") for letter in "XQKVAhnβ"),
    *(("d", below, "") for below in ("k", "v", "model")),
    *(("W", below, above) for below, above in product(("", "1"), "QKV")),
    *((letter, "1", "") for letter in "QKVWabx"),
    *product("qk", ("1", "1,1"), ("", "(1)")),
    *product("v", ("1,1",), ("", "(1)")),
    *product("K", ("", "1"), "T"),
    *(("QK", "", "T"), ("W", "", "O"), ("V", "", "(1)")),
    ("e", "", "\N{MINUS SIGN}1.1"),
)
_SYMBOL = re.compile(
    r"\w{1,2}(?:_(?:[A-Za-z]|\{(?:[#,]+|\\text\{\w+\})\}))?"
    r"(?:\^(?:[A-Za-z]|\{(?:[#.()-]+|\\mathsf T)\}))?"
)
_MARKUP = re.compile(r"(<svg\b.*?</svg>|<[^>]*>)", re.DOTALL)
_STATE = re.compile(
    r'<script type="application/vnd\.jupyter\.widget-state\+json">(.*?)</script>',
    re.DOTALL,
)


def symbol(letter: str, below: str = "", above: str = "") -> Formula:
    """Return a symbol in LaTeX, in the form that views use."""
    scripts = (("_", below), ("^", above))
    return Formula(letter + "".join(m + _script(s) for m, s in scripts if s))


def _script(text: str) -> str:
    if text == "T":  # transposed
        return r"{\mathsf T}"
    if text.isalpha():
        return text if len(text) == 1 else rf"{{\text{{{text}}}}}"
    return "{" + text.replace("\N{MINUS SIGN}", "-") + "}"


def _of_mark(found: re.Match[str]) -> Formula:
    letter, below, alone, e, power = found.groups(default="")
    if letter == "W" and below in {*"QKVO"}:  # as pages write weight matrices
        return symbol(letter, above=below)
    return symbol(letter or alone or e, below, power)


def marked(html: str) -> str:
    """Return HTML with the symbols of its text set, except inside drawings."""
    parts = _MARKUP.split(html)
    parts[::2] = (MARK.sub(lambda m: markup(_of_mark(m)), part) for part in parts[::2])
    return kept_together("".join(parts))


def script() -> str:
    """Return a script with the symbols of the table, for the views."""
    found = {each.latex: table()[each] for each in table() if _is_symbol(each)}
    return f"globalThis.abhFormulas = {json.dumps(found, ensure_ascii=False)};\n"


def _is_symbol(formula: Formula) -> bool:
    return not formula.display and bool(_SYMBOL.fullmatch(formula.latex))


def needed(html: str) -> Iterator[Formula]:
    """Yield the symbols that a page's figures may show."""
    states = [json.loads(text.replace("<\\/", "</")) for text in _STATE.findall(html)]
    for text in _texts(states):
        yield from map(_of_mark, MARK.finditer(text))
    if states:
        yield from (symbol(*each) for each in SHOWN)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in saved states that are prose, not code."""
    if isinstance(value, str) and " " in value and value[0] not in "<{[":
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
