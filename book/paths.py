"""Reading paths ("ways") on the home page: lists of sections with reading times.

The home page lists the sections of each way as links, in a container of the class
``way``. After all pages are written, the build computes the minutes of a section with
`book.reading_time` and writes them beside the links.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

Minutes = Mapping[str, Mapping[str, float]]  # by page and section; "" is the whole page

_WAY = re.compile(r'<div class="[^"]*\bway\b[^"]*">.*?</div>', re.DOTALL)
_FIRST = re.compile(r"</strong>")
_LINK = re.compile(r'(<a\b[^>]*href="([^"]+)"[^>]*>.*?</a>)', re.DOTALL)


def timed(home: str, minutes: Minutes) -> str:
    """Return the home page with minutes at each link and a sum at each way's name.

    Parameters
    ----------
    home : str
        HTML of the home page.
    minutes : mapping of str to mapping of str to float
        Minutes of each section, by page.

    Raises
    ------
    KeyError
        If `minutes` lacks the page or the section of a link.
    """
    return _WAY.sub(lambda way: _timed(way[0], minutes), home)


def _target(href: str) -> tuple[str, str]:
    address = urlsplit(href)
    page = PurePosixPath(address.path).with_suffix("").as_posix()
    return page, unquote(address.fragment)


def _timed(way: str, minutes: Minutes) -> str:
    found = [_whole(_minutes(href, minutes)) for _, href in _LINK.findall(way)]
    shown = iter(found)
    way = _LINK.sub(lambda link: f"{link[1]} {_beside(next(shown))}", way)
    return _FIRST.sub(f"</strong> {_beside(sum(found))}", way, count=1)


def _minutes(href: str, minutes: Minutes) -> float:
    page, section = _target(href)
    return minutes[page][section]


def _whole(minutes: float) -> int:
    return max(1, round(minutes))


def _beside(minutes: int) -> str:
    return f'<span class="minutes">{minutes} min</span>'
