"""Ways through the course on the home page: sections, each with its minutes.

The home page lists the sections of each way as links, in a container of the class
``way``. How long each takes follows from the formula of `book.reading_time`, so it is
known once every page is written, and is put beside the links then.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

Minutes = Mapping[str, Mapping[str, float]]  # by page, then by section; "" is all

_WAY = re.compile(r'<div class="[^"]*\bway\b[^"]*">.*?</div>', re.DOTALL)
_FIRST = re.compile(r"</strong>")
_LINK = re.compile(r'(<a\b[^>]*href="([^"]+)"[^>]*>.*?</a>)', re.DOTALL)


def timed(home: str, minutes: Minutes) -> str:
    """Put minutes beside the links of each way, and their sum beside its name.

    Parameters
    ----------
    home : str
        HTML of the home page.
    minutes : mapping of str to mapping of str to float
        For each page its sections.

    Raises
    ------
    KeyError
        If a link leads to no section of a page.
    """
    return _WAY.sub(lambda way: _timed(way[0], minutes), home)


def _timed(way: str, minutes: Minutes) -> str:
    found = [_minutes(href, minutes) for _, href in _LINK.findall(way)]
    shown = iter(found)
    way = _LINK.sub(lambda link: f"{link[1]} {_beside(next(shown))}", way)
    return _FIRST.sub(f"</strong> {_beside(sum(found))}", way, count=1)


def _minutes(href: str, minutes: Minutes) -> float:
    address = urlsplit(href)
    page = PurePosixPath(address.path).with_suffix("").as_posix()
    return minutes[page][unquote(address.fragment)]


def _beside(minutes: float) -> str:
    whole = max(1, round(minutes))
    return f'<span class="minutes">{whole} min</span>'
