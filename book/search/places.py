"""The places of a page that a search can lead to, each with its words.

A place has only the words that a reader sees without a click: no code, no printed
output, no folded text, no alternative text.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docutils import nodes
from sphinx import addnodes

from book.formulas.words import plain_formula

_UNSEEN = (
    *(nodes.raw, nodes.comment, nodes.meta, nodes.image, nodes.label),
    *(nodes.literal_block, nodes.doctest_block),
    nodes.field_list,  # in the reference: the types of arguments
    addnodes.index,
    addnodes.toctree,
)
_DETAILS, _DETAILS_END = re.compile("<details"), re.compile("</details")
_WORD = re.compile(r"[^\W\d_]{2}")  # table cells without a word are left out
_STARTS_A_PLACE = (nodes.section, addnodes.glossary, addnodes.desc, nodes.citation)


class Place(NamedTuple):
    """A place that the search can find."""

    anchor: str  # id of the place on its page
    # ``page``, ``section``, ``exercise`` (in code), ``figure``, ``term`` (of the
    # glossary), ``name`` (of the library) or ``source`` (of the literature).
    kind: str
    # Plain words: no markup, and formulas as a reader would type them.
    title: str
    text: str


def places_in(document: nodes.document) -> Iterator[Place]:
    """Yield the places of a page on which all of Sphinx's transforms have run."""
    for node in document.findall():
        if isinstance(node, nodes.section):
            yield _section(node)
        elif isinstance(node, addnodes.glossary):
            yield from map(_term, node.findall(nodes.definition_list_item))
        elif isinstance(node, addnodes.desc):
            yield from _name(node)
        elif isinstance(node, nodes.citation):
            yield Place(node["ids"][0], "source", _joined(*node.children), "")


def _section(node: nodes.section) -> Place:
    title, *rest = node.children
    is_exercise = any(_has_class(child, "tag_exercise") for child in node.children)
    kind = "exercise" if is_exercise else "section"
    kind = "page" if isinstance(node.parent, nodes.document) else kind
    return Place(node["ids"][0], kind, _line(title), _joined(*rest))


def _has_class(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Element) and name in node.get("classes", ())


def _term(item: nodes.definition_list_item) -> Place:
    term, *definition = item.children
    return Place(term["ids"][0], "term", _line(term), _joined(*definition))


def _name(node: addnodes.desc) -> Iterator[Place]:
    signature, content = node.children[0], node.children[-1]
    if signature.get("ids"):
        arguments = map(_line, signature.findall(addnodes.desc_parameter))
        text = f"{', '.join(arguments)}. {_joined(content)}".removeprefix(". ")
        yield Place(signature["ids"][0], "name", signature["fullname"], text)


def _joined(*some: nodes.Node) -> str:
    return " ".join(filter(None, _seen_blocks(some)))


def _seen_blocks(some: Iterable[nodes.Node]) -> Iterator[str]:
    """Yield the words of sibling nodes, except those within ``<details>``."""
    depth = 0
    for node in some:
        if isinstance(node, nodes.raw):
            depth += len(_DETAILS.findall(node.astext()))
            depth -= len(_DETAILS_END.findall(node.astext()))
        elif not depth:
            yield from _blocks(node)


def _blocks(node: nodes.Node) -> Iterator[str]:
    """Yield the words of a node by paragraph, without the places inside the node."""
    if isinstance(node, (*_UNSEEN, *_STARTS_A_PLACE)) or _has_class(node, "cell_input"):
        return
    if isinstance(node, nodes.row):
        cells = (" ".join(_blocks(cell)) for cell in node.children)
        text = ", ".join(filter(_WORD.search, cells))
        yield f"{text}." if text else ""
    elif isinstance(node, (nodes.TextElement, nodes.Text)):
        yield _line(node)
    else:
        yield from _seen_blocks(node.children)


def _line(node: nodes.Node) -> str:
    """Return the words of a paragraph or a heading as one line."""
    return " ".join("".join(_inline(node)).split())


def _inline(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, (nodes.math, nodes.math_block)):
        yield plain_formula(node.astext())
    elif isinstance(node, nodes.Text):
        yield node.astext()
    elif isinstance(node, nodes.raw):
        # x<sub>2</sub> is searched as x_2
        yield "_" if node.astext() == "<sub>" else ""
    elif not isinstance(node, addnodes.index):
        for child in node.children:
            yield from _inline(child)
