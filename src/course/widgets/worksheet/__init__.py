"""A whole attention computation to edit, to walk through and to follow back."""

import re
from collections.abc import Mapping
from typing import Any

import traitlets as t

from attention import MultiHeadTrace
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Question
from course.widgets.card.sentences import filled
from course.widgets.card.still import matrix
from course.widgets.contract import Asked, OneOf, answer, looked_at, sent, setting
from course.widgets.worksheet.goal import Goal, verdict
from course.widgets.worksheet.inputs import (
    LIMITS,
    SIZE_LIMIT,
    WIDTH_LIMIT,
    WorksheetInputs,
)
from course.widgets.worksheet.presets import PRESETS, Preset

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


def _input(name: str, doc: str) -> property:
    """Make a property of one input; setting it checks all of them together."""

    def read(worksheet: "Worksheet") -> Any:
        return getattr(worksheet.inputs, name)

    def write(worksheet: "Worksheet", value: Any) -> None:
        worksheet.set(**{name: value})

    return property(read, write, doc=doc)


class Worksheet(Card):
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
    own_tests = "browser/test_worksheet.py"

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
        presets = PRESETS if presets is None else presets
        plain = {
            name: {
                "title": preset.title,
                "provenance": preset.provenance,
                "inputs": preset.inputs.to_json(),
            }
            for name, preset in presets.items()
        }
        first = next(iter(plain))
        super().__init__(**{"presets": plain, "example": first} | traits)

    @classmethod
    def preset(cls, name: str, /, **traits: Any) -> "Worksheet":
        """Open one preset, with its question.

        Parameters
        ----------
        name : str
            A key of `course.widgets.worksheet.presets.PRESETS`.
        **traits
            Initial traits, the worksheet's own ``name`` among them.

        Raises
        ------
        ValueError
            If there is no such preset.
        """
        if name not in PRESETS:
            raise ValueError(f"presets are {', '.join(PRESETS)}, not {name!r}")
        chosen = PRESETS[name]
        return cls({name: chosen}, **{"question": chosen.question} | traits)

    @classmethod
    def of(
        cls,
        inputs: WorksheetInputs,
        title: str = "Worksheet",
        provenance: str = "",
        question: Question | None = None,
        **traits: Any,
    ) -> "Worksheet":
        """Open inputs of your own.

        Parameters
        ----------
        inputs : WorksheetInputs
            The numbers to start from.
        title, provenance : str
            What the card says about them.
        question : Question, optional
            What the reader predicts first.
        **traits
            Initial traits.
        """
        asked = question or {}
        preset = Preset(title, provenance, inputs, asked)
        return cls({"own": preset}, **{"question": asked} | traits)

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

    @property
    def inputs(self) -> WorksheetInputs:
        """The inputs in use: the reader's, or the preset's where none changed."""
        stated = self.presets[self.example]["inputs"]
        return WorksheetInputs.from_json(self.edits.get(self.example, stated))

    def verdict(self) -> str:
        """Say how the inputs in use stand to the goal, as the view does."""
        goal: Goal = self.goal
        stated = WorksheetInputs.from_json(self.presets[self.example]["inputs"])
        key, facts = verdict(goal, stated, self.inputs)
        return filled(goal[key], facts)

    @property
    def trace(self) -> MultiHeadTrace:
        """Every step of the computation, by `attention`, from the inputs in use."""
        return self.inputs.trace()

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

    def set(self, **changes: Any) -> None:
        """Change several inputs at once, so that their shapes may change together.

        Parameters
        ----------
        **changes
            Any of ``tokens, X, W_Q, W_K, W_V, W_O, causal, padding``.

        Raises
        ------
        TypeError
            If a name is not an input.
        ValueError
            If the inputs do not fit each other; nothing changes then.
        """
        plain = self.inputs.to_json()
        unknown = sorted(set(changes) - set(plain))
        if unknown:
            raise TypeError(f"inputs are {', '.join(plain)}, not {', '.join(unknown)}")
        checked = WorksheetInputs(**plain | changes)
        self.edits = {**self.edits, self.example: checked.to_json()}

    def reset(self) -> None:
        """Go back to the numbers of the preset in use."""
        kept = {k: v for k, v in self.edits.items() if k != self.example}
        self.edits = kept

    tokens = _input("tokens", "The words, one a row of `X`; a tuple of str.")
    X = _input("X", "Embeddings, shape (n, d_model).")
    W_Q = _input("W_Q", "Query weights, shape (h, d_model, d_k).")
    W_K = _input("W_K", "Key weights, shape (h, d_model, d_k).")
    W_V = _input("W_V", "Value weights, shape (h, d_model, d_v).")
    W_O = _input("W_O", "Output projection, shape (h * d_v, d_model), or None.")
    causal = _input("causal", "Whether a token sees only itself and what is before.")
    padding = _input("padding", "True for each token that nobody may look at.")
