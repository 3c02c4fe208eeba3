"""Prepare the widgets of a page: their saved state, and the files of their views.

A saved state holds the code of each widget, as the kernel sent it to JupyterLab. The
page leaves this code out and names the view's file instead. The files of all views are
written once for the site. So no notebook has to run again after a change of a view.
"""

import base64
import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from book.formulas.views import marked
from book.reading_time import MODEL_ID, WIDGET_VIEW
from course.kit import real_maps
from course.widgets import contract
from course.widgets.bundler import (
    HERE,
    Bundle,
    bare_style,
    program,
    read_source,
    sources,
)

STATE = "application/vnd.jupyter.widget-state+json"
FOLDER, MAPS = "widgets", "maps"  # below the site's `_static`
RUNTIME = Path(__file__).parent / "runtime"  # scripts that give the views their models
_VIEW = re.compile(rf'<script type="{re.escape(WIDGET_VIEW)}">.*?</script>', re.DOTALL)
_STILL = re.compile(
    r'<div class="still-pictures">(<svg.*</svg>)</div><figcaption>(.*?)</figcaption>',
    re.DOTALL,
)


class Still(NamedTuple):
    """A figure's still picture, with its title, its caption and its anchor."""

    title: str
    reading: str  # the caption, which describes the figure's state
    anchor: str
    picture: str


@dataclass
class PageWidgets:
    """The widgets of a page: their saved state without code, and their views' files."""

    models: dict[str, Any] = field(default_factory=dict)  # saved models, by id
    # Ids of the models that the page shows, in page order.
    shown: list[str] = field(default_factory=list)
    # Still pictures of the figures that the page shows, in page order.
    figures: list[Still] = field(default_factory=list)
    # Files of views, in the order in which the page loads them; an ordered set.
    scripts: dict[str, None] = field(default_factory=dict)
    styles: dict[str, None] = field(default_factory=dict)
    # Files of each class's view, by ``module.Class``.
    classes: dict[str, list[str]] = field(default_factory=dict)

    def add(self, saved: str) -> None:
        """Add the models of a saved state, without the code of their widgets."""
        found = json.loads(saved)["state"]
        for model in found.values():
            self._refer(model["state"])
        self.models.update(found)

    def place(self, body: str) -> str:
        """Name the models; return the page with an id on each view's element.

        Without scripts the element shows the still picture of the widget.
        """
        views = "".join(_VIEW.findall(body))
        self.shown = list(dict.fromkeys(MODEL_ID.findall(views)))
        name_models(self.models, self.shown)
        return _VIEW.sub(self._placed, body)

    def _placed(self, view: re.Match[str]) -> str:
        found = MODEL_ID.search(view[0])
        state = self.models[found[1]]["state"]
        page, still = state["_page"], state.pop("still", "")
        anchor = f"fig-{html.escape(page['name'])}"
        if shown := _STILL.search(still):
            picture, reading = shown.groups()
            self.figures.append(
                Still(html.escape(page["title"]), reading, anchor, picture)
            )
        return f'<div class="widget" id="{anchor}">{marked(still)}{view[0]}</div>'

    @property
    def states(self) -> list[dict[str, Any]]:
        """Saved states of the models that the page shows, in page order."""
        return [self.models[model_id]["state"] for model_id in self.shown]

    @property
    def offers(self) -> bool:
        """Whether a figure asks for a prediction; a button can skip all predictions."""
        saved = (model["state"] for model in self.models.values())
        return any(state.get("question", {}).get("prompt") for state in saved)

    @property
    def state(self) -> str:
        """Script element with the saved models, which the page's runtime reads."""
        if not self.models:
            return ""
        # Sorted like the cache of executed notebooks, so that lists have one order.
        document = json.dumps({"state": self.models}, sort_keys=True)
        document = document.replace("</", "<\\/")
        return f'<script type="{STATE}">{document}</script>'

    def _refer(self, state: dict[str, Any]) -> None:
        """Replace the code in a widget's state by the name of the view's file."""
        identity = state.get("_anywidget_id", "")
        widget = widget_class(identity)
        if widget is None:
            return
        self.classes[identity] = _files(widget)
        state["_esm"] = {"module": widget._esm.entry}
        state.pop("_css", None)
        self.scripts.update(dict.fromkeys(widget._esm.names))
        self.styles.update(dict.fromkeys(widget._css.names))


def name_models(models: Mapping[str, Any], shown: Iterable[str]) -> None:
    """Name each model on its page: by its own name, else by its class and a number.

    The name is written into the model's ``_page``. `shown` are the ids of the models
    that the page shows, in page order. Two models must not have the same name.
    """
    kinds: Counter[str] = Counter()
    taken: set[str] = set()
    for model_id in dict.fromkeys(shown):
        state = models[model_id]["state"]
        page = state.setdefault("_page", {})
        if not page.get("name"):
            kind = state.get("_anywidget_id", "widget").rpartition(".")[2].lower()
            kinds[kind] += 1
            page["name"] = f"{kind}{kinds[kind] if kinds[kind] > 1 else ''}"
        if page["name"] in taken:
            raise ValueError(f"two widgets of a page are called {page['name']!r}")
        taken.add(page["name"])


def widget_class(identity: str) -> type | None:
    """Return the course's widget ``module.Class``; None for any other widget."""
    module, _, name = identity.rpartition(".")
    if not module.startswith("course."):
        return None
    widget = getattr(import_module(module), name)
    return widget if isinstance(widget._esm, Bundle) else None


def _files(widget: type) -> list[str]:
    """List the files of a widget's view."""
    return [*widget._esm.names, *widget._css.names]


def changed(classes: Mapping[str, list[str]]) -> bool:
    """Return whether the view of a class has other files now than `classes` lists."""
    return any(_files(widget_class(each)) != files for each, files in classes.items())


def page_widgets(script_files: Iterable[Any]) -> PageWidgets:
    """Gather the states that myst-nb has put among a page's scripts."""
    widgets = PageWidgets()
    for file in script_files:
        attributes = getattr(file, "attributes", {})
        if attributes.get("type") == STATE:
            widgets.add(attributes["body"])
    return widgets


def _models(saved: str) -> Iterable[dict[str, Any]]:
    return json.loads(saved)["state"].values() if saved.startswith("{") else ()


def judges(texts: Iterable[str]) -> list[str]:
    """List the files that judge the answers of saved cards, imported files first."""
    pages = (contract.page_of(model["state"]) for t in texts for model in _models(t))
    asked = (contract.questions_of(page).values() for page in pages if page)
    entries = dict.fromkeys(each["by"] for group in asked for each in group)
    names = [source.name for entry in entries for source in sources(entry)]
    return list(dict.fromkeys(names))


def source_of(file: str) -> str:
    """Return the text of a view's file as the site contains it."""
    if file.endswith(".js"):
        return read_source(file).script
    return bare_style((HERE / file).read_text("utf-8"))


def runtime(entry: str = "main.js") -> str:
    """Return a file of the site's runtime, with all that it imports, as one script."""
    return program(entry, RUNTIME)


def write_sources(static: Path) -> None:
    """Write every view's files below the site's `_static`."""
    for path in (*HERE.rglob("*.js"), *HERE.rglob("*.css")):
        name = path.relative_to(HERE).as_posix()
        target = static / FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source_of(name), encoding="utf-8")
    write_maps(static / MAPS)


def write_maps(folder: Path) -> None:
    """Write the attention maps of stored sentences as scripts for the views."""
    folder.mkdir(exist_ok=True)
    for name in real_maps.SENTENCES:
        packed = base64.b64encode(real_maps.stored(name).packed).decode()
        text = f'(globalThis.abhMaps ??= {{}})["{name}"] = "{packed}";\n'
        (folder / f"{name}.js").write_text(text, encoding="utf-8")


ALL_FIGURES = "all-figures"  # the page of all figures, and the class of its box
_BOX = re.compile(rf'(<div class="{ALL_FIGURES}">)\s*(</div>)')


def write_all_figures(
    site: Path, pages: Iterable[tuple[str, str, list[Still]]]
) -> None:
    """Fill the page of all figures, once every page has been written.

    `pages` has the name, the title and the figures of each page, in reading order.
    """
    page = site / f"{ALL_FIGURES}.html"
    if not page.exists():
        return
    # By title and picture: address, title of the page, and figure of each occurrence.
    same: dict[tuple[str, str], list[tuple[str, str, Still]]] = {}
    for name, title, figures in pages:
        for figure in figures:
            places = same.setdefault((figure.title, figure.picture), [])
            places.append((f"{name}.html#{figure.anchor}", title, figure))
    sections: dict[str, str] = {}
    for (address, title, figure), *others in same.values():
        item = _thumbnail(address, figure, [place[:2] for place in others])
        sections[title] = sections.get(title, "") + item
    drawn = (f"<h2>{title}</h2><ul>{items}</ul>" for title, items in sections.items())
    text = page.read_text(encoding="utf-8")
    page.write_text(_BOX.sub(lambda b: b[1] + "".join(drawn) + b[2], text), "utf-8")


def _thumbnail(address: str, figure: Still, others: Iterable[tuple[str, str]]) -> str:
    """Return a figure's list item, with links to `others`, which look the same."""
    links = ", ".join(f'<a href="{other}">{title}</a>' for other, title in others)
    return (
        f'<li><a href="{address}">'
        f'<span class="thumbnail" aria-hidden="true">{figure.picture}</span>'
        f"<span>{marked(figure.title)}</span></a> "
        f"<small>{marked(figure.reading)}</small>"
        f"{f'<small>Also in {links}.</small>' if links else ''}</li>"
    )
