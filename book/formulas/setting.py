"""Set formulas with Temml in Chromium, for `make formulas` and for the tests.

The table of formulas holds Temml's MathML, with three changes. A role's colour becomes
the role's CSS variable: Temml accepts only colour values, so it gets a made-up value
for each role (`COLOURS`). Letters, operators and functions get the room that TeX gives
them (see `_make_room`, `_space`, `_group_functions`, `_trim`). The class and the style
of the whole formula are removed, because the stylesheet has rules for every formula.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from itertools import count, pairwise

from playwright.sync_api import Browser

from book import colours
from book.formulas import APPLICATION, DIGITS, Formula
from book.formulas.font import drawn, leaning, tight
from book.vendor import vendored
from course.kit import look

COLOURS = {role: f"#abcd{i:02x}" for i, role in enumerate(look.IN_FORMULAS)}
_VARIABLES = {value: f"var(--abh-{role})" for role, value in COLOURS.items()}
_COLOUR = re.compile("|".join(_VARIABLES))

TEMML = """(formulas) => formulas.map(([latex, displayMode]) => {
  try {
    return [temml.renderToString(latex, { displayMode, throwOnError: true }), ""];
  } catch (error) {
    return ["", error.message];
  }
})"""
SENTINEL = 90001  # the first of the numbers that stand for runs of digits

SCRIPTED = {"msub", "msup", "msubsup", "mover", "munder", "munderover"}
RAISED, LOWERED = {"msup", "msubsup"}, {"msub", "msubsup"}
ROWS = {"math", "mrow", "mtd", "mstyle", "msqrt"}
SUMS, DOTS, BINARY = {"∑", "∏", "∫"}, {"…", "⋯"}, {"⋅", "×", "∗"}
THIN = "0.1667em"
PADS = re.compile(r"\s*\btml-(?:sml|med|lrg)-pad\b")  # room that fits another font


class RefusedError(ValueError):
    """Raised for LaTeX that Temml rejects; `why` maps each formula to a message."""

    def __init__(self, why: dict[Formula, str]) -> None:
        self.why = why
        super().__init__("; ".join(f"{each.latex}: {why[each]}" for each in why))


def set_formulas(browser: Browser, formulas: Iterable[Formula]) -> dict[Formula, str]:
    """Set formulas with Temml; return for each the MathML that a page contains."""
    wanted = list(formulas)
    page = browser.new_page()
    page.evaluate(vendored("temml/temml.min.js").decode())
    asked = [[colours.recoloured(f.latex, {}, COLOURS), f.display] for f in wanted]
    results = dict(zip(wanted, page.evaluate(TEMML, asked), strict=True))
    page.close()
    if refused := {each: why for each, (_, why) in results.items() if why}:
        raise RefusedError(refused)
    return {each: finished(raw) for each, (raw, _) in results.items()}


def finished(raw: str) -> str:
    """Return the MathML that a page contains, from Temml's MathML."""
    math = ET.fromstring(raw)
    for name in ("class", "style"):
        math.attrib.pop(name, None)
    for row in [each for each in math.iter() if each.tag in ROWS]:
        _group_functions(row)
    _make_room(math)
    _space(math)
    _trim(math)
    text = ET.tostring(math, encoding="unicode").replace(" />", "/>")
    return _COLOUR.sub(lambda value: _VARIABLES[value[0]], text)


# --- Lines of the table -------------------------------------------------------------


def lines(browser: Browser, formulas: Iterable[Formula]) -> dict[Formula, str]:
    """Return the lines of the table for these formulas.

    A formula with digits is set a second time, with other digits. If each run of these
    digits stands in the MathML exactly once, the same line works for other digits.
    """
    wanted = list(formulas)
    other = {each: _renumbered(each) for each in wanted if DIGITS.search(each.latex)}
    found = set_formulas(browser, {*wanted, *other.values()})
    return dict(
        _line(each, found[each], found.get(other.get(each), "")) for each in wanted
    )


def _renumbered(formula: Formula) -> Formula:
    numbers = count(SENTINEL)
    return formula._replace(
        latex=DIGITS.sub(lambda _: str(next(numbers)), formula.latex)
    )


def _line(formula: Formula, mathml: str, renumbered: str) -> tuple[Formula, str]:
    runs = len(DIGITS.findall(formula.latex))
    expected = [str(SENTINEL + i) for i in range(runs)]
    shown = [run for run in re.findall(r"\d+", renumbered) if int(run) >= SENTINEL]
    if not runs or "#" in formula.latex or sorted(shown) != expected:
        return formula, mathml
    return formula.pattern, re.sub(r"\d+", _slot, renumbered)


def _slot(run: re.Match[str]) -> str:
    number = int(run[0]) - SENTINEL
    return f"#{number}" if number >= 0 else run[0]


# --- Room ---------------------------------------------------------------------------


def _make_room(math: ET.Element) -> None:
    """Add a class to letters that lean to the right, and to the scripts beside them.

    Chromium and Safari make no italic correction, so book.css makes it with these
    classes. Firefox makes the correction, so there book.css adds nothing.
    """
    scripted = [element for element in math.iter() if element.tag in SCRIPTED]
    bases = [_core(element[0]) for element in scripted]
    for element, base in zip(scripted, bases, strict=True):
        script = element[-1]
        names = PADS.sub("", script.get("class", ""))
        lean = leaning().get(drawn(base)) if element.tag in RAISED else None
        _set_class(script, f"{names} after-{lean}" if lean else names)
        # Without the class a subscript would touch such a letter.
        if element.tag in LOWERED and drawn(base) in tight():
            _set_class(element[1], f"{element[1].get('class', '')} after-1")
    for letter in math.iter("mi"):
        if letter not in bases and (level := leaning().get(drawn(letter))):
            _set_class(letter, f"{letter.get('class', '')} leans-{level}")


def _group_functions(row: ET.Element) -> None:
    """Group a function's name with the invisible sign that applies it.

    Without the group Firefox leaves room before the argument, bracketed or not.
    """
    for i, (name, sign) in reversed([*enumerate(pairwise(row))]):
        if sign.text == APPLICATION and len(row) > 2:
            group = ET.Element("mrow")
            group.extend([name, sign])
            row[i : i + 2] = [group]


def _space(math: ET.Element) -> None:
    """Correct the spaces that differ between MathML and TeX."""
    for element in [each for each in math.iter() if each.tag in SCRIPTED]:
        for operator in (mo for script in element[1:] for mo in script.iter("mo")):
            _close_up(operator)
    for row in [each for each in math.iter() if each.tag in ROWS]:
        neighbours = zip([None, *row], [*row], [*row[1:], None], strict=False)
        for before, child, after in neighbours:
            _space_operator(_core(child), _opens(before), _closes(after))
            if _is_function(child) and not _opens(before) and before.tag != "mspace":
                row.insert([*row].index(child), ET.Element("mspace", width=THIN))


def _space_operator(operator: ET.Element, opened: bool, closed: bool) -> None:
    """Set the space of large brackets, sums, dots and lone operators as TeX does."""
    is_lone = operator.text in BINARY and (opened or closed)
    if operator.get("minsize") or is_lone:  # `minsize`: a large bracket
        _close_up(operator)
    elif operator.text in SUMS and opened:
        operator.set("lspace", "0em")
    elif operator.text in DOTS:
        operator.set("lspace", "0em" if opened else THIN)
        operator.set("rspace", "0em" if closed else THIN)


def _close_up(operator: ET.Element) -> None:
    operator.attrib.update(lspace="0em", rspace="0em")


def _trim(math: ET.Element) -> None:
    """Remove the space at the end of a formula that ends with a function's name."""
    row = last = math
    while len(last):
        row, last = last, last[-1]
    if last.tag == "mspace":
        row.remove(last)


def _opens(before: ET.Element | None) -> bool:
    """Return whether `before` is the start, an operator or an opening bracket."""
    return before is None or (before.tag == "mo" and before.get("form") != "postfix")


def _closes(after: ET.Element | None) -> bool:
    """Return whether `after` is the end, an operator or a closing bracket."""
    return after is None or (after.tag == "mo" and after.get("form") != "prefix")


def _is_function(element: ET.Element) -> bool:
    """Return whether an element is, or begins with, a function's name such as ln."""
    while element.tag == "mrow" and len(element):
        element = element[0]
    return element.tag == "mi" and len(element.text or "") > 1


def _core(element: ET.Element) -> ET.Element:
    """Return the base of an element, without its scripts and groups."""
    while element.tag in SCRIPTED or (
        element.tag in ("mrow", "mstyle") and len(element) == 1
    ):
        element = element[0]
    return element


def _set_class(element: ET.Element, names: str) -> None:
    element.attrib.pop("class", None)
    if names.strip():
        element.set("class", names.strip())
