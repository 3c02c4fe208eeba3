"""The card that every widget is: a question, controls, a drawing, a reading."""

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NotRequired, TypedDict

import anywidget
import traitlets as t

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import still
from course.widgets.card.sentences import Sentence, true_one

# A number at the start of a choice: 0.27, −3, 1,024, 1/8, 40 %, about 12.
_NUMBER = re.compile(
    r"(?:about |nearly |roughly )?(?P<sign>[-\u2212])?"
    r"(?P<number>\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:/(?P<over>\d+))?",
    re.IGNORECASE,
)


class Choice(TypedDict):
    """One answer to a question and what is said to a reader who picks it."""

    text: str
    right: bool
    why: str


class Question(TypedDict):
    """What the reader is asked to predict; `veil` if the figure shows the answer."""

    prompt: str
    choices: list[Choice]
    veil: NotRequired[bool]


def _number_of(text: str) -> float | None:
    """Read the number that a text begins with; None if it begins with none."""
    found = _NUMBER.match(text)
    if not found:
        return None
    sign = -1 if found["sign"] else 1
    over = float(found["over"] or 1) or 1
    return sign * float(found["number"].replace(",", "")) / over


def in_order(prompt: str, choices: Sequence[Choice]) -> list[Choice]:
    """Order choices so that the place of the right one says nothing.

    Parameters
    ----------
    prompt : str
        What is asked: the seed.
    choices : sequence of Choice
        In any order.

    Returns
    -------
    list of Choice
        By size if each begins with a number; else by a hash of prompt and text, the
        same on every page and in every session.
    """
    sizes = [_number_of(choice["text"]) for choice in choices]
    if None not in sizes and len(set(sizes)) == len(sizes):
        by_size = sorted(zip(sizes, range(len(choices)), strict=True))
        return [choices[place] for _, place in by_size]

    def drawn(choice: Choice) -> bytes:
        return hashlib.sha256(f"{prompt}\0{choice['text']}".encode()).digest()

    return sorted(choices, key=drawn)


def ask(prompt: str, *choices: tuple[str, bool, str], veil: bool = False) -> Question:
    """Write a question that a reader may answer before looking.

    Parameters
    ----------
    prompt : str
        What the reader is asked.
    *choices : tuple of (str, bool, str)
        The answer's text, whether it is right, and what is said to the reader
        who picks it: the reason, or the misconception behind it. They are shown in
        the order that `in_order` gives, whatever order they are written in.
    veil : bool
        Whether the figure's first state would give the answer away. The part of it
        that does is then veiled until the reader answers, goes on without, or moves
        a control.

    Returns
    -------
    Question
        The question as the trait `Card.question` holds it.
    """
    plain: list[Choice] = [
        {"text": text, "right": right, "why": why} for text, right, why in choices
    ]
    question: Question = {"prompt": prompt, "choices": in_order(prompt, plain)}
    return {**question, "veil": True} if veil else question


ANSWERS = ("answer", "picked", "entry")  # traits that hold what a reader answered

Bounds = tuple[float | None, float | None, bool]  # smallest, largest, whole
OneOf = dict[str, list[str]]  # one_of: the texts that a trait may be


def _bound(value: float | None) -> float | None:
    """Give a trait's bound as JSON has it: none for infinity."""
    return value if value is not None and math.isfinite(value) else None


def check_question(question: Any) -> None:
    """Reject a question that a reader could not answer or not learn from.

    Raises
    ------
    TraitError
        If it lacks its prompt, has not exactly one right choice among two or more, has
        two choices of one text, or a choice without a text or a reason.
    """
    if not isinstance(question, dict) or set(question) - {"veil"} != {
        "prompt",
        "choices",
    }:
        raise t.TraitError(f"a question has prompt and choices, not {question!r}")
    prompt, choices = question["prompt"], question["choices"]
    if not str(prompt).strip():
        raise t.TraitError(f"a question needs a prompt: {question!r}")
    for choice in choices:
        _check_choice(choice, prompt)
    right = sum(choice["right"] for choice in choices)
    if right != 1 or len({choice["text"] for choice in choices}) < max(2, len(choices)):
        raise t.TraitError(
            "a question has two choices or more, no two alike, exactly one of them "
            f"right: {prompt!r} has {len(choices)} with {right} right"
        )


def _check_choice(choice: Any, prompt: str) -> None:
    """Reject a choice that lacks its text, its verdict or its reason."""
    if not isinstance(choice, dict) or set(choice) != {"text", "right", "why"}:
        raise t.TraitError(f"a choice has text, right and why, not {choice!r}")
    if not choice["text"].strip() or not choice["why"].strip():
        raise t.TraitError(f"a choice of {prompt!r} needs a text and a why: {choice}")


class Card(anywidget.AnyWidget):
    """A widget with a question above it and state that a page can keep.

    A trait tagged ``url=True`` is kept in the page's address, one tagged
    ``device=True`` on the reader's device; each value of one tagged ``visited=True``
    is a place that the browser's Back returns to. Only the static site acts on these
    marks (it reads them from `_page`); in JupyterLab the kernel keeps the state.
    In both, Undo takes back changes of what is in the address, but for traits tagged
    ``undo=False`` (those that only say what the reader looks at), and of traits tagged
    ``undo=True``.

    Attributes
    ----------
    question : dict
        ``prompt`` and ``choices``, each with ``text``, ``right`` and ``why``;
        empty for a widget without a question. See `ask`.
    answer : str
        The text of the choice that the reader committed to, empty before. Its words
        and not its place: an edit of the question may reorder the choices.
    solved : dict of str to str
        What the reader has once answered right, by prompt. The page's runtime fills
        it, and no later answer takes anything out of it.
    opened : bool
        Whether the reader goes on without an answer.
    title : str
        What the widget is called: its accessible name.
    name : str
        Names the widget on its page: in addresses, as the end of a link to it, and
        for what the reader's device keeps. By default its class, with a number from
        the second of a kind on; a page that has two of a kind should name them.
    still : str
        What a page shows of the widget where no script runs, as HTML: the state in
        which it was displayed. See `pictures`.
    sentences : tuple of Sentence
        What the figure may say of itself; exactly one is true in each state.
    own_tests : str
        For a card without sentences: the file below ``tests`` that tests its view.
    """

    sentences: ClassVar[tuple[Sentence, ...]] = ()
    own_tests: ClassVar[str] = ""

    _esm = bundle("card/card.js")
    _css = stylesheet()

    question = t.Dict().tag(sync=True)
    answer = t.Unicode().tag(sync=True, device=True)
    solved = t.Dict(key_trait=t.Unicode(), value_trait=t.Unicode()).tag(
        sync=True, device=True
    )
    opened = t.Bool(False).tag(sync=True)
    title = t.Unicode("Interactive figure").tag(sync=True)
    name = t.Unicode().tag(sync=True)
    still = t.Unicode().tag(sync=True)
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

    def pictures(self) -> list[str]:
        """Draw the present state as SVG, by `course.widgets.card.still`."""
        return []

    def reading(self) -> str:
        """Say the present state in words, as the view does."""
        return still.sentence(self.said().text, self.facts()) if self.sentences else ""

    def drawn_still(self) -> str:
        """Give what a page shows of the present state where no script runs."""
        return still.still(self.title, self.reading(), *self.pictures())

    def _repr_mimebundle_(self, **options: Any) -> Any:
        self.still = self.drawn_still()
        return super()._repr_mimebundle_(**options)

    def said(self) -> Sentence:
        """Find the sentence that is true of the present state."""
        return true_one(self.sentences, self.facts())

    @t.default("_page")
    def _default_page(self) -> dict[str, Any]:
        kept = {
            place: sorted(self.trait_names(**{place: True}))
            for place in ("url", "device", "visited")
        }
        settings = self.trait_names(url=True, undo=lambda undo: undo is not False)
        kept["undo"] = sorted({*settings, *self.trait_names(undo=True)})
        if not self.question:
            kept["device"].remove("answer")
        if not set(kept["device"]) & set(ANSWERS):
            kept["device"].remove("solved")
        names = {name for place in kept.values() for name in place}
        limits = {**self._bounds(names), **self.limits()}
        return {**kept, "limits": limits, "name": self.name}

    def _bounds(self, names: Iterable[str]) -> dict[str, Bounds | OneOf]:
        """Bounds of traits, so that a page takes nothing else from outside."""
        bounds: dict[str, Bounds | OneOf] = {}
        for name in names:
            trait = self.traits()[name]
            if isinstance(trait, t.Int | t.Float):
                whole = isinstance(trait, t.Int)
                bounds[name] = (_bound(trait.min), _bound(trait.max), whole)
            elif isinstance(trait, t.Enum):
                bounds[name] = {"one_of": list(trait.values)}
        return bounds

    def limits(self) -> dict[str, Bounds | OneOf]:
        """Give bounds that depend on the widget's own data, by trait.

        Returns
        -------
        dict
            The smallest and largest number and whether it is whole, or, under
            ``one_of``, the texts that there are.
        """
        return {}

    @t.validate("question")
    def _valid_question(self, proposal: dict[str, Any]) -> dict[str, Any]:
        question = proposal["value"]
        if question:
            check_question(question)
        return question

    @t.validate("answer")
    def _valid_answer(self, proposal: dict[str, Any]) -> str:
        texts = [choice["text"] for choice in self.question.get("choices", ())]
        if proposal["value"] not in ("", *texts):
            raise t.TraitError(
                f"answer is empty (none yet) or one of {texts}, "
                f"not {proposal['value']!r}"
            )
        return proposal["value"]
