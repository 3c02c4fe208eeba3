r"""Convert colours in formulas between roles and the values in `course.kit.look`.

Every viewer of notebooks must understand the colours. So a formula in a notebook has
the role's value for light pages, as in ``{\color{#0072b2}Q}``, and the notebook's
metadata list the value of each role. A Markdown page names the role:
``{\color{query}Q}``. On the site every formula names the role, and the table of
formulas (`book.formulas`) has the role's CSS variable. If a role changes in `look`, the
next ``make notebooks`` changes the notebooks.
"""

import json
import re

from course.kit import look

ROLES = {role: role for role in look.IN_FORMULAS}  # each role's own name
KEY = "colours"  # in a notebook's metadata: the value of each role in its formulas
_COLOUR = re.compile(r"(\\color\{)([^}]+)(\})")


def current() -> dict[str, str]:
    """Return the current value of each role that formulas may use."""
    return {role: look.colour(role) for role in look.IN_FORMULAS}


def named_in(source: str) -> dict[str, str]:
    """Return the values of roles in a notebook's metadata; {} for a Markdown page."""
    try:
        return json.loads(source)["metadata"].get(KEY, current())
    except (ValueError, TypeError, KeyError):  # a Markdown page
        return {}


def recoloured(text: str, stated: dict[str, str], wanted: dict[str, str]) -> str:
    """Return text whose formulas have the `wanted` colour for each role.

    A colour of the text is a role or the value that `stated` gives for a role.
    """
    role_of = {value.lower(): role for role, value in stated.items()}

    def give(colour: re.Match[str]) -> str:
        new = wanted.get(role_of.get(colour[2].lower(), colour[2]), colour[2])
        same = new.lower() == colour[2].lower()
        return colour[0] if same else colour[1] + new + colour[3]

    return _COLOUR.sub(give, text)
