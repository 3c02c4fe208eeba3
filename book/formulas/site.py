"""Find the formulas on the pages of a built site, and which of them are set."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from book.formulas import Formula, mathml, views

_WRITTEN = re.compile(r'<(span|div) class="math([^"]*)" data-tex="([^"]*)"')


def written(html: str) -> Iterator[tuple[Formula, bool]]:
    """Yield each formula in a page's HTML, and whether it is set."""
    for element, classes, tex in _WRITTEN.findall(html):
        yield Formula(unescape(tex), element == "div"), "unset" not in classes


def shown(html: str) -> Iterator[tuple[Formula, bool]]:
    """Yield each formula of a page and of its figures, and whether it is set."""
    yield from written(html)
    yield from ((each, mathml(each) is not None) for each in views.needed(html))


def of_site(site: Path, only_unset: bool = False) -> dict[Formula, str]:
    """Return, for each formula of a site, the first page that has it.

    If `only_unset`, return only the formulas without MathML in the table.
    """
    return {
        found: page.relative_to(site).as_posix()
        for page in sorted(site.rglob("*.html"), reverse=True)  # the first page stays
        for found, is_set in shown(page.read_text(encoding="utf-8"))
        if not (only_unset and is_set)
    }
