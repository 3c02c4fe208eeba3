"""Sphinx transform: turn a note written as a quotation into an admonition.

JupyterLab without jupyterlab-myst, Notebook 7, nbclassic, VS Code and Colab show a MyST
directive as code. So in a notebook a note is a quotation that begins with a bold title,
and a fold is ``<details>``. For the site, `Notes` turns such a quotation back into an
admonition.
"""

from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform


class Notes(SphinxTransform):
    """Turn a quotation that begins with a title in bold into an admonition."""

    default_priority = 210

    def apply(self, **_: Any) -> None:
        """Replace each such quotation in the document."""
        quotations = list(self.document.findall(nodes.block_quote))
        for quotation in filter(len, quotations):  # a line ">" is an empty quotation
            first, *body = quotation.children
            # Markdown puts empty texts beside bold words.
            match [child for child in first.children if child.astext()]:
                case [nodes.strong() as title] if body:
                    heading = nodes.title("", "", *title.children)
                    quotation.replace_self(nodes.admonition("", heading, *body))
