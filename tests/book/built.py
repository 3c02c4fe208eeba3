"""The built site: its pages, their elements and their text."""

from functools import cache
from pathlib import Path

from lxml import html
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))


@cache
def text_of(name: str) -> str:
    """Return the HTML of a page."""
    return (SITE / name).read_text(encoding="utf-8")


@cache
def page(name: str) -> html.HtmlElement:
    """Return the elements of a page, with LaTeX in place of each formula."""
    read = html.fromstring(text_of(name))
    for formula in read.xpath("//*[@data-tex]"):
        del formula[:]
        formula.text = rf"\({formula.get('data-tex')}\)"
    return read


@cache
def ids(name: str) -> set[str]:
    return set(page(name).xpath("//@id"))


def contents() -> list[str]:
    """Return every file that `_toc.yml` names, in its order."""
    return list(parse_toc_yaml(ROOT / "_toc.yml"))


def with_class(name: str) -> str:
    """Return an XPath condition: the element has this class."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"
