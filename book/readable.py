"""Copies of the chapters for hosts of plain notebooks: ``python -m book.readable``.

GitHub, nbviewer and Colab do not run saved widgets or follow the course's own links.
So this module writes a copy of each chapter, with the results of the last build. In the
copy, Markdown output is a text cell, a widget is a still picture with a link to the
moving figure, and links lead to pages of the site. The copies for Colab also keep the
code that the site hides, and begin with a cell that installs the course.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from posixpath import join, normpath
from typing import Any
from urllib.parse import quote

import nbformat
from jupyter_cache import get_cache
from nbformat import NotebookNode

from book.build import ROOT, chapters
from book.citations import Citations
from book.live.in_page.cells import links_of, needed
from book.notebooks import tags
from book.prose_controls import WRITTEN
from book.reading_time import WIDGET_VIEW
from book.repository import Repository
from book.widgets import STATE, name_models
from course.kit import look
from course.widgets.ledger_table import address_of

SVG, MARKDOWN, PLAIN = "image/svg+xml", "text/markdown", "text/plain"
BIBLIOGRAPHY = ROOT / "references.bib"
THERE = "On the course's page"
FOLDER, COLAB_FOLDER = "readable", "colab"  # below the site's root

_CODE = r"```.*?```|`[^`\n]*`"
_LINK = re.compile(
    rf"{_CODE}|\[(?P<words>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^)\s]+)\)",
    re.DOTALL,
)
_HREF = re.compile(rf'{_CODE}|(?P<before><a href=")(?P<target>[^"]+)', re.DOTALL)
_LEDGER_LINE = re.compile(r"errata\.ipynb#([\w-]+:\d+)")


# --- Links ----------------------------------------------------------------------------


@dataclass(frozen=True)
class CopyPlace:
    """Resolves the links in the copies of a page."""

    # Beginning of links to the site: its address, or a relative path to its root. If
    # None, links lead from copy to copy, and links to other pages become words.
    site: str | None
    page: str  # path of the page without its ending: ``chapters/01-self-attention``

    def page_address(self) -> str | None:
        """Return the address of the page; None without a site."""
        return None if self.site is None else f"{self.site}{self.page}.html"

    def figure(self, name: str, state: str = "") -> str | None:
        """Return the address of the moving figure in a state; None without a site."""
        query = f"?{quote(state, safe='=&,[]%')}" if state else ""
        page = self.page_address()
        return page and f"{page}{query}#fig-{name}"

    def linked(self, text: str) -> str:
        """Return the text with links that work inside the copy."""

        def new_link(found: re.Match[str]) -> str:
            if not found["target"]:
                return found[0]
            return link(found["words"], self._target(found["target"]))

        def new_href(found: re.Match[str]) -> str:
            to = self._target(found["target"]) if found["target"] else None
            return found[0] if to is None else found["before"] + to

        return _HREF.sub(new_href, _LINK.sub(new_link, text))

    def relink(self, notebook: NotebookNode) -> None:
        """Give a notebook's text links that work inside the copy."""
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = self.linked(cell.source)

    def _target(self, target: str) -> str | None:
        if re.match(r"(?:https?|mailto):", target):
            return target
        if sets := WRITTEN.fullmatch(target):
            return self.figure(sets["figure"], sets["state"])
        path, mark, anchor = target.partition("#")
        file = normpath(join("chapters", path)) if path else self.page
        if self.site is None:
            copy = re.fullmatch(r"chapters/([^/]+\.ipynb)", file)
            return copy[1] if copy else None
        if line := _LEDGER_LINE.search(target):
            return f"{self.site}chapters/errata.html?{address_of(line[1])}"
        page = re.sub(r"\.(?:ipynb|md)$", "", file)
        return f"{self.site}{page}.html{mark}{anchor}"


def link(words: str, target: str | None) -> str:
    """Return a Markdown link, or the words alone if there is no target."""
    return words if target is None else f"[{words}]({target})"


# --- Widgets --------------------------------------------------------------------------


def coloured(svg: str) -> str:
    """Replace the CSS variables of a still picture by the colours of a light page."""
    mixed = re.compile(
        r"color-mix\(in oklab,var\(--abh-([\w-]+)\),var\(--abh-([\w-]+)\) (\d+)%\)"
    )

    def mix(found: re.Match[str]) -> str:
        low, high = (look.ROLES[role].light for role in found.groups()[:2])
        return look.mix(low, high, [int(found[3]) / 100])[0]

    svg = mixed.sub(mix, svg)
    svg = re.sub(r"var\(--abh-([\w-]+)\)", lambda f: look.ROLES[f[1]].light, svg)
    opening = re.match(r"<svg\b[^>]*>", svg)[0]
    page = f'<rect width="100%" height="100%" fill="{look.ROLES["paper"].light}"/>'
    style = 'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="14"'
    return opening.replace("<svg", f"<svg {style}", 1) + page + svg[len(opening) :]


@dataclass
class CopiedStill:
    """A widget as still pictures and text, for hosts without kernels."""

    pictures: list[str]
    words: str

    @classmethod
    def of(cls, state: dict[str, Any], place: CopyPlace) -> "CopiedStill":
        """Split a saved card into its pictures and its text with a link to the page."""
        shown = state["still"]
        pictures = [coloured(svg) for svg in re.findall(r"<svg.*?</svg>", shown)]
        words = re.sub(r"<svg.*?</svg>", "", shown)
        words = re.sub(r'<p class="still-title">(.*?)</p>', r"<p><b>\1</b></p>", words)
        words = re.sub(r"<div[^>]*></div>|</?(?:figure|div)\b[^>]*>", "", words)
        words = words.replace("figcaption>", "p>").replace("\n", " ")
        verb = "Move" if state["_page"]["figure"] else "Answer"
        address = place.figure(state["_page"]["name"])
        to_page = address and f'<p><a href="{address}">{verb} it on the page</a></p>'
        return cls(pictures, f"<blockquote>{words}{to_page or ''}</blockquote>")


# --- Notebooks ------------------------------------------------------------------------


def executed(path: Path, cache: Path) -> NotebookNode:
    """Return a chapter with the results of the last build; KeyError if it has none."""
    notebook = nbformat.read(path, as_version=4)
    results = get_cache(str(cache))
    try:
        _, merged = results.merge_match_into_notebook(notebook)
    finally:
        results.db.dispose()  # newer Pythons warn of a database that stays open
    return merged


@dataclass
class Copy:
    """Makes the copy of one chapter, cell by cell."""

    place: CopyPlace  # resolves the links of the chapter
    # Saved widget states, by id, with the names that the page gives them.
    states: dict[str, Any]
    # Whether readers run the copy, as on Colab; if so, it keeps hidden code too.
    runs: bool
    citations: Citations  # the sources that the copy has cited so far

    @classmethod
    def of(cls, notebook: NotebookNode, place: CopyPlace, runs: bool) -> "Copy":
        """Read a notebook's saved widgets and name them as on its page."""
        saved = notebook.metadata.get("widgets", {}).get(STATE, {"state": {}})["state"]
        outputs = chain.from_iterable(c.get("outputs", ()) for c in notebook.cells)
        views = (o.get("data", {}).get(WIDGET_VIEW) for o in outputs)
        name_models(saved, [view["model_id"] for view in views if view])
        states = {i: model["state"] for i, model in saved.items()}
        return cls(place, states, runs, Citations(BIBLIOGRAPHY))

    def cells(self, cell: NotebookNode) -> Iterator[NotebookNode]:
        """Yield the cells of the copy that replace one cell of the chapter."""
        if cell.cell_type == "markdown":
            yield nbformat.v4.new_markdown_cell(self._text(cell.source))
        elif "remove-cell" not in tags(cell):
            yield from self._code(cell)

    def _text(self, markdown: str) -> str:
        return self.place.linked(self.citations.numbered(markdown))

    def _code(self, cell: NotebookNode) -> Iterator[NotebookNode]:
        shown, said = [], []
        for output in cell.outputs:
            for kind, made in self._outputs(output):
                if kind == MARKDOWN and not self.runs:
                    said.append(nbformat.v4.new_markdown_cell(made))
                else:
                    shown.append(_display(kind, made))
        if self.runs or shown or "remove-input" not in tags(cell):
            code = nbformat.v4.new_code_cell(cell.source, outputs=shown)
            if self.runs and cell.metadata.get("jupyter", {}).get("source_hidden"):
                code.metadata["cellView"] = "form"  # how Colab folds code
            yield code
        yield from said

    def _outputs(self, output: NotebookNode) -> Iterator[tuple[str, str]]:
        if output.output_type == "stream":
            if output.name == "stdout":
                yield "stream", output.text
            return
        data = output.get("data", {})
        if WIDGET_VIEW in data:
            state = self.states[data[WIDGET_VIEW]["model_id"]]
            still = CopiedStill.of(state, self.place)
            yield from ((SVG, picture) for picture in still.pictures)
            yield MARKDOWN, still.words
        elif SVG in data:
            yield SVG, data[SVG]
        elif MARKDOWN in data:
            yield MARKDOWN, self._text(data[MARKDOWN])
        elif PLAIN in data:
            yield "stream", data[PLAIN] + "\n"


def _display(kind: str, text: str) -> NotebookNode:
    if kind == "stream":
        return nbformat.v4.new_output("stream", name="stdout", text=text)
    data = {kind: text, PLAIN: "a picture" if kind == SVG else text}
    return nbformat.v4.new_output("display_data", data)


def copied(
    notebook: NotebookNode, place: CopyPlace, *first: NotebookNode
) -> NotebookNode:
    """Return a copy of an executed chapter; `first` begins a copy that readers run."""
    copy = Copy.of(notebook, place, runs=bool(first))
    made = [list(copy.cells(cell)) for cell in notebook.cells]
    missing = set_up(notebook.cells, made)
    cells = [*first, *chain.from_iterable(map(chain, missing, made))]
    if not first:
        about = (
            f"*A copy to read. {link(THERE, place.page_address())} the figures "
            "move, and every question tells what is right and why.*"
        )
        title, _, rest = cells[0].source.partition("\n")
        cells[0].source = f"{title}\n\n{about}\n{rest}".rstrip()
    if listed := copy.place.linked(copy.citations.listed()):
        cells.append(nbformat.v4.new_markdown_cell(listed))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    metadata = {key: notebook.metadata[key] for key in ("kernelspec", "language_info")}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def set_up(
    cells: Sequence[NotebookNode], made: Sequence[Sequence[NotebookNode]]
) -> list[list[NotebookNode]]:
    """Return code cells with the statements that a copy lacks and its code needs.

    `made` has, for each cell of a chapter, its cells in the copy. The result has, for
    each cell of the chapter, a list of no code cell or of one.
    """
    parts: list[tuple[int, str, bool]] = []  # cell, statement, is in the copy
    for index, (cell, copies) in enumerate(zip(cells, made, strict=True)):
        if cell.cell_type == "code":
            is_copied = any(each.cell_type == "code" for each in copies)
            parts += [(index, text, is_copied) for text in _statements(cell.source)]
    links = links_of([text for _, text, _ in parts])
    wanted: set[int] = set()
    for number, (_, text, is_copied) in enumerate(parts):
        if is_copied or text.startswith("look.use("):
            wanted.update(needed(links, number))
    texts: list[list[str]] = [[] for _ in cells]
    for number in sorted(wanted):
        index, text, is_copied = parts[number]
        if not is_copied:
            texts[index].append(text)
    return [[nbformat.v4.new_code_cell("\n".join(t))] if t else [] for t in texts]


def _statements(source: str) -> list[str]:
    """Split code into top-level statements; invalid Python stays in one piece."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return [source]
    lines = source.split("\n")
    spans = [
        (min(n.lineno for n in (node, *getattr(node, "decorator_list", []))), node)
        for node in body
    ]
    return ["\n".join(lines[start - 1 : node.end_lineno]) for start, node in spans]


def install_cells(repository: Repository) -> list[NotebookNode]:
    """Return the first two cells of a notebook on Colab, which install the course."""
    about = (
        "**Run the next cell first**: it installs the course. Where it had to replace "
        "Colab's own `ipywidgets`, it restarts the session; go on with the cell below."
    )
    install = f"""\
# Install the course
import sys
from importlib.metadata import version

%pip install --quiet "attention-by-hand[course] @ git+{repository.url}@{repository.ref}"
loaded = sys.modules.get("ipywidgets")
if loaded and loaded.__version__ != version("ipywidgets"):
    print("The session restarts now, for the new ipywidgets. Go on with the next cell.")
    get_ipython().kernel.do_shutdown(restart=True)
elif "google.colab" in sys.modules:
    from google.colab import output

    output.enable_custom_widget_manager()"""
    return [nbformat.v4.new_markdown_cell(about), nbformat.v4.new_code_cell(install)]


def write(root: Path, site: Path, repository: Repository | None) -> list[Path]:
    """Write the copies of every chapter below the folder of the built site.

    If the site's address is unknown, links lead from copy to copy. Only a repository on
    GitHub gets copies for Colab, because Colab opens only published notebooks.
    """
    address = repository.site if repository else None
    written = []
    for path in chapters(folder=root / "chapters"):
        notebook = executed(path, root / "_build" / ".jupyter_cache")
        place = CopyPlace(address, f"chapters/{path.stem}")
        copies = {FOLDER: copied(notebook, place)}
        if repository and repository.on_github:
            first = install_cells(repository)
            copies[COLAB_FOLDER] = copied(notebook, place, *first)
        for folder, copy in copies.items():
            target = site / folder / "chapters" / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(copy, target)
            written.append(target)
    return written


def main(arguments: list[str] | None = None) -> int:
    """Write the copies of the built book; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the book")
    root = parser.parse_args(arguments).root.resolve()
    site, repository = root / "_build" / "html", Repository.from_environment()
    written = write(root, site, repository)
    for folder in dict.fromkeys(path.relative_to(site).parts[0] for path in written):
        print(f"Copies of the chapters are in _build/html/{folder}/")
    if repository is None or repository.site is None:
        print(
            "They have no links to the site, because its address is unknown: set "
            "REPOSITORY_URL (and SITE_URL if the site is not GitHub's own)."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
