"""The questions of the course for a learning platform: ``python -m book.quiz``.

GIFT is a text format of questions that Moodle and other platforms read. Each choice
keeps its reason, which the platform shows to who picks the choice.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator

import course.chapters
from book.build import ROOT
from course.widgets.card.question import Question

_SPECIAL = re.compile(r"([\\~=#{}:])")
_FORMULA = re.compile(r"\$([^$]+)\$")


def gift(name: str, question: Question) -> str:
    """Write a question in GIFT."""
    lines = [f"::{_text(name)}::[markdown]{_text(question['prompt'])} {{"]
    for choice in question["choices"]:
        sign = "=" if choice["right"] else "~"
        lines.append(f"{sign}{_text(choice['text'])}#{_text(choice['why'])}")
    return "\n".join([*lines, "}"])


def _text(text: str) -> str:
    r"""Escape what GIFT reads as its own signs; formulas stand in ``\(...\)``."""
    return _SPECIAL.sub(r"\\\1", _FORMULA.sub(r"\\(\1\\)", text))


def questions() -> Iterator[tuple[str, str, Question]]:
    """List the questions with a choice: the chapter's room, a name, the question."""
    for room in pkgutil.iter_modules(course.chapters.__path__):
        place = f"{course.chapters.__name__}.{room.name}"
        names = {module.name for module in pkgutil.iter_modules(_path_of(place))}
        if "questions" not in names:
            continue
        for name, found in vars(importlib.import_module(f"{place}.questions")).items():
            if isinstance(found, dict) and "choices" in found:
                yield room.name, name.lower().replace("_", " "), found


def _path_of(package: str) -> list[str]:
    return list(getattr(importlib.import_module(package), "__path__", ()))


def main() -> None:
    """Write all questions into one file, a category for each chapter."""
    parts, last = [], ""
    for room, name, question in questions():
        if room != last:
            parts.append(f"$CATEGORY: Attention by Hand/{room.replace('_', ' ')}")
            last = room
        parts.append(gift(name, question))
    file = ROOT / "_build" / "questions.gift"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"{sum('{' in part for part in parts)} questions: {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
