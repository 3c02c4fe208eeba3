"""Notes and folds in a form that every host of notebooks renders."""

from docutils import nodes
from docutils.core import publish_doctree
from myst_parser.parsers.docutils_ import Parser

from book.plain import Notes, plain

NOTE = "```{note}\nSo.\n\nAnd so.\n```"
FOLD = ":::{admonition} Why\n:class: dropdown\n\nSo.\n\n```python\nx\n```\n:::"


def test_directives_become_markdown_that_a_second_pass_keeps():
    note = "> **Note**\n>\n> So.\n>\n> And so."
    fold = (
        '<details class="fold"><summary><b>Why</b></summary>\n\nSo.\n\n'
        "```python\nx\n```\n\n</details>"
    )
    for given, made in {NOTE: note, f"a\n\n{FOLD}\n\nb": f"a\n\n{fold}\n\nb"}.items():
        assert plain(given) == made
        assert plain(made) == made


def test_the_site_shows_only_a_titled_quotation_as_a_note():
    text = plain(NOTE) + "\n\nWords.\n\n> **Bold** words of somebody.\n>\n> More."
    document = publish_doctree(text, parser=Parser())
    Notes(document).apply()
    [note] = document.findall(nodes.admonition)
    assert [child.astext() for child in note] == ["Note", "So.", "And so."]
    [quotation] = document.findall(nodes.block_quote)
    assert quotation.astext().startswith("Bold words")
