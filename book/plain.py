"""Convert MyST admonitions into Markdown that every host of notebooks renders.

JupyterLab without jupyterlab-myst, Notebook 7, nbclassic, VS Code and Colab show a MyST
directive as code. So in a notebook a note is a quotation that begins with a bold title,
and a fold is ``<details>``. For the site, `Notes` turns such a quotation back into an
admonition.
"""

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

_FENCE = re.compile(r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[\w-]+)\}[ \t]*(?P<title>.*)$")
_OPTION = re.compile(r"^:(?P<key>[\w-]+):\s*(?P<value>.*)$")
_LABEL = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
_ADMONITIONS = {"note", "tip", "hint", "important", "warning", "caution", "seealso"}


def plain(markdown: str) -> str:
    """Return MyST as Markdown that every host renders.

    Raises
    ------
    ValueError
        If a directive has no plain form.
    """
    return "\n".join(_without_directives(_LABEL.sub("", markdown).split("\n")))


def _without_directives(lines: list[str]) -> Iterator[str]:
    rest = iter(lines)
    for line in rest:
        opening = _FENCE.match(line)
        if not opening:
            yield line
            continue
        body: list[str] = []
        for inner in rest:
            if inner.strip() == opening["fence"]:
                break
            body.append(inner)
        yield from _admonition(opening["name"], opening["title"], body)


def _admonition(name: str, title: str, body: list[str]) -> Iterator[str]:
    """Yield an admonition as a quotation, or as a fold if its class is ``dropdown``."""
    if name != "admonition" and name not in _ADMONITIONS:
        raise ValueError(f"no plain form of the directive {{{name}}}")
    options = {}
    while body and (option := _OPTION.match(body[0])):
        options[option["key"]] = option["value"]
        body = body[1:]
    inside = "\n".join(_without_directives(body)).strip("\n")
    title = title or name.title()
    if "dropdown" in options.get("class", ""):
        summary = f"<summary><b>{title}</b></summary>"
        yield f'<details class="fold">{summary}\n\n{inside}\n\n</details>'
    else:
        quoted = "\n".join(f"> {line}".rstrip() for line in inside.split("\n"))
        yield f"> **{title}**\n>\n{quoted}"


class Notes(SphinxTransform):
    """Turn a quotation that begins with a title in bold into an admonition."""

    default_priority = 210

    def apply(self, **_: Any) -> None:
        """Replace each such quotation in the document."""
        for quotation in list(self.document.findall(nodes.block_quote)):
            first, *body = quotation.children
            # Markdown puts empty texts beside bold words.
            match [child for child in first.children if child.astext()]:
                case [nodes.strong() as title] if body:
                    heading = nodes.title("", "", *title.children)
                    quotation.replace_self(nodes.admonition("", heading, *body))
