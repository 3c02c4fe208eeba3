r"""Colours of letters in formulas: stated in prose, defined in `course.kit.look`.

A formula needs a colour that every viewer of notebooks understands, so a notebook
states the role's light value, as in ``{\color{#0072b2}Q}``, and says in its metadata
which role it means. A Markdown page names the role: ``{\color{query}Q}``. For the site
both name the role; the table of formulas (`book.formulas`) has its CSS variable. When a
role changes in `look`, a notebook's text follows with the next ``make notebooks``.
"""

import json
import re

from course.kit import look

ROLES = {role: role for role in look.IN_FORMULAS}  # each role named by itself
KEY = "colours"  # in a notebook's metadata: the value of each role in its formulas
_COLOUR = re.compile(r"(\\color\{)([^}]+)(\})")


def current() -> dict[str, str]:
    """Value of each role that formulas may have."""
    return {role: look.colour(role) for role in look.IN_FORMULAS}


def named_in(source: str) -> dict[str, str]:
    """Return the value of each role that a notebook names; {} of a Markdown page."""
    try:
        return json.loads(source)["metadata"].get(KEY, current())
    except (ValueError, TypeError, KeyError):  # a Markdown page
        return {}


def recoloured(text: str, stated: dict[str, str], wanted: dict[str, str]) -> str:
    """Give each colour of a formula, stated as a role or its value, what is wanted."""
    role_of = {value.lower(): role for role, value in stated.items()}

    def give(colour: re.Match[str]) -> str:
        new = wanted.get(role_of.get(colour[2].lower(), colour[2]), colour[2])
        same = new.lower() == colour[2].lower()
        return colour[0] if same else colour[1] + new + colour[3]

    return _COLOUR.sub(give, text)
