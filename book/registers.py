"""What each written page gives to files that list what all pages hold.

A build writes the pages that changed; of every other page it takes what an earlier
build noted here. The notes are made while pages are written. Sphinx saves its own
environment before that, so the notes have a file beside it.
"""

import hashlib
import pickle
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sphinx.environment import BuildEnvironment

from book.progress import Read
from book.search.places import Place
from book.widgets import Still

FILE = "registers.pickle"  # in Sphinx's folder of doctrees


@dataclass
class Registers:
    """What each page holds, by the page's name.

    Attributes
    ----------
    figures : dict of str to (str, list of Still)
        The page's title, and its figures.
    read : dict of str to Read
        Only of pages that are to be read.
    minutes : dict of str to dict of str to float
        Reading time of each section.
    places : dict of str to list of Place
        What a search can find.
    views : dict of str to (list of str, list of str)
        Scripts and stylesheets of the page's widgets, by the widget's class.
    elsewhere : str
        Hash of what any page may show of other pages (see `known_elsewhere`).
    """

    figures: dict[str, tuple[str, list[Still]]] = field(default_factory=dict)
    read: dict[str, Read] = field(default_factory=dict)
    minutes: dict[str, dict[str, float]] = field(default_factory=dict)
    places: dict[str, list[Place]] = field(default_factory=dict)
    views: dict[str, dict[str, Any]] = field(default_factory=dict)
    elsewhere: str = ""

    def purge(self, page: str) -> None:
        """Forget a page."""
        for register in (self.figures, self.read, self.minutes, self.places):
            register.pop(page, None)
        self.views.pop(page, None)

    def load(self, folder: Path) -> None:
        """Take over the notes of the build before, if there are any."""
        try:
            self.__dict__.update(pickle.loads((folder / FILE).read_bytes()))
        except FileNotFoundError:
            self.__dict__.update(vars(Registers()))

    def save(self, folder: Path) -> None:
        """Keep the notes for the next build."""
        (folder / FILE).write_bytes(pickle.dumps(vars(self)))


def known_elsewhere(env: BuildEnvironment) -> str:
    """Return a hash of what a page may show of other pages: titles, targets, sources.

    Where the hash changes, every page is written again. A changed word of prose leaves
    it as it is.
    """
    std, python, cited = (env.get_domain(name) for name in ("std", "py", "cite"))
    known = (
        sorted((name, str(title)) for name, title in env.titles.items()),
        sorted((name, _slugs(env, name)) for name in env.found_docs),
        sorted(env.toctree_includes.items()),
        *(_sorted(std.data[key]) for key in ("labels", "anonlabels", "terms")),
        _sorted(std.objects),
        _sorted(python.objects),
        sorted(
            (each.docname, [target.key for target in each.targets])
            for each in cited.citation_refs
        ),
    )
    return hashlib.sha256(repr(known).encode()).hexdigest()


def _slugs(env: BuildEnvironment, page: str) -> list[tuple[str, str]]:
    """List the headings of a page, by the names that links give them."""
    slugs = env.metadata[page].get("myst_slugs", {})
    return sorted((slug, str(found[1:])) for slug, found in slugs.items())


def _sorted(entries: Any) -> Iterable[tuple[str, str]]:
    return sorted((str(key), str(value)) for key, value in entries.items())
