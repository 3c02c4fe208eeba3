"""Write the lists of pages and questions that a reader's progress is compared with.

The progress stays on the reader's device. The scripts in ``book/runtime/`` store and
show it (`progress.js`, `answers.js`, `review.js`). The site gives them two lists. Every
page loads ``course.js``, which names pages and questions. The page *Your progress* also
loads ``questions.js``, which holds the questions and the names of live cells.
"""

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from book.live import Cell
from course.widgets import contract

COURSE, QUESTIONS = "course.js", "questions.js"
_QUESTIONS_ARE = "globalThis.abhQuestions = "
PAGE = "your-progress"


class CountedPage(NamedTuple):
    """A page that counts for progress: saved states of its figures, and live cells."""

    name: str
    title: str
    number: str
    states: list[dict[str, Any]]
    cells: Sequence[Cell] = ()


def counts_for_progress(name: str, root: str) -> bool:
    """Return whether a page counts for progress: the home page and the chapters do."""
    return name == root or name.startswith("chapters/")


def questions(states: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return how the answers are counted, from the saved states of a page's figures.

    The keys are the names of figures with questions. ``count`` is the number of
    questions. An answer must match one item of ``answers``: a pattern and the choices.
    """
    pages = filter(None, map(contract.page_of, states))
    asking = {page["name"]: contract.questions_of(page).values() for page in pages}
    return {
        figure: {
            "count": sum(asked["count"] for asked in all_asked),
            "answers": [
                {"pattern": asked["pattern"], "choices": asked["choices"]}
                for asked in all_asked
            ],
        }
        for figure, all_asked in asking.items()
        if all_asked
    }


def nouns(states: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, str]]:
    """Return, by trait, its noun: for one entry on the device, and for several."""
    return {
        name: trait["called"]
        for page in filter(None, map(contract.page_of, states))
        for name, trait in page["traits"].items()
        if "called" in trait
    }


def _figures(states: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return, by figure, the data that check and judge the figure's kept entries."""
    saved = [state for state in states if contract.page_of(state)]
    found = [contract.judging_state(state) for state in saved]
    # If a state has only the key "_page", the device keeps nothing of the figure.
    return {each["_page"]["name"]: each for each in found if len(each) > 1}


KEPT = {
    "code": ("changed cell", "changed cells"),
    "verdict": ("exercise in code", "exercises in code"),
}
"""The words for one and for several entries that the device keeps for live cells."""


def _kept_of(cells: Iterable[Cell]) -> dict[str, dict[str, Any]]:
    """Return live cells as figures, so that a reader can import their saved entries."""
    schemas = {"code": {}, "verdict": {"enum": ["right", "wrong"]}}
    traits = {
        name: {"schema": {"type": "string", **schema}, "device": True}
        for name, schema in schemas.items()
    }
    names = [f"cell-{cell.name}" for cell in cells]
    return {name: {"_page": {"name": name, "traits": traits}} for name in names}


def write(site: Path, pages: list[CountedPage]) -> None:
    """Write the two lists `COURSE` and `QUESTIONS` of pages in reading order."""
    course = {
        "tries": contract.TRIES,
        "called": {**nouns(s for page in pages for s in page.states), **KEPT},
        "pages": [
            {
                "page": page.name,
                "title": html.unescape(page.title),
                "number": page.number,
                "questions": questions(page.states),
                "code": [(each.name, each.title) for each in page.cells if each.title],
            }
            for page in pages
        ],
    }
    figures = {p.name: _figures(p.states) | _kept_of(p.cells) for p in pages}
    scripts = {
        COURSE: f"globalThis.abhCourse = {_json(course)};\n",
        QUESTIONS: f"{_QUESTIONS_ARE}{_json(figures)};\n",
    }
    for file, text in scripts.items():
        (site / "_static" / file).write_text(text, encoding="utf-8")


def stored_questions(site: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the questions that `write` stored in a site, by page and figure."""
    text = (site / "_static" / QUESTIONS).read_text(encoding="utf-8")
    return json.loads(text.removeprefix(_QUESTIONS_ARE).removesuffix(";\n"))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
