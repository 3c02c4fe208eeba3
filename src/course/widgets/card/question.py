"""Multiple-choice questions of figures and quizzes."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any, TypedDict

import traitlets as t

# A number at the start of a choice: 0.27, −3, 1,024, 1/8, 40 %, about 12.
_NUMBER = re.compile(
    r"(?:about |nearly |roughly )?(?P<sign>[-\u2212])?"
    r"(?P<number>\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:/(?P<divisor>\d+))?",
    re.IGNORECASE,
)


class Choice(TypedDict):
    """One answer to a question and what is said to a reader who picks it."""

    text: str
    right: bool
    why: str


class Question(TypedDict):
    """A question and the choices from which the reader picks an answer."""

    prompt: str
    choices: list[Choice]


def number_of(text: str) -> float | None:
    """Return the number at the beginning of a text; None if there is no number."""
    found = _NUMBER.match(text)
    if not found:
        return None
    sign = -1 if found["sign"] else 1
    divisor = float(found["divisor"] or 1) or 1  # never divide by 0
    return sign * float(found["number"].replace(",", "")) / divisor


def in_order(prompt: str, choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices in an order that gives no hint at the right choice.

    They are sorted by size if all begin with different numbers. Otherwise they are
    sorted by a hash of prompt and text, which is the same in every session.
    """
    sizes = [number_of(choice["text"]) for choice in choices]
    if None not in sizes and len(set(sizes)) == len(sizes):
        return [choice for _, choice in sorted(zip(sizes, choices, strict=True))]

    def digest(choice: Choice) -> bytes:
        return hashlib.sha256(f"{prompt}\0{choice['text']}".encode()).digest()

    return sorted(choices, key=digest)


def right(text: str, why: str) -> tuple[str, bool, str]:
    """Return the right choice of a question; `why` is said to a reader who picks it."""
    return text, True, why


def wrong(text: str, why: str) -> tuple[str, bool, str]:
    """Return a wrong choice; `why` names the misconception behind it."""
    return text, False, why


def ask(prompt: str, *choices: tuple[str, bool, str]) -> Question:
    """Return a question for `Card.question`, with its choices in order.

    `right` and `wrong` make the choices. The page shows them in the order of
    `in_order`.
    """
    plain: list[Choice] = [
        {"text": text, "right": right, "why": why} for text, right, why in choices
    ]
    return {"prompt": prompt, "choices": in_order(prompt, plain)}


def check_question(question: Any) -> None:
    """Raise unless a question can be answered and gives a reason for each choice.

    Raises
    ------
    TraitError
        If a prompt, a text or a reason is missing, if two choices share a text, if
        there is only one choice, or if not exactly one choice is right.
    """
    if not isinstance(question, dict) or set(question) != {"prompt", "choices"}:
        raise t.TraitError(f"a question must have prompt, choices, got {question!r}")
    prompt, choices = question["prompt"], question["choices"]
    if not str(prompt).strip():
        raise t.TraitError(f"a question needs a prompt: {question!r}")
    for choice in choices:
        _check_choice(choice, prompt)
    right = sum(choice["right"] for choice in choices)
    if right != 1 or len({choice["text"] for choice in choices}) < max(2, len(choices)):
        raise t.TraitError(
            "a question must have at least two choices with different texts, exactly "
            f"one of them right, got {len(choices)} with {right} right: {prompt!r}"
        )


def _check_choice(choice: Any, prompt: str) -> None:
    """Raise if a choice lacks its text, its verdict or its reason."""
    if not isinstance(choice, dict) or set(choice) != {"text", "right", "why"}:
        raise t.TraitError(f"a choice must have text, right and why, got {choice!r}")
    if not choice["text"].strip() or not choice["why"].strip():
        raise t.TraitError(f"a choice of {prompt!r} needs a text and a why: {choice}")
