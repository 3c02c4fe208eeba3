"""What a reader's progress is measured against: the pages to read, and what they ask.

The progress itself never leaves the reader's device; ``book/runtime/`` keeps and shows
it there (`progress.js`, `fared.js`, `review.js`). The site gives it two lists:
``course.js``, on every page, names pages and questions; ``questions.js``, on the page
*Your progress* alone, holds the questions themselves.
"""

import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

COURSE, QUESTIONS = "course.js", "questions.js"
PAGE = "your-progress"
TO_ANSWER = ("answer", "picked", "entry")  # traits that hold a reader's answer
# What the verdict on an answer needs to know of a figure.
_KEPT = (
    *("_page", "title", "question", "questions"),
    *("prompt", "truth", "digits", "slips", "operands"),
)


class Read(NamedTuple):
    """A page to read, and the saved states of what it shows, in its order."""

    name: str
    title: str
    number: str
    states: list[dict[str, Any]]


def is_read(name: str, root: str) -> bool:
    """Tell pages to read from those to look something up in."""
    return name == root or name.startswith("chapters/")


def asks(states: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Count the answers that each figure of a page asks for.

    Parameters
    ----------
    states : iterable of mapping
        Saved states of its figures.

    Returns
    -------
    dict of str to int
        By figure and trait, as in ``worksheet.answer``.
    """
    found = {}
    for state in states:
        page = state.get("_page", {})
        for trait in TO_ANSWER:
            if trait in page.get("device", ()):
                questions = state.get("questions") or [trait]
                found[f"{page['name']}.{trait}"] = len(questions)
    return found


def _figures(states: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Give of each figure what its kept answers are checked and judged by."""
    figures = {}
    for state in states:
        page = state.get("_page", {})
        if page.get("device"):
            names = (*_KEPT, *page["device"])
            figures[page["name"]] = {n: state[n] for n in names if n in state}
    return figures


def write(site: Path, pages: list[Read]) -> None:
    """Write both lists, once every page has been written.

    Parameters
    ----------
    site : Path
        The site's folder.
    pages : list of Read
        In reading order.
    """
    course = [
        {
            "page": page.name,
            "title": html.unescape(page.title),
            "number": page.number,
            "asks": asks(page.states),
        }
        for page in pages
    ]
    questions = {page.name: _figures(page.states) for page in pages}
    scripts = {
        COURSE: f"globalThis.abhCourse = {_json(course)};\n",
        QUESTIONS: f"globalThis.abhQuestions = {_json(questions)};\n",
    }
    for file, text in scripts.items():
        (site / "_static" / file).write_text(text, encoding="utf-8")
    _write_digests(site, scripts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _write_digests(site: Path, scripts: Mapping[str, str]) -> None:
    """Write the digests of scripts into the addresses by which pages load them."""
    digests = {
        file: hashlib.sha256(text.encode()).hexdigest()[:10]
        for file, text in scripts.items()
    }
    address = re.compile(rf'/({"|".join(map(re.escape, scripts))})\?[^"]*')
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        new = address.sub(lambda found: f"/{found[1]}?{digests[found[1]]}", page)
        if new != page:
            path.write_text(new, encoding="utf-8")
