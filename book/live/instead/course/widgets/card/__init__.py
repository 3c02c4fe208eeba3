"""Questions for code in the page: the page's own cards ask them, so these are empty."""

from typing import Any

Question = dict[str, Any]


def ask(prompt: str, *choices: tuple[str, bool, str]) -> Question:
    """Return an empty question."""
    return {}
