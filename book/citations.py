"""Number the sources in a copy of a chapter, and list them at its end.

A chapter cites a source with a link to the page of sources,
``[Vaswani et al.](../sources.md)``. A copy for GitHub or Colab has no such page, so it
gets numbers and a list.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pybtex.database import Entry, parse_file
from pybtex.richtext import Text

_NAMED = re.compile(r"\[(?P<words>[^\[\]]+)\]\(\.\./sources\.md\)")


@cache
def entries(bibliography: Path) -> dict[str, Entry]:
    """Return the entries of a bibliography by their keys."""
    return dict(parse_file(bibliography).entries)


@cache
def _plain(latex: str) -> str:
    return str(Text.from_latex(latex))


def _surnames(entry: Entry) -> list[str]:
    people = entry.persons["author"]
    return [
        _plain(" ".join((*each.prelast_names, *each.last_names))) for each in people
    ]


def title_of(entry: Entry) -> str:
    """Return the title of a source without LaTeX."""
    return _plain(entry.fields["title"])


def _names(entry: Entry) -> Iterator[str]:
    """Yield the words with which a chapter may cite a source."""
    first, *others = _surnames(entry)
    authors = [first] if not others else [f"{first} et al.", f"{first} and colleagues"]
    if others:
        authors.append(f"{', '.join([first, *others[:-1]])} and {others[-1]}")
    for each in authors:
        yield each
        yield f"{each}, {entry.fields['year']}"
    yield title_of(entry)


@cache
def _keys_by_name(bibliography: Path) -> dict[str, list[str]]:
    """Return the keys of the sources that a name may mean, by name in lower case."""
    found: dict[str, list[str]] = {}
    for key, entry in entries(bibliography).items():
        for name in dict.fromkeys(name.lower() for name in _names(entry)):
            found.setdefault(name, []).append(key)
    return found


def named(words: str, bibliography: Path) -> str | None:
    """Return the key of the source that words name; None if not exactly one fits."""
    name = " ".join(words.replace("*", "").split()).lower()
    keys = _keys_by_name(bibliography).get(name, [])
    return keys[0] if len(keys) == 1 else None


def address_of(entry: Entry) -> str:
    """Return the address of a source; "" if the bibliography has none."""
    fields = entry.fields
    if "doi" in fields:
        return f"https://doi.org/{fields['doi']}"
    if "eprint" in fields:
        return f"https://arxiv.org/abs/{fields['eprint']}"
    return fields.get("url", "")


@dataclass
class Citations:
    """The keys of the sources that one copy cites, in the order of first citation."""

    bibliography: Path
    keys: list[str] = field(default_factory=list)

    def numbered(self, text: str) -> str:
        """Return a text with a numbered link after each source that the text cites."""
        return _NAMED.sub(self._with_number, text)

    def _with_number(self, found: re.Match[str]) -> str:
        key = named(found["words"], self.bibliography)
        if key is None:
            return found[0]
        if key not in self.keys:
            self.keys.append(key)
        number = self.keys.index(key) + 1
        address = address_of(entries(self.bibliography)[key]) or "../sources.md"
        return f"{found[0]} [[{number}]]({address})"

    def listed(self) -> str:
        """Return a section that lists the numbered sources; "" if there are none."""
        items = [f"{i}. {self._line(key)}" for i, key in enumerate(self.keys, 1)]
        return "\n".join(["## Sources", "", *items]) if items else ""

    def _line(self, key: str) -> str:
        entry = entries(self.bibliography)[key]
        first, *others = _surnames(entry)
        more = f" and {others[0] if len(others) == 1 else 'others'}" if others else ""
        title, address = title_of(entry), address_of(entry)
        shown = f"[*{title}*]({address})" if address else f"*{title}*"
        return f"{first}{more}: {shown}, {entry.fields['year']}"
