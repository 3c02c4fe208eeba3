"""Data of each page for the files that list the contents of all pages.

A build writes only the pages that changed. For every other page it uses the data that
an earlier build stored here. The data are collected while Sphinx writes the pages.
Sphinx saves its own environment before that, so these data need their own file.
"""

import hashlib
import pickle
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sphinx.environment import BuildEnvironment

from book.progress import CountedPage
from book.search.places import Place
from book.widgets import Still

FILE = "registers.pickle"  # in Sphinx's folder of doctrees


@dataclass
class Registers:
    """Data of each page, by the page's name."""

    # The page's title, and its figures.
    figures: dict[str, tuple[str, list[Still]]] = field(default_factory=dict)
    # Data for the reader's progress; only of pages that count for progress.
    read: dict[str, CountedPage] = field(default_factory=dict)
    # Reading time of each section.
    minutes: dict[str, dict[str, float]] = field(default_factory=dict)
    # Places that the search can find.
    places: dict[str, list[Place]] = field(default_factory=dict)
    # Files of the page's widget views, by the widget's class.
    views: dict[str, dict[str, Any]] = field(default_factory=dict)
    # Hash of what any page may show of other pages (see `known_elsewhere`).
    elsewhere: str = ""

    def purge(self, page: str) -> None:
        """Delete the data of a page."""
        registers = (self.figures, self.read, self.minutes, self.places, self.views)
        for register in registers:
            register.pop(page, None)

    def load(self, folder: Path) -> None:
        """Load the data that the last build saved, if there are any."""
        try:
            self.__dict__.update(pickle.loads((folder / FILE).read_bytes()))
        except FileNotFoundError:
            self.__dict__.update(vars(Registers()))

    def save(self, folder: Path) -> None:
        """Save the data for the next build."""
        (folder / FILE).write_bytes(pickle.dumps(vars(self)))


def known_elsewhere(env: BuildEnvironment) -> str:
    """Return a hash of what a page may show of other pages.

    This is: titles, targets of links, and cited works. If the hash changes, every page
    is written again. A change of prose does not change the hash.
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
    """List the headings of a page with the names by which links refer to them."""
    slugs = env.metadata[page].get("myst_slugs", {})
    return sorted((slug, str(found[1:])) for slug, found in slugs.items())


def _sorted(entries: Any) -> Iterable[tuple[str, str]]:
    return sorted((str(key), str(value)) for key, value in entries.items())
