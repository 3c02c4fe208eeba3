"""Reading paths ("ways") on the home page: lists of sections with reading times.

The home page lists the sections of each way as links, in a container of the class
``way``. After all pages are written, the build computes the minutes of a section with
`book.reading_time` and writes them beside the links.
"""

import html
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TypedDict
from urllib.parse import unquote, urlsplit


class WayStep(TypedDict):
    """A step of a way: a section, or the whole page if `id` is empty."""

    page: str
    id: str
    text: str


class Way(TypedDict):
    """A reading path through the course: its name and its steps."""

    name: str
    steps: list[WayStep]


Minutes = Mapping[str, Mapping[str, float]]  # by page and section; "" is the whole page

_WAY = re.compile(r'<div class="[^"]*\bway\b[^"]*">.*?</div>', re.DOTALL)
_FIRST = re.compile(r"</strong>")
_NAME = re.compile(r"<strong>(.*?)</strong>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
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


def ways(home: str) -> list[Way]:
    """Return the ways of the home page with their steps, in order.

    Parameters
    ----------
    home : str
        HTML of the home page.

    Returns
    -------
    list of Way
        The data from which a page shows the next step of the chosen way.
    """
    return [_way(found[0]) for found in _WAY.finditer(home)]


def _way(way: str) -> Way:
    name = _NAME.search(way)
    steps = [_step(link, href) for link, href in _LINK.findall(way)]
    return {"name": _text(name[1]) if name else "", "steps": steps}


def _step(link: str, href: str) -> WayStep:
    page, section = _target(href)
    return {"page": page, "id": section, "text": _text(link)}


def _text(markup: str) -> str:
    return " ".join(html.unescape(_TAG.sub("", markup)).split())


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
