"""Reading paths on the home page: lists of sections with reading times.

The home page lists the sections of each path as links, in a container of the class
``way``. After all pages are written, the build computes the minutes of a section with
`book.reading_time` and writes them beside the links.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

Minutes = Mapping[str, Mapping[str, float]]  # by page and section; "" is the whole page

_PATH = re.compile(r'<div class="[^"]*\bway\b[^"]*">.*?</div>', re.DOTALL)
_LINK = re.compile(r'(<a\b[^>]*href="([^"]+)"[^>]*>.*?</a>)', re.DOTALL)


def timed(home: str, minutes: Minutes) -> str:
    """Return the home page with minutes at each link and a sum at each path's name.

    Raise a KeyError if `minutes` lacks the page or the section of a link.
    """
    return _PATH.sub(lambda path: _timed(path[0], minutes), home)


def _timed(path: str, minutes: Minutes) -> str:
    shown: list[int] = []

    def with_minutes(link: re.Match[str]) -> str:
        shown.append(_minutes(link[2], minutes))
        return f"{link[1]} {_minutes_html(shown[-1])}"

    path = _LINK.sub(with_minutes, path)
    return path.replace("</strong>", f"</strong> {_minutes_html(sum(shown))}", 1)


def _minutes(href: str, minutes: Minutes) -> int:
    """Return the rounded minutes of the page or section that a link names."""
    address = urlsplit(href)
    page = PurePosixPath(address.path).with_suffix("").as_posix()
    return max(1, round(minutes[page][unquote(address.fragment)]))


def _minutes_html(minutes: int) -> str:
    return f'<span class="minutes">{minutes} min</span>'
