"""Estimate how long a page takes to read, with one formula.

The page *Sources* states the formula in words. The formula is applied to built pages,
so it also counts the sentences, figures and questions that cells write.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lxml.html import HtmlElement, fragment_fromstring

from course.widgets import contract

WORDS_A_MINUTE = 150
_WORD = 60 / WORDS_A_MINUTE
SECONDS = {
    "formula": 20,  # a formula on its own line
    "figure": 45,
    "cell": 45,
    "question": 90,  # a question or an exercise
    "controls": 180,  # a figure with controls
}
FOLDED = 0.5  # folded content counts half
# Measured reading time, divided by the sum of the terms above. One reader read eight
# pages: the ratio was 1.6 to 1.7 on core pages and 2.0 to 2.35 on second pages.
CORE_FACTOR, SECOND_FACTOR = 1.65, 2.15
CORE = 25  # minutes that a chapter's first page should take at most

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
MODEL_ID = re.compile(r'"model_id":\s*"([^"]+)"')
_UNREAD = {"svg", "pre", "script", "style", "button", "summary"}
_UNREAD_CLASSES = {"headerlink", "lost", "math", "still"}
# "still": the widget counts instead. "math": `_seconds` counts it. Scripts hide "lost".


def is_second_page(name: str) -> bool:
    """Return whether a page is not the first of its chapter: `01b-...` or `...-b`."""
    return bool(re.search(r"(?:^|/)\d+[a-z]-|-b$", name))


def factor_of(name: str) -> float:
    """Return the factor of a page, by its name."""
    return SECOND_FACTOR if is_second_page(name) else CORE_FACTOR


def minutes(value: float) -> str:
    """Return a number of minutes, rounded, as words: "about 5 minutes"."""
    whole = max(1, round(value))
    return f"about {whole} minute{'s' * (whole > 1)}"


def section_times(
    body: str, widgets: Mapping[str, Any], factor: float = 1
) -> dict[str, float]:
    """Return the minutes of a page ("") and of each of its sections, by their ids.

    A section includes the sections inside it. `widgets` holds the saved state of the
    page's widgets, by model id; `factor` is that of `factor_of`.
    """
    page = fragment_fromstring(body, create_parent="div")
    times = {"": 0.0}
    for seconds, sections in _parts(page, widgets, [""], 1):
        for name in sections:
            times[name] = times.get(name, 0) + seconds
    return {name: factor * seconds / 60 for name, seconds in times.items()}


_CHAPTER = re.compile(r"chapters/(\d+[a-z]?)-")
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
        f"For authors: minutes of reading: {times}.\n"
        f"Core pages of more than {CORE} minutes: {', '.join(long) or 'none'}."
    )


def _parts(
    element: HtmlElement,
    widgets: Mapping[str, Any],
    sections: Sequence[str],
    share: float,
) -> Iterator[tuple[float, Sequence[str]]]:
    """Yield the seconds of each part of an element, and the sections around it."""
    tag, classes = element.tag, set(element.get("class", "").split())
    share = FOLDED if tag == "details" else share
    sections = (*sections, element.get("id", "")) if tag == "section" else sections
    texts = [element.text or "", *(child.tail or "" for child in element)]
    yield share * _seconds(tag, classes), sections
    if element.get("type") == WIDGET_VIEW:
        yield share * _seconds_of_widget(texts[0], widgets), sections
    elif tag == "summary" and "Solution" in map(str.strip, texts):
        yield SECONDS["question"], sections  # the exercise itself is not folded
    elif tag not in _UNREAD and not classes & _UNREAD_CLASSES:
        yield share * _WORD * sum(len(text.split()) for text in texts), sections
        for child in element.iterchildren("*"):
            yield from _parts(child, widgets, sections, share)


def _seconds_of_widget(view: str, widgets: Mapping[str, Any]) -> float:
    found = MODEL_ID.search(view)
    page = contract.page_of(widgets[found[1]]["state"] if found else {})
    if page and not page["figure"]:
        asked = contract.questions_of(page).values()
        return SECONDS["question"] * sum(each["count"] for each in asked)
    return SECONDS["controls"]


def _seconds(tag: str, classes: set[str]) -> float:
    """Return the seconds for an element, without the seconds of its content."""
    if "math" in classes:
        return SECONDS["formula"] if tag == "div" else _WORD
    if tag in {"svg", "img"}:
        return SECONDS["figure"]
    return SECONDS["cell"] if "cell_input" in classes else 0
