"""Sphinx transform: mark the French words of the translator's chapters as French.

A screen reader then speaks them as French (WCAG 2.2, criterion 3.1.2).
"""

from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

from transformer.vocabulary import ENGLISH, FRENCH

WORDS = {*FRENCH.words} - {*ENGLISH.words}


class FrenchWords(SphinxTransform):
    """Gives words in italics ``lang="fr"`` if all are only in the French vocabulary."""

    default_priority = 210

    def apply(self, **_: Any) -> None:
        """Mark the French words of one document."""
        for words in self.document.findall(nodes.emphasis):
            if WORDS.issuperset(words.astext().split()):
                words["classes"].append("language-fr")  # docutils writes it as `lang`
