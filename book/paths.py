"""Reading paths on the home page, with the minutes of each path.

The home page lists the sections of each path as links, in a container of the class
``way``. After all pages are written, the build computes the minutes of a section with
`book.reading_time` and writes their sum beside the name of each path.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

Minutes = Mapping[str, Mapping[str, float]]  # by page and section; "" is the whole page

_PATH = re.compile(r'<div class="[^"]*\bway\b[^"]*">.*?</div>', re.DOTALL)
_LINK = re.compile(r'<a\b[^>]*href="([^"]+)"')


def timed(home: str, minutes: Minutes) -> str:
    """Return the home page with the minutes of each path beside the path's name.

    Raise a KeyError if `minutes` lacks the page or the section of a link.
    """
    return _PATH.sub(lambda path: _timed(path[0], minutes), home)


def _timed(path: str, minutes: Minutes) -> str:
    total = sum(_minutes(href, minutes) for href in _LINK.findall(path))
    shown = f'<span class="minutes">{total} min</span>'
    return path.replace("</strong>", f"</strong> {shown}", 1)


def _minutes(href: str, minutes: Minutes) -> int:
    """Return the rounded minutes of the page or section that a link names."""
    address = urlsplit(href)
    page = PurePosixPath(address.path).with_suffix("").as_posix()
    return max(1, round(minutes[page][unquote(address.fragment)]))
