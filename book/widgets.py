"""What a page's widgets need: their state, and the files of their views.

A saved state holds the code of each widget, as the kernel sent it to JupyterLab. A
page takes none of it: it names the view's file, and the files that views are made
of are written once for the site. So a view that has changed needs no notebook run
again.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from course.widgets.bundler import HERE, Bundle, Source

STATE = "application/vnd.jupyter.widget-state+json"
FOLDER = "widgets"  # below the site's `_static`


@dataclass
class PageWidgets:
    """The saved state of a page's widgets, without code, and the files of their views.

    Attributes
    ----------
    models : dict of str to Any
        Saved models, by id.
    states : list of str
        JSON documents of them, as the page's runtime reads them.
    scripts, styles : dict of (str, None)
        Files of views, in the order in which they are needed; the values mean nothing.
    """

    models: dict[str, Any] = field(default_factory=dict)
    states: list[str] = field(default_factory=list)
    scripts: dict[str, None] = field(default_factory=dict)
    styles: dict[str, None] = field(default_factory=dict)

    def add(self, saved: str) -> None:
        """Take a document of saved state, and its widgets' code out of it."""
        document = json.loads(saved)
        self.models.update(document["state"])
        for model in document["state"].values():
            self._refer(model["state"])
        self.states.append(json.dumps(document).replace("</", "<\\/"))

    def _refer(self, state: dict[str, Any]) -> None:
        widget = widget_class(state.get("_anywidget_id", ""))
        if widget is None:
            return
        state["_esm"] = {"module": widget._esm.entry}
        del state["_css"]
        self.scripts.update(dict.fromkeys(widget._esm.names))
        self.styles.update(dict.fromkeys(widget._css.names))


def widget_class(identity: str) -> type | None:
    """Find a widget of the course by ``module.Class``; None for any other widget."""
    module, _, name = identity.rpartition(".")
    if not module.startswith("course."):
        return None
    widget = getattr(import_module(module), name)
    return widget if isinstance(widget._esm, Bundle) else None


def page_widgets(script_files: Iterable[Any]) -> PageWidgets:
    """Gather the states that myst-nb has put among a page's scripts."""
    widgets = PageWidgets()
    for file in script_files:
        attributes = getattr(file, "attributes", {})
        if attributes.get("type") == STATE:
            widgets.add(attributes["body"])
    return widgets


def source_of(file: str) -> str:
    """Give the text of a view's file as the site has it."""
    if file.endswith(".js"):
        return Source(file).script
    return (HERE / file).read_text("utf-8")


def write_sources(static: Path) -> None:
    """Write every view's files below the site's `_static`."""
    for path in (*HERE.rglob("*.js"), *HERE.rglob("*.css")):
        name = path.relative_to(HERE).as_posix()
        target = static / FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source_of(name), encoding="utf-8")
