"""Notes and folds in a form that every host of notebooks renders."""

from docutils import nodes
from docutils.core import publish_doctree
from myst_parser.parsers.docutils_ import Parser

from book.plain import Notes

NOTE = "> **Note**\n>\n> So.\n>\n> And so."


def test_a_titled_quotation_is_no_note_or_another_quotation_is_one():
    text = NOTE + "\n\nWords.\n\n> **Bold** words of somebody.\n>\n> More."
    document = publish_doctree(text, parser=Parser())
    Notes(document).apply()
    [note] = document.findall(nodes.admonition)
    assert [child.astext() for child in note] == ["Note", "So.", "And so."]
    [quotation] = document.findall(nodes.block_quote)
    assert quotation.astext().startswith("Bold words")


def test_a_lone_mark_of_a_quotation_ends_the_build():
    document = publish_doctree("Words.\n\n>\n\nMore.", parser=Parser())
    Notes(document).apply()
    assert not list(document.findall(nodes.admonition))
