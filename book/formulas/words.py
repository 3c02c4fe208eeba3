"""A formula in plain text, where only text can stand: a page's title, its summary."""

import re
import xml.etree.ElementTree as ET
from unicodedata import normalize

from book.formulas import APPLICATION, Formula, mathml

OPERATORS = set("=+−×⋅≤≥<>∼≈")

_FORMULA = re.compile(r'<(span|div) class="math[^>]*>(.*?)</\1>', re.DOTALL)


def in_words(html: str) -> str:
    """Write the formulas of some HTML as plain text."""
    return _FORMULA.sub(lambda found: _text(found[2]), html)


def words(formula: Formula) -> str:
    """Write a formula as plain text, or as LaTeX if the table lacks it."""
    return _text(mathml(formula) or formula.plain_latex)


def _text(content: str) -> str:
    if not content.startswith("<math"):
        return content
    text = _words(ET.fromstring(content)).replace(APPLICATION, "")
    return " ".join(normalize("NFKC", text).split())


def _words(element: ET.Element) -> str:
    parts = [_words(child) for child in element]
    match element.tag, parts:
        case "mfrac", [above, below]:
            return f"{_grouped(above)}/{_grouped(below)}"
        case "msqrt", _:
            return f"√{_grouped(''.join(parts))}"
        case "msup", [base, script] if set(script) <= {"′"}:
            return base + script
        case "msub" | "munder", [base, script]:
            return f"{base}_{_grouped(script)}"
        case "msup" | "mover", [base, script]:
            return f"{base}^{_grouped(script)}"
        case "msubsup" | "munderover", [base, below, above]:
            return f"{base}_{_grouped(below)}^{_grouped(above)}"
        case "mspace" | "mtr", _:
            return f" {''.join(parts)} "
        case "mo", _ if element.text in OPERATORS and not element.get("form"):
            return f" {element.text} "
        case _:
            return (element.text or "") + "".join(parts)


def _grouped(text: str) -> str:
    """Put brackets around what is more than a number or a symbol."""
    return f"({text})" if re.search(r"[\s/,]", text) else text
