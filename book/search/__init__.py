"""The search of the site.

The build writes the words of every place (a section, figure, term ...; see `places`)
into one script, which only the search page loads. So the search also works from disk,
where a page cannot fetch files. MiniSearch keeps the index; `ranking.js` orders the
places and `page.js` shows them. No code here names a page, so the search finds new and
renamed pages.

Three things are written by hand:

* ``synonyms.csv``: what a reader may ask for (``asked``), what the course calls it
  (``found as``), and whether the two are the ``same`` or only ``near``;
* `LATER_PARTS`: the parts of the contents that come last among the results;
* ``tests/browser/search/queries.csv``: queries with the places that answer them. If a
  place moves, change its address there. Do not delete a query because the search
  answers it wrongly.
"""

import csv
import html
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from sphinx.search.en import SearchEnglish

from book.search.places import Place
from course.widgets.bundler import program

HERE = Path(__file__).parent
SYNONYMS = HERE / "synonyms.csv"
PLACES_FILE = "search-places.js"  # below the site's `_static`

MAX_TEXT = 1000  # characters; longer texts are cut at the end of a sentence
_WORD = re.compile(r"\w[\w^]*")

LATER_PARTS = ("The notes, checked", "To look up")
"""Parts of the contents whose pages come last in the results, except glossary terms."""


def script() -> str:
    """Return the search of the site, with Sphinx's stemmer, as one script."""
    return program("page.js", HERE, SearchEnglish.js_stemmer_code)


def synonyms() -> list[list[str]]:
    """Return the rows of synonyms: asked, found as, and how the two relate."""
    with SYNONYMS.open(encoding="utf-8", newline="") as file:
        return [
            [row["asked"], row["found as"], row["relation"]]
            for row in csv.DictReader(file)
        ]


def later_pages(contents: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the pages of `LATER_PARTS`, from the contents listed by part."""
    return {page for part in LATER_PARTS for page in contents.get(part, ())}


def figure_place(anchor: str, title: str, reading: str) -> Place:
    """Return a figure's place, from its title and the text on its state, both HTML."""
    return Place(anchor, "figure", _plain(title), _plain(reading))


def _plain(markup: str) -> str:
    subscripts = re.sub(r"</i><sub>(\w+)</sub>", r"_\1", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", subscripts)).split())


def _shortened(place: Place) -> list[str]:
    """Return a place's fields; cut a long text, and append each further word once.

    Readers see only a few lines of a text. The appended words keep the place findable.
    """
    end = place.text.rfind(". ", 0, MAX_TEXT) + 1
    if len(place.text) <= MAX_TEXT or not end:
        return list(place)
    begun, rest = place.text[:end], place.text[end:]
    known = set(_WORD.findall(f"{place.title} {begun}".lower()))
    further = (word for word in _WORD.findall(rest) if word.lower() not in known)
    once = {word.lower(): word for word in further if not word.isdigit()}
    return [*place._replace(text=begun), " ".join(once.values())]


def places_script(pages: Iterable[tuple[str, str, bool, Iterable[Place]]]) -> str:
    """Return all places as a script that sets ``globalThis.abhPlaces``.

    Each page has a name, a title, whether it comes last in the results, and its places.
    """
    names, places = [], []
    for number, (name, title, later, found) in enumerate(pages):
        names.append([f"{name}.html", title, int(later)])
        places.extend([number, *_shortened(place)] for place in found)
    data = {"pages": names, "places": places, "synonyms": synonyms()}
    data["stopWords"] = sorted(SearchEnglish.stopwords)
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.abhPlaces = {written};\n"
