"""Estimate how long a page takes to read, with one formula.

The page *Sources* states the formula in words. It is applied to the built page, so it
counts the sentences, figures and questions that cells write.
"""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from course.widgets import contract

WORDS_A_MINUTE = 150
_WORD = 60 / WORDS_A_MINUTE
SECONDS = {
    "formula": 20,  # on a line of its own
    "figure": 45,
    "cell": 45,
    "question": 90,  # or exercise
    "controls": 180,  # a figure with controls
}
FOLDED = 0.5  # folded content counts half
# Measured reading time, divided by the sum of the terms above: 1.6 to 1.7 on core
# pages, 2.0 to 2.35 on second pages (eight pages, one reading).
CORE_FACTOR, SECOND_FACTOR = 1.65, 2.15
CORE = 25  # minutes that a chapter's first page should take at most

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
_DRAWING = re.compile(r"(<svg\b[^>]*>).*?(</svg>)", re.DOTALL)
_MODEL = re.compile(r'"model_id":\s*"([^"]+)"')
_UNREAD = {"svg", "pre", "script", "style", "button", "summary"}
_UNREAD_CLASSES = {"headerlink", "lost", "math", "still"}
# "still": its widget counts instead; "math": see _seconds; "lost" is hidden by scripts
_EMPTY = {"br", "hr", "img", "input", "col", "wbr", "source", "meta", "link"}


def is_second_page(name: str) -> bool:
    """Return whether a page is not the first of its chapter: `01b-...` or `...-b`."""
    return bool(re.search(r"(?:^|/)\d+[bc]-|-b$", name))


def factor_of(name: str) -> float:
    """Return the factor of a page, by its name."""
    return SECOND_FACTOR if is_second_page(name) else CORE_FACTOR


def minutes(value: float) -> str:
    """Return a time in whole minutes, in words."""
    whole = max(1, round(value))
    return f"about {whole} minute{'s' * (whole > 1)}"


def section_times(
    body: str, widgets: Mapping[str, Any], factor: float = 1
) -> dict[str, float]:
    """Return the minutes of a page ("") and of each of its sections, by their ids.

    A section includes the sections inside it. `widgets` holds the saved state of the
    page's widgets, by model id; `factor` is that of `factor_of`.
    """
    reader = _Reader(widgets)
    reader.feed(_DRAWING.sub(r"\1\2", body))
    times = {"": reader.seconds, **reader.by_section}
    return {name: factor * seconds / 60 for name, seconds in times.items()}


_CHAPTER = re.compile(r"chapters/(\d+[bc]?)-")
_SAID = re.compile(r'<span class="reading-time">about (\d+) minutes?</span>')


def chapter_times(site: Path) -> str:
    """Return the minutes of each numbered page, and the core pages that take long."""
    found = {}
    for path in sorted(site.glob("chapters/*.html")):
        number = _CHAPTER.match(path.relative_to(site).as_posix())
        said = _SAID.search(path.read_text(encoding="utf-8"))
        if number and said:
            found[number[1]] = int(said[1])
    times = ", ".join(f"{number} {time}" for number, time in found.items())
    long = [
        number for number, time in found.items() if number.isdigit() and time > CORE
    ]
    return (
        f"Minutes of reading: {times}.\n"
        f"Core pages of more than {CORE} minutes: {', '.join(long) or 'none'}."
    )


class _Reader(HTMLParser):
    """Adds up the seconds of a page and of its sections."""

    def __init__(self, widgets: Mapping[str, Any]) -> None:
        super().__init__()
        self.seconds = 0.0
        self.by_section: dict[str, float] = {}
        self._sections: list[tuple[int, str]] = []  # depth and id of open sections
        self._widgets = widgets
        self._open: list[str] = []
        self._unread = 0  # depth of the outermost unread element that is open
        self._in_view = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        classes = set(attributes.get("class", "").split())
        self._in_view = attributes.get("type") == WIDGET_VIEW
        if not self._unread:
            self._add(_seconds(tag, classes))
        if tag in _EMPTY:
            return
        self._open.append(tag)
        if tag == "section":
            self._sections.append((len(self._open), attributes.get("id", "")))
        if not self._unread and (tag in _UNREAD or classes & _UNREAD_CLASSES):
            self._unread = len(self._open)

    def handle_endtag(self, tag: str) -> None:
        self._in_view = False
        if tag not in self._open:
            return
        while self._open.pop() != tag:
            pass
        if len(self._open) < self._unread:
            self._unread = 0
        while self._sections and self._sections[-1][0] > len(self._open):
            self._sections.pop()

    def handle_data(self, data: str) -> None:
        if self._in_view:
            self._add(self._seconds_of_widget(data))
        elif self._open[-1:] == ["summary"] and data.strip() == "Solution":
            # the exercise itself is not folded, so undo the halving of `_add`
            self._add(SECONDS["question"] / FOLDED)
        elif not self._unread:
            self._add(len(data.split()) * _WORD)

    def _seconds_of_widget(self, view: str) -> float:
        found = _MODEL.search(view)
        state = self._widgets[found[1]]["state"] if found else {}
        page = contract.page_of(state)
        if page and not page["figure"]:
            asked = contract.questions_of(page).values()
            return SECONDS["question"] * sum(each["count"] for each in asked)
        return SECONDS["controls"]

    def _add(self, seconds: float) -> None:
        if "details" in self._open:
            seconds *= FOLDED
        self.seconds += seconds
        for _, name in self._sections:
            self.by_section[name] = self.by_section.get(name, 0) + seconds


def _seconds(tag: str, classes: set[str]) -> float:
    """Return the seconds for an element, without the seconds of its content."""
    if "math" in classes:
        return SECONDS["formula"] if tag == "div" else _WORD
    if tag in {"svg", "img"}:
        return SECONDS["figure"]
    return SECONDS["cell"] if "cell_input" in classes else 0
