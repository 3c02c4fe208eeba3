"""The search index holds plain words; tested without a built site."""

import json

from book.search import MAX_TEXT, places_script
from book.search.places import Place


def test_a_long_text_loses_its_beginning_or_a_word():
    text = "The first sentence. " * 40 + "The second sentence has another word. " * 40
    place = Place("a", "section", "Title", text.strip())
    script = places_script([("page", "Page", False, [place])])
    written = json.loads(script.partition(" = ")[2][:-2])
    [[*_, begun, further]] = written["places"]
    assert text.startswith(begun)
    assert 0 < len(begun) <= MAX_TEXT
    assert begun.endswith(".")
    known = f"{begun} {further}".lower().replace(".", "").split()
    assert set(known) == set(text.lower().replace(".", "").split())
