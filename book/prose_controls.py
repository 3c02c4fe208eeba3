"""Words of the text that set a figure: ``[set $d_k$ to 16](#sqrtdk.d_k=16)``.

The link names a figure of the page, one of its traits and the value; ``&`` joins
several. A page makes the figure's address of it (``?sqrtdk.d_k=16#fig-sqrtdk``), which
the page's runtime follows in place; without scripts it leads to the figure. In a
notebook it is a link to a place that is not there, and does nothing.
"""

import html
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote

from docutils import nodes
from sphinx.transforms import SphinxTransform

CLASS = "sets"
_WRITTEN = re.compile(r"#(?P<state>(?P<figure>[\w-]+)\.\w+=.*)", re.DOTALL)
_PLACED = re.compile(rf'<a class="[^"]*\b{CLASS}\b[^"]*" href="\?([^"#]*)#fig-[^"]*"')


class ProseControls(SphinxTransform):
    """Give each such link the address of the figure's state."""

    default_priority = 870  # before MyST looks for a heading of that name

    def apply(self, **_: Any) -> None:
        """Change the links of one document."""
        for link in self.document.findall(nodes.reference):
            found = _WRITTEN.fullmatch(link.get("refuri", ""))
            if not found or not link.get("id_link"):
                continue
            del link["id_link"]
            state = quote(found["state"], safe="=&,[]%")
            link["refuri"] = f"?{state}#fig-{found['figure']}"
            link["classes"].append(CLASS)


def problems(body: str, models: Iterable[Mapping[str, Any]]) -> list[str]:
    """Say what is wrong with the links of a page's text.

    Parameters
    ----------
    body : str
        HTML of the text.
    models : iterable of mapping
        Saved states of the figures that the page shows.

    Returns
    -------
    list of str
        One for each trait that there is not, or that cannot have the value.
    """
    figures = {state["_page"]["name"]: state for state in models if "_page" in state}
    asked = [
        pair
        for query in _PLACED.findall(body)
        for pair in parse_qsl(html.unescape(query), keep_blank_values=True)
    ]
    checked = (_problem(*pair, figures) for pair in asked)
    return [problem for problem in checked if problem]


def _problem(key: str, text: str, figures: Mapping[str, Mapping[str, Any]]) -> str:
    figure, _, trait = key.partition(".")
    if figure not in figures:
        known = ", ".join(figures) or "none"
        return f"a link sets {figure!r}; figures of this page are {known}"
    state = figures[figure]
    settable = state["_page"].get("url", [])
    if trait not in settable:
        return f"a link sets {key!r}; a link can set {', '.join(settable) or 'nothing'}"
    limits = state["_page"].get("limits", {}).get(trait)
    if not fits(_value(text, state[trait]), state[trait], limits):
        return f"a link sets {key!r} to {text!r}, which it cannot be ({limits})"
    return ""


def _value(text: str, now: Any) -> Any:
    if isinstance(now, str | dict):  # the view alone reads the text of a dict
        return text
    try:
        return json.loads(text)
    except ValueError:
        return None


def fits(value: Any, now: Any, limits: Any) -> bool:
    """Tell whether a trait may have a value, as the page's runtime does.

    Parameters
    ----------
    value, now : Any
        What is asked for, and what the trait is; of a dict any text is taken here, and
        the view refuses in words what it cannot read.
    limits : list or dict or None
        Smallest, largest, whether whole; or, under ``one_of``, the texts there are.
    """
    if isinstance(now, bool) or isinstance(value, bool):
        return isinstance(now, bool) and isinstance(value, bool)
    if isinstance(now, int | float):
        return isinstance(value, int | float) and _within(value, limits)
    if isinstance(now, str):
        return isinstance(value, str) and value in (limits or {}).get("one_of", [value])
    if isinstance(now, list):
        same = isinstance(value, list) and len(now) in (0, len(value))
        return same and all(
            fits(v, n, limits) for v, n in zip(value, now, strict=False)
        )
    return bool(value)


def _within(value: float, limits: Any) -> bool:
    low, high, whole = limits or (None, None, False)
    return (
        math.isfinite(value)
        and (not whole or value == int(value))
        and (-math.inf if low is None else low) <= value
        and value <= (math.inf if high is None else high)
    )
