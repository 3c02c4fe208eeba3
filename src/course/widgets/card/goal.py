"""The goal of a figure: a state that the reader should reach."""

from collections.abc import Callable
from typing import Any

import traitlets as t

from course.widgets.contract import Asked, answer, sent


def asks_for(prompt: str) -> Any:
    """Declare the sentences of a goal: its prompt and its two verdicts."""
    sentences = {
        "prompt": f"Goal: {prompt}",
        "wrong": "Not yet.",
        "right": "Right: you have reached the goal.",
    }
    return sent(t.Dict(sentences, read_only=True))


def first_reached(
    judged_by: str,
    needs: tuple[str, ...] = ("goal", "given"),
    count: Callable[[Any], int] = lambda card: 1,
) -> Any:
    """Declare the numbers, as JSON, with which the reader first reached the goal."""
    return answer(
        t.Unicode(),
        Asked(judged_by, count, needs, pattern=r"\d"),
        called=("goal that you reached", "goals that you reached"),
        undo=False,
    )
