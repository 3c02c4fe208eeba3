r"""Colours of letters in formulas: stated in prose, defined in `course.kit.look`.

A formula needs a colour that every viewer of notebooks understands, so a notebook
states the role's light value, as in ``{\color{#0072b2}Q}``, and says in its metadata
which role it means. A Markdown page names the role: ``{\color{query}Q}``. When a role
changes in `look`, the site follows with the next build, a notebook's text with the
next ``make notebooks``.
"""

import json
import re

from course.kit import look

KEY = "colours"  # in a notebook's metadata: the value of each role in its formulas
_COLOUR = re.compile(r"(\\color\{)([^}]+)(\})")


def current() -> dict[str, str]:
    """Value of each role that formulas may have."""
    return {role: look.colour(role) for role in look.IN_FORMULAS}


def named_in(source: str) -> dict[str, str]:
    """Return the roles' values as the text of a notebook states them; else none."""
    try:
        return json.loads(source)["metadata"].get(KEY, current())
    except (ValueError, TypeError, KeyError):  # a Markdown page
        return {}


def recoloured(text: str, stated: dict[str, str]) -> str:
    """Give each colour of a formula, stated as a role or its value, today's value."""
    role_of = {value.lower(): role for role, value in stated.items()}
    now = current()

    def give(colour: re.Match[str]) -> str:
        today = now.get(role_of.get(colour[2].lower(), colour[2]), colour[2])
        same = today.lower() == colour[2].lower()
        return colour[0] if same else colour[1] + today + colour[3]

    return _COLOUR.sub(give, text)
