"""The search index holds plain words; tested without a built site."""

import json

from docutils import nodes
from docutils.core import publish_doctree
from sphinx import addnodes

from book.search import SHOWN, figure_place, later_pages, places_script
from book.search.places import Place, places_in


def document_of(section):
    document = nodes.document(None, None)
    document += section
    return document


def test_a_place_holds_its_own_words_and_no_others():
    document = publish_doctree(
        """
Page
====

Words of the page, :math:`d_k` among them.

Second
------

Words of the second.

::

    code = "of the second"

Third
-----

========  ======
asked     0.25
told      0.50
========  ======
"""
    )
    page = nodes.section("", *document.children, ids=["page"])
    found = {place.title: place for place in places_in(document_of(page))}
    assert set(found) == {"Page", "Second", "Third"}
    assert found["Page"] == Place(
        "page", "page", "Page", "Words of the page, d_k among them."
    )
    assert found["Second"].text == "Words of the second."
    assert found["Third"].text == "asked. told."


def test_folded_text_is_not_among_the_words_of_a_place():
    def raw(text):
        return nodes.raw("", text, format="html")

    folded = [
        raw("<details><summary>Hint</summary>"),
        nodes.paragraph("", "The answer."),
    ]
    shown = nodes.paragraph("", "The question.")
    parts = [shown, *folded, *folded, raw("</details></details>"), shown.deepcopy()]
    section = nodes.section("", nodes.title("", "Try it"), *parts, ids=["try-it"])
    [place] = places_in(document_of(section))
    assert place.text == "The question. The question."


def test_a_term_and_its_definition_are_a_place():
    term = nodes.term(
        "", "", nodes.math("W^O", "W^O"), addnodes.index(), ids=["term-W-O"]
    )
    definition = nodes.definition("", nodes.paragraph("", "Output projection."))
    item = nodes.definition_list_item("", term, definition)
    glossary = addnodes.glossary("", nodes.definition_list("", item))
    section = nodes.section("", nodes.title("", "Words"), glossary, ids=["words"])
    found = list(places_in(document_of(section)))
    assert found[0].text == ""
    assert found[1:] == [Place("term-W-O", "term", "W^O", "Output projection.")]


def test_a_figure_is_found_by_its_title_and_reading():
    reading = "With <i>d</i><sub>k</sub> = 64 &amp; more."
    place = figure_place("fig-walk", "Why divide", reading)
    assert place == Place("fig-walk", "figure", "Why divide", "With d_k = 64 & more.")


def test_reference_pages_come_later_in_the_results():
    contents = {
        "To look up": ["glossary"],
        "Your turn": ["chapters/x"],
        None: ["intro"],
    }
    assert later_pages(contents) == {"glossary"}


def test_a_long_text_shows_its_beginning_and_keeps_every_word():
    text = "The first sentence. " * 40 + "The second sentence has another word. " * 40
    place = Place("a", "section", "Title", text.strip())
    script = places_script([("page", "Page", False, [place])])
    [[_, _, _, _, begun, further]] = json.loads(script.partition(" = ")[2][:-2])[
        "places"
    ]
    assert text.startswith(begun)
    assert 0 < len(begun) <= SHOWN
    assert begun.endswith(".")
    known = f"{begun} {further}".lower().replace(".", "").split()
    assert set(known) == set(text.lower().replace(".", "").split())
