"""Export the questions of the course to a learning platform: ``python -m book.quiz``.

The command reads the built site. GIFT is a text format of questions that Moodle and
other platforms read. Each choice keeps its reason: the platform shows the reason to a
student who picks the choice.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from book.build import ROOT
from book.progress import stored_questions
from course.widgets.card.question import Question

_SPECIAL = re.compile(r"([\\~=#{}:])")
_FORMULA = re.compile(r"\$([^$]+)\$")


def gift(name: str, question: Question) -> str:
    """Return a question in the format GIFT."""
    lines = [f"::{_text(name)}::[markdown]{_text(question['prompt'])} {{"]
    for choice in question["choices"]:
        sign = "=" if choice["right"] else "~"
        lines.append(f"{sign}{_text(choice['text'])}#{_text(choice['why'])}")
    return "\n".join([*lines, "}"])


def _text(text: str) -> str:
    r"""Escape GIFT's special characters, and put formulas into ``\(...\)``."""
    return _SPECIAL.sub(r"\\\1", _FORMULA.sub(r"\\(\1\\)", text))


def questions(site: Path) -> Iterator[tuple[str, str, Question]]:
    """Yield the page, the name and the content of each question of a built site."""
    for page, figures in stored_questions(site).items():
        for figure, state in figures.items():
            asked = filter(None, [state.get("question"), *state.get("questions", ())])
            for number, question in enumerate(asked, 1):
                yield page, f"{figure} {number}", question


def main() -> None:
    """Write all questions into one file, a category for each page."""
    parts, last = [], ""
    for page, name, question in questions(ROOT / "_build" / "html"):
        if page != last:
            parts.append(f"$CATEGORY: Attention by Hand/{page.rpartition('/')[2]}")
            last = page
        parts.append(gift(name, question))
    file = ROOT / "_build" / "questions.gift"
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"{sum('{' in part for part in parts)} questions: {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
