"""Put figures into the page as inline SVG, which follows the page's theme.

Matplotlib writes an SVG file for each figure. Inside an ``<img>`` a figure could use
neither the page's light or dark theme nor its fonts. So the SVG becomes part of the
page: colours become CSS variables, ids become unique, and the alt text becomes the
accessible name.
"""

import hashlib
import re
from functools import cache
from html import escape, unescape
from pathlib import Path

from docutils import nodes
from matplotlib.font_manager import findfont
from matplotlib.ft2font import FT2Font
from sphinx.util import logging

from book.report import CELL
from course.kit import look

LOGGER = logging.getLogger(__name__)

_BEFORE_SVG = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_DROPPED = re.compile(  # the style rule would apply to every SVG of the page
    r"<metadata>.*?</metadata>|<!--.*?-->|<style\b.*?</style>", re.DOTALL
)
_BETWEEN_TAGS = re.compile(r">\s+<")
_TSPANS = re.compile(r"(?:<tspan\b[^>]*>[^<]*</tspan>)+")
_TSPAN = re.compile(r'<tspan x="([^"]*)" y="([^"]*)" style="([^"]*)">([^<]*)</tspan>')
_SIZE = re.compile(r"font-size: ([\d.]+)px")
_ID = re.compile(r'(\bid="|xlink:href="#|\bhref="#|url\(#)([^")]+)')
_OPENING = re.compile(r"<svg\b[^>]*>")
_VIEW_BOX = re.compile(r'viewBox="([^"]+)"')
# a property font-family, or the family names in the shorthand "font: 10px 'A', ..."
_FAMILY = re.compile(r"font-family: [^;\"]*;?\s*|(?<=px )'[^;\"]*")


def inline(svg: str, alt: str) -> str:
    """Turn an SVG document of Matplotlib into an ``<svg>`` for the body of a page.

    The ``<svg>`` has the width of the drawing, or of its column if that is narrower.
    `alt` says in a sentence what the figure shows. It becomes the accessible name.
    """
    body = _DROPPED.sub("", _BEFORE_SVG.sub("", svg))
    body = _BETWEEN_TAGS.sub("><", body).strip()
    opening = _OPENING.match(body)
    view_box = _VIEW_BOX.search(opening[0]) if opening else None
    if not (opening and view_box):
        raise ValueError("an SVG figure needs a viewBox to scale with its column")
    width = float(view_box[1].split()[2]) * 4 / 3  # points to CSS pixels
    prefix = "f" + hashlib.sha256(svg.encode()).hexdigest()[:8] + "-"
    rest = _TSPANS.sub(_join_letters, body[opening.end() :])
    rest = _ID.sub(rf"\g<1>{prefix}\g<2>", rest)
    return (
        f'<svg role="img" aria-label="{escape(alt)}" viewBox="{view_box[1]}" '
        f'style="--drawn:{width:.0f}px" stroke-linejoin="round" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f"{look.themed(_inherit_font(rest))}"
    )


def _inherit_font(svg: str) -> str:
    """Return an SVG without typefaces, so that the page's font applies; keep sizes."""
    return _FAMILY.sub(lambda found: "" if "family" in found[0] else "inherit", svg)


def _join_letters(line: re.Match[str]) -> str:
    """Join the letters of a label, because Matplotlib places each letter alone.

    Two letters are joined if the second begins where the first ends, measured with
    Matplotlib's font. The page's own font then spaces the joined letters.
    """
    letters = sorted(_TSPAN.findall(line[0]), key=lambda found: float(found[0]))
    runs: list[list[str]] = []
    end = 0.0
    for x, y, style, letter in letters:
        if runs and runs[-1][1:3] == [y, style] and abs(float(x) - end) < 0.5:
            runs[-1][3] += letter
        else:
            runs.append([x, y, _radical(style), letter])
        end = float(x) + _advance(letter, style)
    return "".join(
        f'<tspan x="{x}" y="{y}" style="{style}">{text}</tspan>'
        for x, y, style, text in runs
    )


def _radical(style: str) -> str:
    """Enlarge Matplotlib's tall root sign, because an ordinary font has no tall one."""
    if "STIXSize" not in style:
        return style
    return _SIZE.sub(lambda size: f"font-size: {1.65 * float(size[1]):.2f}px", style)


@cache
def _measuring_font() -> FT2Font:
    return FT2Font(findfont("DejaVu Sans"))


def _advance(letter: str, style: str) -> float:
    """Return the width of a letter as Matplotlib measured it."""
    font, size = _measuring_font(), _SIZE.search(style)
    font.set_size(float(size[1]) if size else 10.0, 72)
    widths = (font.load_char(ord(c)) for c in unescape(letter))
    return sum(width.linearHoriAdvance for width in widths) / 65536


def _place(node: nodes.Node, page: str) -> tuple[str, int | None]:
    """Return the page and the line for a warning; see `book.report.CELL`."""
    while node := node.parent:
        if "cell_index" in getattr(node, "attributes", {}):
            return page, (node["cell_index"] + 1) * CELL
    return page, None


def visit_image(translator: nodes.NodeVisitor, node: nodes.image) -> None:
    """Write an image: an SVG of a cell as part of the page, any other as a file."""
    where = _place(node, translator.builder.current_docname)
    if not node.get("alt", "").strip() or node["alt"] == node["uri"]:
        LOGGER.warning("figure without alt text: %s", node["uri"], location=where)
    path = Path(translator.builder.srcdir) / node["uri"]
    if path.suffix == ".svg" and "jupyter_execute" in path.parts:
        svg = inline(path.read_text(encoding="utf-8"), node.get("alt", ""))
        if "<image" in svg:
            LOGGER.warning("figure holds pixels, not shapes", location=where)
        translator.body.append(f'<div class="figure">{svg}</div>')
        raise nodes.SkipNode
    # this function replaces the instance's method; the class still has Sphinx's
    type(translator).visit_image(translator, node)


def depart_image(translator: nodes.NodeVisitor, node: nodes.image) -> None:
    """Close the element that `visit_image` opened."""
    type(translator).depart_image(translator, node)
