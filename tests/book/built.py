"""The built site: its pages, their elements and their text."""

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
    """Return the HTML of a page."""
    return (SITE / name).read_text(encoding="utf-8")


@cache
def page(name: str) -> html.HtmlElement:
    """Return the elements of a page; its LaTeX stands in place of each formula."""
    read = html.fromstring(text_of(name))
    for formula in read.xpath("//*[@data-tex]"):
        del formula[:]
        formula.text = rf"\({formula.get('data-tex')}\)"
    return read


def contents() -> list[str]:
    """Return every file that `_toc.yml` names, in its order."""
    return list(parse_toc_yaml(ROOT / "_toc.yml"))


def with_class(name: str) -> str:
    """Return an XPath condition: the element has this class."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def lines_of(element: html.HtmlElement) -> list[str]:
    """Return the text of an element, one line for each paragraph or table row.

    A link is followed by its target. Figures and the elements in `UNREAD` are left out.
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
    """Whether an element holds text for readers; comments and figures do not."""
    return (
        isinstance(node.tag, str)
        and node.tag not in UNREAD
        and "widget" not in node.get("class", "").split()
    )
