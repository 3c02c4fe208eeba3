"""The built site: its pages, their elements, and what code wrote into them."""

from functools import cache
from pathlib import Path

from lxml import html
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))

UNREAD = {"svg", "script", "style", "pre", "button", "summary", "footer"}
LINES = {"p", "li", "tr", "h1", "h2", "h3", "h4", "dt", "dd", "caption"}
CELLS = {"td", "th"}


@cache
def text_of(name: str) -> str:
    """The HTML of a page."""
    return (SITE / name).read_text(encoding="utf-8")


@cache
def page(name: str) -> html.HtmlElement:
    """The elements of a page; a formula is its LaTeX, as an author reads it."""
    read = html.fromstring(text_of(name))
    for formula in read.xpath("//*[@data-tex]"):
        del formula[:]
        formula.text = rf"\({formula.get('data-tex')}\)"
    return read


def contents() -> list[str]:
    """Every file that `_toc.yml` names, in its order."""
    return list(parse_toc_yaml(ROOT / "_toc.yml"))


def with_class(name: str) -> str:
    """XPath of an element's having a class."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def lines_of(element: html.HtmlElement) -> list[str]:
    """What an element says line by line, a table row by row, links with their targets.

    Figures are left out, and what a reader does not read as text.
    """
    lines = [""]

    def read(node: html.HtmlElement, in_cell: bool) -> None:
        breaks = node.tag in LINES and not in_cell
        if breaks:
            lines.append("")
        lines[-1] += node.text or ""
        for child in node:
            if is_read(child):
                read(child, in_cell or node.tag in CELLS)
            lines[-1] += child.tail or ""
        if node.tag == "a" and node.get("href"):
            lines[-1] += f" <{node.get('href')}>"
        if node.tag in CELLS:
            lines[-1] += " | "
        if breaks:
            lines.append("")

    read(element, in_cell=False)
    return [line for line in (" ".join(each.split()) for each in lines) if line]


def is_read(node: html.HtmlElement) -> bool:
    """Whether a reader reads what an element holds; a comment is none."""
    return (
        isinstance(node.tag, str)
        and node.tag not in UNREAD
        and "widget" not in node.get("class", "").split()
    )
