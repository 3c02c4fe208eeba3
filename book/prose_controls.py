"""Links in the text that set a figure: ``[set $d_k$ to 16](#walk.d_k=16)``.

The link names a figure of the page, one of its traits and the value; ``&`` joins
several traits. The build turns the link into the figure's address
(``?walk.d_k=16#fig-walk``). The page's runtime sets the figure without loading the page
again. Without scripts the link leads to the figure. In a notebook ``links.js`` sets the
figure.
"""

import html
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote

from docutils import nodes
from jsonschema import Draft202012Validator
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

from course.widgets import contract

CLASS = "sets"
WRITTEN = re.compile(r"#(?P<state>(?P<figure>[\w-]+)\.\w+=.*)", re.DOTALL)
_PLACED = re.compile(rf'<a class="[^"]*\b{CLASS}\b[^"]*" href="\?([^"#]*)#fig-[^"]*"')


class ProseControls(SphinxTransform):
    """Turns each link that sets a figure into the address of the figure's state."""

    default_priority = 870  # before MyST takes the link for the name of a heading

    def apply(self, **_: Any) -> None:
        """Rewrite the links that set a figure in one document."""
        for link in self.document.findall(nodes.reference):
            found = WRITTEN.fullmatch(link.get("refuri", ""))
            if not found or not link.get("id_link"):
                continue
            del link["id_link"]
            state = quote(found["state"], safe="=&,[]%")
            link["refuri"] = f"?{state}#fig-{found['figure']}"
            link["classes"].append(CLASS)


class FigureLinks(SphinxPostTransform):
    """Resolve a link to a figure of another page: ``07-a.ipynb#fig-swing``."""

    default_priority = 8  # before MyST takes the link for the name of a heading
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Resolve the links to figures in one document."""
        builder = self.app.builder
        for link in list(self.document.findall(addnodes.pending_xref)):
            figure = link.get("reftargetid") or ""
            if not figure.startswith("fig-"):
                continue
            page = builder.get_relative_uri(self.env.docname, link["reftarget"])
            to = nodes.reference("", "", internal=True, refuri=f"{page}#{figure}")
            to += link.children
            link.replace_self(to)


def problems(body: str, models: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the mistakes in the links of a page's HTML that set figures.

    There is a message for each unknown figure, unknown trait and impossible value.
    `models` are the saved states of the page's figures.
    """
    pages = filter(None, map(contract.page_of, models))
    figures = {page["name"]: page for page in pages}
    asked = [
        pair
        for query in _PLACED.findall(body)
        for pair in parse_qsl(html.unescape(query), keep_blank_values=True)
    ]
    checked = (_problem(*pair, figures) for pair in asked)
    return [problem for problem in checked if problem]


def _problem(key: str, text: str, figures: Mapping[str, contract.Page]) -> str:
    figure, _, name = key.partition(".")
    if figure not in figures:
        known = ", ".join(figures) or "none"
        return f"a link sets {figure!r}; figures of this page are {known}"
    traits = figures[figure]["traits"]
    settable = [each for each, trait in traits.items() if trait.get("link")]
    if name not in settable:
        return f"a link sets {key!r}; a link can set {', '.join(settable) or 'nothing'}"
    schema = traits[name]["schema"]
    if not _allows(schema, text):
        return f"a link sets {key!r} to {text!r}, which it cannot be ({schema})"
    return ""


def _allows(schema: Mapping[str, Any], text: str) -> bool:
    """Return whether a text is a valid value for the schema."""
    if schema["type"] == "object":  # only the view can read and check such a text
        return bool(text)
    try:
        value = text if schema["type"] == "string" else _value(text)
    except ValueError:
        return False
    return Draft202012Validator(schema).is_valid(value)


def _value(text: str) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no number of JSON")

    return json.loads(text, parse_constant=refuse)
