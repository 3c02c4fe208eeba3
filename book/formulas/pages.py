"""Formulas in the pages that Sphinx writes."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

from book.formulas import formula, markup

RENDERER = "table"


def setup(app: Sphinx) -> None:
    """Register the renderer that looks formulas up; called by the book's extension."""
    app.add_html_math_renderer(RENDERER, (_inline, None), (_display, None))


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(markup(formula(node.astext())))
    raise nodes.SkipNode


def _display(translator: HTML5Translator, node: nodes.math_block) -> None:
    if node.get("number"):
        number = get_node_equation_number(translator, node)
        translator.body.append(translator.starttag(node, "div", CLASS="numbered"))
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append(markup(formula(node.astext(), display=True)))
    if node.get("number"):
        translator.body.append("</div>")
    raise nodes.SkipNode
