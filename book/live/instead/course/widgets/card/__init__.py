"""Questions, which the cards of a page ask by themselves: code there makes none."""

from typing import Any

Question = dict[str, Any]


def ask(prompt: str, *choices: tuple[str, bool, str], veil: bool = False) -> Question:
    """Give no question."""
    return {}
