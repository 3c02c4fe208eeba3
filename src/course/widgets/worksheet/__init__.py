"""A whole attention computation to edit, to walk through and to follow back."""

import re
from collections.abc import Mapping
from typing import Any

import traitlets as t

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card
from course.widgets.card.sentences import filled
from course.widgets.card.still import matrix
from course.widgets.contract import Asked, OneOf, answer, looked_at, sent, setting
from course.widgets.worksheet.computation import Computation, stated
from course.widgets.worksheet.goal import Goal, verdict
from course.widgets.worksheet.inputs import (
    LIMITS,
    SIZE_LIMIT,
    WIDTH_LIMIT,
    WorksheetInputs,
)
from course.widgets.worksheet.presets import Preset

STEPS = (
    "input",
    "queries",
    "keys",
    "values",
    "scores",
    "scaled",
    "mask",
    "weights",
    "head",
    "concat",
    "output",
    "sheet",
)
"""The steps of the walk; in ``sheet`` it leads through all matrices at once."""


class Worksheet(Computation, Card):
    """An attention computation laid out as matrices.

    Focus, hover or tap a computed cell to read its arithmetic; edit any input
    and everything after it follows. The page computes by itself; `trace` is the
    same computation by `attention`.

    Parameters
    ----------
    presets : mapping of str to Preset, optional
        What the reader can start from, by name; several give a list to choose
        from. By default all of `course.widgets.worksheet.presets.PRESETS`.
    **traits
        Initial traits, such as ``step="scores"`` or ``head=2``.

    Attributes
    ----------
    example : str
        Name of the preset in use.
    step : str
        The step shown, one of `STEPS`.
    head : int
        The head shown, 1 for the first.
    cell : str
        The cell that is selected: ``scores.2.3`` is row 2, column 3 of the open head's
        scores, ``head.1.2.3`` of head 1's; empty for the first of the step's result.
    decimals : int
        Decimals of computed cells, 2 to 6.
    edits : dict
        The reader's inputs, by name of the preset they started from.
    goal : Goal
        What the reader is to reach, judged as they change numbers; empty for nothing.
    reached : str
        The matrix, as JSON, with which they first reached it.
    """

    _esm = bundle("worksheet/worksheet.js")
    _css = stylesheet("worksheet/worksheet.css")

    title = sent(t.Unicode("Worksheet"))
    presets = sent(t.Dict())
    limits = sent(
        t.Dict({**LIMITS, "width": WIDTH_LIMIT, "size": SIZE_LIMIT}, read_only=True)
    )
    example = setting(OneOf("", lambda sheet: sheet.presets))
    step = looked_at(t.Enum(STEPS, "sheet"), visited=True)
    head = looked_at(t.Int(1, min=1, max=LIMITS["heads"]))
    cell = looked_at(t.Unicode(""))
    decimals = setting(t.Int(3, min=2, max=6), device=True)
    edits = setting(
        t.Dict(),
        device=True,
        called=(
            "worksheet with numbers of your own",
            "worksheets with numbers of your own",
        ),
    )

    goal = sent(t.Dict())
    reached = answer(
        t.Unicode(),
        Asked(
            "worksheet/goal.js",
            lambda card: int(bool(card.goal)),
            ("goal", "presets", "example"),
            pattern=r"\d",
        ),
        called=("goal that you reached", "goals that you reached"),
        undo=False,
    )

    def __init__(
        self, presets: Mapping[str, Preset] | None = None, **traits: Any
    ) -> None:
        plain = stated(presets)
        first = next(iter(plain))
        super().__init__(**{"presets": plain, "example": first} | traits)

    @t.validate("edits")
    def _sound_edits(self, proposal: dict[str, Any]) -> dict[str, Any]:
        for name, plain in proposal["value"].items():
            try:
                WorksheetInputs.from_json(plain)
            except (TypeError, ValueError) as error:
                raise t.TraitError(f"edits of {name!r}: {error}") from error
        return proposal["value"]

    @t.validate("cell")
    def _sound_cell(self, proposal: dict[str, Any]) -> str:
        cell = proposal["value"]
        if cell and not re.fullmatch(r"[A-Za-z_]+(\.[1-9]\d*){2,3}", cell):
            raise t.TraitError(f"cell is like 'scores.2.3', not {cell!r}")
        return cell

    def verdict(self) -> str:
        """Say how the inputs in use stand to the goal, as the view does."""
        goal: Goal = self.goal
        preset = WorksheetInputs.from_json(self.presets[self.example]["inputs"])
        key, facts = verdict(goal, preset, self.inputs)
        return filled(goal[key], facts)

    def pictures(self) -> list[str]:
        """Draw the embeddings and the chosen head's matrices."""
        inputs, trace = self.inputs, self.trace
        head = trace.heads[min(self.head, len(trace.heads)) - 1]
        words = list(inputs.tokens)
        drawn = [
            matrix("X", inputs.X, words),
            matrix("Q", head.query, words, role="query"),
            matrix("K", head.key, words, role="key"),
            matrix("V", head.value, words, role="value"),
            matrix("weights", head.weights, words, scale="weights"),
        ]
        return [*drawn, matrix("output", trace.output, words, role="output")]

    def reading(self) -> str:
        """Say which example and which head the matrices are of."""
        title = self.presets[self.example]["title"]
        heads = len(self.trace.heads)
        return f"{title}, head {min(self.head, heads)} of {heads}."
