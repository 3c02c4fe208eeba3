"""The card that every widget is: a question, controls, a drawing, a reading."""

import math
from collections.abc import Iterable
from typing import Any, ClassVar, TypedDict

import anywidget
import traitlets as t

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card.sentences import Sentence, true_one


class Choice(TypedDict):
    """One answer to a question and what is said to a reader who picks it."""

    text: str
    right: bool
    why: str


class Question(TypedDict):
    """What the reader predicts before a widget shows anything."""

    prompt: str
    choices: list[Choice]


def ask(prompt: str, *choices: tuple[str, bool, str]) -> Question:
    """Write a predict-first question.

    Parameters
    ----------
    prompt : str
        What the reader is asked.
    *choices : tuple of (str, bool, str)
        The answer's text, whether it is right, and what is said to the reader
        who picks it: the reason, or the misconception behind it.

    Returns
    -------
    Question
        The question as the trait `Card.question` holds it.
    """
    return {
        "prompt": prompt,
        "choices": [
            {"text": text, "right": right, "why": why} for text, right, why in choices
        ],
    }


Limits = tuple[float | None, float | None, bool]  # smallest, largest, whole


def _bound(value: float | None) -> float | None:
    """Give a trait's bound as JSON has it: none for infinity."""
    return value if value is not None and math.isfinite(value) else None


def _check_choice(choice: Any) -> None:
    """Reject a choice that lacks its text, its verdict or its reason."""
    if not isinstance(choice, dict) or set(choice) != {"text", "right", "why"}:
        raise t.TraitError(f"a choice has text, right and why, not {choice!r}")
    if not choice["text"].strip() or not choice["why"].strip():
        raise t.TraitError(f"a choice needs a text and a why: {choice!r}")


class Card(anywidget.AnyWidget):
    """A widget with a predict-first question and state that a page can keep.

    A trait tagged ``url=True`` is kept in the page's address, one tagged
    ``device=True`` on the reader's device. Only the static site acts on these
    marks (it reads them from `_page`); in JupyterLab the kernel keeps the state.

    Attributes
    ----------
    question : dict
        ``prompt`` and ``choices``, each with ``text``, ``right`` and ``why``;
        empty for a widget that opens without a question. See `ask`.
    answer : int
        Index of the choice that the reader committed to, -1 before.
    sentences : tuple of Sentence
        What the figure may say of itself; exactly one is true in each state.
    """

    sentences: ClassVar[tuple[Sentence, ...]] = ()

    _esm = bundle("card/card.js")
    _css = stylesheet()

    question = t.Dict().tag(sync=True)
    answer = t.Int(-1).tag(sync=True, device=True)
    _page = t.Dict().tag(sync=True)

    def numbers(self) -> dict[str, Any]:
        """Give every number that the view shows, by the name it has there.

        Returns
        -------
        dict
            Numbers, arrays, or dicts of them: the view calls ``{"a": {"b": 1}}``
            ``a-b``.
        """
        return {}

    def facts(self) -> dict[str, Any]:
        """Give the values of the fields of `sentences` in the present state."""
        return {}

    def said(self) -> Sentence:
        """Find the sentence that is true of the present state."""
        return true_one(self.sentences, self.facts())

    @t.default("_page")
    def _default_page(self) -> dict[str, Any]:
        kept = {
            place: sorted(self.trait_names(**{place: True}))
            for place in ("url", "device")
        }
        return {
            **kept,
            "limits": self._limits({n for names in kept.values() for n in names}),
        }

    def _limits(self, names: Iterable[str]) -> dict[str, Limits]:
        """Bounds of number traits, so that a page takes nothing else from outside."""
        limits: dict[str, Limits] = {
            name: (_bound(trait.min), _bound(trait.max), isinstance(trait, t.Int))
            for name, trait in self.traits().items()
            if name in names and isinstance(trait, t.Int | t.Float)
        }
        if self.question and "answer" in limits:
            limits["answer"] = (-1, len(self.question["choices"]) - 1, True)
        return limits

    @t.validate("question")
    def _valid_question(self, proposal: dict[str, Any]) -> dict[str, Any]:
        question = proposal["value"]
        if not question:
            return question
        if set(question) != {"prompt", "choices"} or not question["prompt"].strip():
            raise t.TraitError(f"a question has prompt and choices, not {question!r}")
        for choice in question["choices"]:
            _check_choice(choice)
        right = sum(choice["right"] for choice in question["choices"])
        if right != 1 or len(question["choices"]) < 2:
            raise t.TraitError(
                "a question has two choices or more, exactly one of them right, "
                f"not {len(question['choices'])} with {right} right"
            )
        return question

    @t.validate("answer")
    def _valid_answer(self, proposal: dict[str, Any]) -> int:
        count = len(self.question.get("choices", ()))
        if not -1 <= proposal["value"] < max(count, 1):
            raise t.TraitError(
                f"answer is -1 (none yet) to {count - 1}, not {proposal['value']}"
            )
        return proposal["value"]
