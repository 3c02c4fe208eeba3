"""One picture of attention, from the sentence to a single product.

The view draws three levels: the whole, a stage, a cell. To change it, start here:

==================  ==================================================================
``arithmetic.js``   computes every matrix of a state, like `MachineInputs.trace`
``state.js``        reads the state from the traits, and writes it into links
``layout.js``       places all parts of the whole, on wide screens and on phones
``whole.js``        draws the whole; ``stage.js`` a stage, ``cell.js`` the sum of a cell
``pen.js``          keeps SVG elements and moves them gradually to their places
``acts.js``         pointer and keys; ``typed.js`` typing; ``menu.js`` the menu *More*
``story.py``        all sentences; ``story.js`` picks those to show
``reading.js``      tables for screen readers
``picture.js``      the drawing as SVG text: the still and the file to save
==================  ==================================================================
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import traitlets as t

from course.kit.prose import number
from course.widgets.card import Card
from course.widgets.card.goal import first_reached
from course.widgets.card.sentences import filled
from course.widgets.card.still import matrix
from course.widgets.contract import OneOf, looked_at, sent, setting
from course.widgets.machine.computation import Computation, stated
from course.widgets.machine.goal import Goal, verdict
from course.widgets.machine.inputs import (
    LIMITS,
    SIZE_LIMIT,
    WIDTH_LIMIT,
    MachineInputs,
)
from course.widgets.machine.presets import Preset
from course.widgets.machine.story import SENTENCES, share_texts

STAGES = (
    "X", "query", "key", "value", "scores", "logits", "weights", "head", "concat",
    "output",
)  # fmt: skip
"""Names of the stages: each is the matrix that the stage shows."""

STILLS = Path(__file__).parent / "stills"


class Machine(Computation, Card, view="machine/machine"):
    """Attention as one picture, whose inputs the reader can change.

    The page computes in JavaScript; `trace` computes attention on the inputs in Python.

    Parameters
    ----------
    presets : mapping of str to Preset, optional
        The inputs that the reader can start from, by name. By default all of
        `course.widgets.machine.presets.PRESETS`.
    **traits
        Initial traits, such as ``stage="scores"`` or ``head=2``.

    Attributes
    ----------
    example : str
        Name of the preset in use.
    edits : dict
        The reader's inputs, by name of the preset they started from.
    beta : float
        Sharpness: the scores are divided by ``sqrt(d_k) / beta``.
    off : list of int
        The heads that are switched off, counted from 0.
    order : list of int
        Index of the word at each place; empty for the order of the sentence.
    residual : bool
        Whether X is added to the output; without ``W_O`` it is not.
    stage : str
        The stage that is open, one of `STAGES`; empty for the whole, ``box`` for
        the whole as one closed box.
    head, row : int
        The head and the row that the reader follows; heads count from 1, rows from 0.
        Row -1 is the second word.
    cell : str
        The number of the stage's result whose sum is shown: ``2.3`` is row 2, column 3.
    step : int
        The step of the story, counted from 0; -1 for none.
    chapter : int
        The chapter whose parts of the machine are highlighted; 0 for all parts.
    goal : Goal
        The goal that the reader should reach; empty for none.
    reached : str
        The matrix, as JSON, with which the reader first reached the goal.
    """

    title = sent(t.Unicode("Attention, from the words to the output"))
    presets = sent(t.Dict())
    limits = sent(
        t.Dict({**LIMITS, "width": WIDTH_LIMIT, "size": SIZE_LIMIT}, read_only=True)
    )
    said_by_key = sent(t.Dict(SENTENCES, read_only=True))
    chapter = sent(t.Int(0))
    example = setting(OneOf("", lambda machine: machine.presets))
    edits = setting(
        t.Dict(),
        device=True,
        called=(
            "machine with numbers of your own",
            "machines with numbers of your own",
        ),
    )
    beta = setting(t.Float(1.0, min=1 / 16, max=16.0))
    off = setting(t.List(t.Int(min=0, max=LIMITS["heads"] - 1)))
    order = setting(t.List(t.Int(min=0, max=LIMITS["tokens"] - 1)))
    residual = setting(t.Bool(False))
    decimals = setting(t.Int(3, min=2, max=6), device=True)
    stage = looked_at(t.Enum(("", "box", *STAGES), ""), visited=True)
    head = looked_at(t.Int(1, min=1, max=LIMITS["heads"]))
    cell = looked_at(t.Unicode(""))
    row = looked_at(t.Int(-1, min=-1, max=LIMITS["tokens"] - 1))
    step = looked_at(t.Int(-1, min=-1, max=len(STAGES) - 1))

    goal = sent(t.Dict())
    reached = first_reached(
        "machine/goal.js",
        ("goal", "presets", "example"),
        lambda card: int(bool(card.goal)),
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
                MachineInputs.from_json(plain)
            except (TypeError, ValueError) as error:
                raise t.TraitError(f"edits of {name!r}: {error}") from error
        return proposal["value"]

    @t.validate("cell")
    def _sound_cell(self, proposal: dict[str, Any]) -> str:
        cell = proposal["value"]
        if cell and not re.fullmatch(r"[1-9]\d*\.[1-9]\d*", cell):
            raise t.TraitError(f"cell must be 'row.column', as in '2.3', got {cell!r}")
        return cell

    def verdict(self) -> str:
        """Return the sentence that says whether the inputs in use reach the goal."""
        goal: Goal = self.goal
        preset = MachineInputs.from_json(self.presets[self.example]["inputs"])
        key, facts = verdict(goal, preset, self.inputs)
        return filled(goal[key], facts)

    def pictures(self) -> list[str]:
        """Return the stored drawing if it shows this state; else three matrices."""
        stored = STILLS / f"{self.still_name()}.svg"
        if self.is_untouched() and stored.exists():
            return [stored.read_text("utf-8").strip()]
        inputs, trace = self.inputs, self.trace
        head = trace.heads[min(self.head, len(trace.heads)) - 1]
        words = list(inputs.tokens)
        return [
            matrix("X", inputs.X, words),
            matrix("weights", head.weights, words, scale="weights"),
            matrix("output", trace.output, words, role="output"),
        ]

    def still_name(self) -> str:
        """Return the name of the stored drawing for example, stage and chapter."""
        parts = (self.example, self.stage, f"lit-{self.chapter}" * bool(self.chapter))
        return "-".join(filter(None, parts))

    def is_untouched(self) -> bool:
        """Return whether edits, off, order and beta have their default values."""
        return not (self.edits or self.off or self.order or self.beta != 1)

    def reading(self) -> str:
        """Return the sentence with the weights of the followed word."""
        trace, words = self.trace, self.inputs.tokens
        heads = len(trace.heads)
        head = min(self.head, heads)
        row = min(1, len(words) - 1) if self.row < 0 else min(self.row, len(words) - 1)
        texts = share_texts(trace.heads[head - 1].weights[row].tolist())
        shares = ", ".join(
            f"{text}% from “{word}”" for text, word in zip(texts, words, strict=True)
        )
        key = "several heads" if heads > 1 else "one head"
        facts = {"word": words[row], "head": number(head, 0), "shares": shares}
        return filled(SENTENCES[key], facts)
