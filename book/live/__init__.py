"""Python in the page: which cells run there, and what is fetched for it.

The files of `book/vendor` (Pyodide, Python's library, NumPy) and the course's own code
lie below the site's ``_static/python`` and are fetched when a reader first presses Run.
The browser keeps them between visits: the worker puts each file that fits the digest in
its address into the browser's store, and takes it from there. That needs no service
worker, which would run outside the page's policy.
`in_page` runs there, in Pyodide; the scripts here are the page's side.

An open cell runs in the page if it and the open cells that it rests on import nothing
but the standard library, NumPy, and modules of ``src`` that import no more than these;
so nothing is to be marked, and a cell that draws has no button. Which cells above run
first is told from the names that each reads and binds (`in_page.cells`, which runs in
the reader's browser). A cell's address, and what a reader keeps of it, go by its id,
which follows from its code; an exercise goes by its name.

``instead/`` holds what a page has in place of modules of ``src`` that need a notebook:
a ``Machine`` without a view, whose name is that of a figure of the page, and
``counted``, which says how far a cell is. What code sets of a figure goes to the page
as texts when the run ends; the page holds them to what it holds a link to
(``book/runtime/figures.js``) and takes or refuses them. A cell that runs only because
another one needs it leaves what the reader has set of a figure as it is.

Python runs in a worker from a ``blob:``, since a worker from an address would not stand
under the page's policy; browser tests try what it must refuse.
"""

import ast
import gzip
import hashlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from book.live.in_page.cells import links_of, names_of, needed
from book.notebooks import FOLDED, tags
from book.vendor import vendored
from course.practice.exercises import EXERCISES
from course.widgets.bundler import joined, sources

HERE = Path(__file__).parent
SRC = HERE.parents[1] / "src"
INSTEAD = HERE / "instead"  # modules that a page has in place of those of `src`
IN_PAGE = "in_page"
FOLDER = "python"  # below the site's `_static`
COURSE = "course.zip"
EDITOR = "live-editor.js"
REST = "live-cells.js"
NUMPY = "numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
VENDORED = {
    "pyodide.asm.wasm": "pyodide/pyodide.asm.wasm",
    "pyodide.asm.js": "pyodide/pyodide.asm.js",
    "pyodide.mjs": "pyodide/pyodide.mjs",
    "pyodide-lock.json": "pyodide/pyodide-lock.json",
    "python_stdlib.zip": "python/python_stdlib.zip",
    NUMPY: f"numpy/{NUMPY}",
}
PACKED = {"pyodide.asm.wasm", "pyodide.asm.js", "pyodide.mjs", "pyodide-lock.json"}
BESIDE = {".csv", ".json", ".safetensors"}  # data that modules read from beside them
NOT_NEEDED = {"threadpoolctl"}  # which `attention` works without
EXERCISE = "exercise"  # the tag of a cell that a reader completes
_CHECK = re.compile(r'^check\("([\w-]+)",', re.MULTILINE)
_EPOCH = (1980, 1, 1, 0, 0, 0)


MARK = ' live docutils container" id="cell-'  # of a live cell in a page's text


class Cell(NamedTuple):
    """A live cell: what it is called on its page, its code, and its title as exercise.

    An exercise goes by its own name, any other cell by its id, which follows from its
    code: what a reader keeps of a cell is of that code.
    """

    name: str
    code: str
    title: str = ""


Cells = Mapping[int, Cell]  # by their places in the notebook


class Fetched(NamedTuple):
    """A file that the worker fetches: its name to Pyodide, and what the site holds."""

    name: str
    content: bytes
    packed: bool

    @property
    def at(self) -> str:
        """Its address in the folder."""
        return f"{self.name}{'.packed' * self.packed}?{_digest(self.content)}"


def _digest(content: bytes) -> str:
    """Short hash, so that browsers drop an old copy and ask for no file twice."""
    return hashlib.sha256(content).hexdigest()[:10]


# --- What runs ------------------------------------------------------------------------


def open_cells(notebook: NotebookNode) -> dict[int, NotebookNode]:
    """Give the code cells of a chapter that stand open, by their places in it."""
    return {
        place: cell
        for place, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and not tags(cell) & FOLDED
    }


def live_cells(notebook: NotebookNode) -> dict[int, Cell]:
    """Give those open cells that the page can run, with all that they rest on."""
    found = open_cells(notebook)
    codes = [cell.source for cell in found.values()]
    links = links_of(codes)
    runs = [is_here(modules_of(code)) for code in codes]
    return {
        place: _named(cell)
        for i, (place, cell) in enumerate(found.items())
        if all(runs[each] for each in needed(links, i))
    }


def _named(cell: NotebookNode) -> Cell:
    if EXERCISE not in tags(cell):
        return Cell(cell.id, cell.source)
    found = _CHECK.search(cell.source)
    if found is None:
        return Cell("write-the-test", cell.source, "Write the test")
    return Cell(found[1], cell.source, EXERCISES[found[1]].title)


def of_chapters(folder: Path) -> dict[str, Cells]:
    """Find the live cells of each chapter that has some, by the name of its page."""
    pages = {
        f"{folder.name}/{path.stem}": live_cells(nbformat.read(path, as_version=4))
        for path in sorted(folder.glob("*.ipynb"))
    }
    return {page: cells for page, cells in pages.items() if cells}


def _codes(pages: Mapping[str, Cells]) -> list[str]:
    return [cell.code for cells in pages.values() for cell in cells.values()]


def modules_of(code: str) -> set[str]:
    """Name the modules that code imports, and what it takes from them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def is_here(modules: Iterable[str]) -> bool:
    """Whether a page has some modules, and all that they import."""
    _, foreign = _closure(frozenset(modules))
    return foreign <= sys.stdlib_module_names | {"numpy"} | NOT_NEEDED


@cache
def _closure(modules: frozenset[str]) -> tuple[frozenset[Path], frozenset[str]]:
    """Give our own files that modules import, and the names of all others."""
    files: dict[Path, None] = {}
    foreign, waiting = set(), list(modules)
    while waiting:
        name = waiting.pop()
        found = _files_of(name)
        if not found or _lacks(found[-1], name):
            foreign.add(name.partition(".")[0])
        for path in found:
            if path not in files:
                files[path] = None
                waiting += _imports_of(path)
    return frozenset(files), frozenset(foreign)


@cache
def _imports_of(file: Path) -> set[str]:
    """Name the modules that one of our files imports; many cells rest on the same."""
    return modules_of(file.read_text(encoding="utf-8"))


@cache
def _files_of(name: str) -> list[Path]:
    """List the files that run when a module is imported: its packages, then itself."""
    path, files = Path(), []
    for part in name.split("."):
        path /= part
        own = (path / "__init__.py", path.with_suffix(".py"))
        places = (base / file for base in (INSTEAD, SRC, HERE) for file in own)
        files += islice((place for place in places if place.exists()), 1)
    return files


def _inside(path: Path) -> str:
    """Give the place of one of our files among a page's modules."""
    base = next(each for each in (INSTEAD, SRC, HERE) if path.is_relative_to(each))
    return path.relative_to(base).as_posix()


def _lacks(path: Path, name: str) -> bool:
    """Whether a page's own module has not what is imported from the other one."""
    if not path.is_relative_to(INSTEAD):
        return False
    module = re.sub(r"(/__init__)?\.py$", "", _inside(path)).replace("/", ".")
    wanted = name.removeprefix(module).removeprefix(".")
    return bool(wanted) and wanted not in names_of(path.read_text("utf-8")).binds


# --- What is fetched ------------------------------------------------------------------


def packed_course(codes: Iterable[str]) -> bytes:
    """Pack what live cells import of ours, and what runs them, as a zip file.

    The same sources give the same bytes. Data come along from beside a module and from
    its folder of runs, but for ``seed-*``: half a megabyte that no live cell reads.
    """
    modules = frozenset(name for code in codes for name in modules_of(code))
    files, _ = _closure(modules)
    folders = {path.parent for path in files}
    beside = (p for f in folders for p in (*f.iterdir(), *f.glob("runs/[!s]*")))
    data = {path for path in beside if path.suffix in BESIDE}
    runs = set(HERE.glob(f"{IN_PAGE}/*.py"))
    named = {_inside(path): path for path in files | data | runs}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(named.items()):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), path.read_bytes(), 8)
    return file.getvalue()


_LEVEL = 6  # the highest takes three times as long, for two thousandths of the bytes


@cache
def _vendored() -> tuple[Fetched, ...]:
    pack = partial(gzip.compress, compresslevel=_LEVEL, mtime=0)
    return tuple(
        Fetched(name, pack(content) if packed else content, packed)
        for name, path in VENDORED.items()
        for content, packed in [(vendored(path), name in PACKED)]
    )


def fetched(pages: Mapping[str, Cells]) -> list[Fetched]:
    """List what a first run fetches, on a site with these live cells."""
    return [*_vendored(), _course(tuple(_codes(pages)))]


@cache
def _course(codes: tuple[str, ...]) -> Fetched:
    """Pack the course's code once for a build, which asks for it four times."""
    return Fetched(COURSE, packed_course(codes), packed=False)


def write(static: Path, pages: Mapping[str, Cells]) -> None:
    """Write it below the site's `_static`."""
    folder = static / FOLDER
    folder.mkdir(exist_ok=True)
    for file in fetched(pages):
        (folder / file.at.partition("?")[0]).write_bytes(file.content)


def editor() -> str:
    """Give the editor with its layout as a script, which a page loads when needed."""
    layout = vendored("prism-code-editor/layout.css").decode()
    return vendored("prism-code-editor/editor.js").decode() + (
        'document.head.append(Object.assign(document.createElement("style"), '
        f"{{ textContent: {json.dumps(layout)} }}));\n"
    )


def style() -> str:
    """Give the stylesheet of pages with live cells."""
    return (HERE / "live.css").read_text(encoding="utf-8")


def script(pages: Mapping[str, Cells]) -> str:
    """Give what makes a page's buttons as a script; `rest` is what they do."""
    size = sum(len(file.content) for file in fetched(pages))
    told = {"rest": _address(REST, rest(pages)), "megabytes": f"{size / 1e6:.1f}"}
    return _script("main.js", f"globalThis.abhLive = {json.dumps(told)};")


def rest(pages: Mapping[str, Cells]) -> str:
    """Give what the buttons do as a script, which knows what will be fetched."""
    told = {
        "folder": f"_static/{FOLDER}/",
        "files": {
            file.name: {"at": file.at, "size": len(file.content), "packed": file.packed}
            for file in fetched(pages)
        },
        "editor": _address(EDITOR, editor()),
        "worker": (HERE / "worker.js").read_text(encoding="utf-8"),
    }
    return _script("cell.js", f"Object.assign(abhLive, {json.dumps(told)});")


def _script(entry: str, told: str) -> str:
    own = joined(sources(entry, HERE))
    return f'(() => {{\n"use strict";\n{told}\n{own}need("{entry}");\n}})();\n'


def _address(file: str, text: str) -> str:
    return f"_static/{file}?{_digest(text.encode())}"
