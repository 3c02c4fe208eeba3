"""Run Python in the page: find the cells that run there, and the files to fetch.

The files of `book/vendor` (Pyodide, Python's library, NumPy) and the course's own code
are in the site's folder ``_static/python``. The page fetches them when a reader first
presses Run. The worker stores each file that matches the digest in its address in the
browser, and reads it from there at the next visit. The page uses no service worker,
because a service worker would not obey the page's security policy. The package
`in_page` runs in the browser, in Pyodide; the scripts in this folder run in the page.

An open cell is a code cell that is not folded. It runs in the page if the cell and the
open cells that it needs import only the standard library, NumPy, and modules of ``src``
that import only these. So authors add no tag. A cell that imports matplotlib gets no
Run button. `in_page.cells` finds the cells that must run first, from the names that
each cell reads and binds. Anchors and stored texts refer to an exercise by its name,
and to any other cell by its id, which depends on the cell's code.

``instead/`` replaces modules of ``src`` that need a notebook. Its ``Machine`` draws
nothing and sets the page's figure of the same name. Its ``ask`` asks nothing. Its
``counted`` shows progress as a line of text, not as a bar. At the end of a run the page
gets the values that code has set in figures, as texts. The page checks these texts like
the texts of a link (``book/runtime/figures.js``) and accepts or refuses them. If a cell
runs only because another cell needs it, the figures keep the reader's values.

Python runs in a worker from a ``blob:`` URL, because a worker from a file of the site
would not obey the page's policy. Browser tests try requests that the policy refuses.
"""

import ast
import gzip
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from book.addresses import digest
from book.live.in_page.cells import links_of, names_of, needed
from book.notebooks import FOLDED, tags
from book.vendor import vendored
from course.practice.exercises import EXERCISES
from course.widgets.bundler import program

HERE = Path(__file__).parent
SRC = HERE.parents[1] / "src"
INSTEAD = HERE / "instead"  # modules that a page has in place of those of `src`
IN_PAGE = "in_page"
FOLDER = "python"  # below the site's `_static`
COURSE = "course.zip"
EDITOR = "live-editor.js"
CELL_SCRIPT = "live-cells.js"
NUMPY = "numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
VENDORED = {
    "pyodide.asm.wasm": "pyodide/pyodide.asm.wasm",
    "pyodide.asm.js": "pyodide/pyodide.asm.js",
    "pyodide.mjs": "pyodide/pyodide.mjs",
    "pyodide-lock.json": "pyodide/pyodide-lock.json",
    "python_stdlib.zip": "python/python_stdlib.zip",
    NUMPY: f"numpy/{NUMPY}",
}
BESIDE = {".csv", ".json", ".safetensors"}  # data files in the folder of a module
NOT_NEEDED = {"threadpoolctl"}  # `attention` works without it
EXERCISE = "exercise"  # the tag of a cell that a reader completes
_CHECK = re.compile(r'^check\("([\w-]+)",', re.MULTILINE)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # date of each file in `COURSE`
MARK = ' live docutils container" id="cell-'  # marks a live cell in a page's HTML


class Cell(NamedTuple):
    """A live cell: its name on its page, its code, and its title if it is an exercise.

    An exercise has its own name. The name of any other cell is its id, which depends on
    its code. So a text that a device has stored for such a cell belongs to this code.
    """

    name: str
    code: str
    title: str = ""


Cells = Mapping[int, Cell]  # by index in the notebook


class Fetched(NamedTuple):
    """A file to fetch: its name in Pyodide, and its content as the site stores it."""

    name: str
    content: bytes
    gzipped: bool

    @property
    def at(self) -> str:
        """Address of the file below `FOLDER`."""
        return f"{self.name}{'.packed' * self.gzipped}?{digest(self.content)}"


# --- What runs ------------------------------------------------------------------------


def open_cells(notebook: NotebookNode) -> dict[int, NotebookNode]:
    """Return the code cells of a chapter that are not folded, by index."""
    return {
        index: cell
        for index, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and not tags(cell) & FOLDED
    }


def live_cells(notebook: NotebookNode) -> dict[int, Cell]:
    """Return the open cells that the page can run together with the cells they need."""
    found = open_cells(notebook)
    codes = [cell.source for cell in found.values()]
    links = links_of(codes)
    can_run = [is_here(modules_of(code)) for code in codes]
    return {
        index: _named(cell)
        for i, (index, cell) in enumerate(found.items())
        if all(can_run[k] for k in needed(links, i))
    }


def _named(cell: NotebookNode) -> Cell:
    if EXERCISE not in tags(cell):
        return Cell(cell.id, cell.source)
    found = _CHECK.search(cell.source)
    if found is None:
        return Cell("write-the-test", cell.source, "Write the test")
    return Cell(found[1], cell.source, EXERCISES[found[1]].title)


def of_chapters(folder: Path) -> dict[str, Cells]:
    """Return the live cells of each chapter that has some, by the name of its page."""
    pages = {
        f"{folder.name}/{path.stem}": live_cells(nbformat.read(path, as_version=4))
        for path in sorted(folder.glob("*.ipynb"))
    }
    return {page: cells for page, cells in pages.items() if cells}


def modules_of(code: str) -> set[str]:
    """Return the names that code imports: ``module`` or ``module.name``."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return {"IPython"}  # such as %timeit or !ls, which only IPython understands
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def is_here(modules: Iterable[str]) -> bool:
    """Return whether a page has these modules and all modules that they import."""
    _, foreign = _closure(frozenset(modules))
    return foreign <= sys.stdlib_module_names | {"numpy"} | NOT_NEEDED


@cache
def _closure(modules: frozenset[str]) -> tuple[frozenset[Path], frozenset[str]]:
    """Return our files that modules import, and the names of foreign packages."""
    files: set[Path] = set()
    foreign, waiting = set(), list(modules)
    while waiting:
        name = waiting.pop()
        found = _files_of(name)
        if not found or _lacks(found[-1], name):
            foreign.add(name.partition(".")[0])
        for path in found:
            if path not in files:
                files.add(path)
                waiting += _imports_of(path)
    return frozenset(files), frozenset(foreign)


@cache
def _imports_of(file: Path) -> set[str]:
    """Return the names that one of our files imports; cached for many cells."""
    return modules_of(file.read_text(encoding="utf-8"))


@cache
def _files_of(name: str) -> list[Path]:
    """List the files that run when a module is imported: its packages, then itself."""
    path, files = Path(), []
    for part in name.split("."):
        path /= part
        names = (path / "__init__.py", path.with_suffix(".py"))
        candidates = (base / file for base in (INSTEAD, SRC, HERE) for file in names)
        files += [file for file in candidates if file.exists()][:1]
    return files


def _inside(path: Path) -> str:
    """Return the path of one of our files inside `COURSE`."""
    base = next(b for b in (INSTEAD, SRC, HERE) if path.is_relative_to(b))
    return path.relative_to(base).as_posix()


def _lacks(path: Path, name: str) -> bool:
    """Return whether a module of `INSTEAD` lacks a name that code imports from it."""
    if not path.is_relative_to(INSTEAD):
        return False
    module = re.sub(r"(/__init__)?\.py$", "", _inside(path)).replace("/", ".")
    wanted = name.removeprefix(module).removeprefix(".")
    return bool(wanted) and wanted not in names_of(path.read_text("utf-8")).binds


# --- What is fetched ------------------------------------------------------------------


def zipped_course(codes: Iterable[str]) -> bytes:
    """Return a zip file of our modules that live cells import, and of `in_page`.

    The same sources give the same bytes. Data files of a module's folder and of its
    folder ``runs`` are included, except ``runs/s*``: half a megabyte of files
    ``seed-*`` that no live cell reads.
    """
    modules = frozenset(name for code in codes for name in modules_of(code))
    files, _ = _closure(modules)
    folders = {path.parent for path in files}
    beside = (p for f in folders for p in (*f.iterdir(), *f.glob("runs/[!s]*")))
    data = {path for path in beside if path.suffix in BESIDE}
    in_page = set(HERE.glob(f"{IN_PAGE}/*.py"))
    named = {_inside(path): path for path in files | data | in_page}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, path in sorted(named.items()):
            info, content = zipfile.ZipInfo(name, _EPOCH), path.read_bytes()
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


# Level 9 takes three to five times as long, and its files are only 0.5 % smaller.
_LEVEL = 6


@cache
def _vendored(name: str) -> Fetched:
    """Return a file of `book/vendor`, gzipped if it is no zip file and no wheel."""
    content = vendored(VENDORED[name])
    if name.endswith((".zip", ".whl")):
        return Fetched(name, content, gzipped=False)
    return Fetched(name, gzip.compress(content, _LEVEL, mtime=0), gzipped=True)


def fetched(pages: Mapping[str, Cells]) -> list[Fetched]:
    """List the files that a first run fetches, on a site with these live cells."""
    codes = (cell.code for cells in pages.values() for cell in cells.values())
    return [*map(_vendored, VENDORED), _course(tuple(codes))]


@cache
def _course(codes: tuple[str, ...]) -> Fetched:
    """Return the zipped course; cached, because a build asks for it four times."""
    return Fetched(COURSE, zipped_course(codes), gzipped=False)


def write(static: Path, pages: Mapping[str, Cells]) -> None:
    """Write the files that a first run fetches below the site's `_static`."""
    folder = static / FOLDER
    folder.mkdir(exist_ok=True)
    for file in fetched(pages):
        (folder / file.at.partition("?")[0]).write_bytes(file.content)


def editor() -> str:
    """Return the editor with its layout as a script, which a page loads when needed."""
    layout = vendored("prism-code-editor/layout.css").decode()
    return vendored("prism-code-editor/editor.js").decode() + (
        'document.head.append(Object.assign(document.createElement("style"), '
        f"{{ textContent: {json.dumps(layout)} }}));\n"
    )


def script(pages: Mapping[str, Cells]) -> str:
    """Return the small script that adds the Run buttons.

    At the first press it loads the large script, which `cell_script` returns.
    """
    size = sum(len(file.content) for file in fetched(pages))
    settings = {
        "cellScript": _address(CELL_SCRIPT, cell_script(pages)),
        "megabytes": f"{size / 1e6:.1f}",
    }
    return program("main.js", HERE, f"globalThis.abhLive = {json.dumps(settings)};")


def cell_script(pages: Mapping[str, Cells]) -> str:
    """Return the script that the buttons load, with the list of files to fetch."""
    settings = {
        "folder": f"_static/{FOLDER}/",
        "files": {
            file.name: {
                "at": file.at,
                "size": len(file.content),
                "gzipped": file.gzipped,
            }
            for file in fetched(pages)
        },
        "editor": _address(EDITOR, editor()),
        "worker": (HERE / "worker.js").read_text(encoding="utf-8"),
    }
    return program("cell.js", HERE, f"Object.assign(abhLive, {json.dumps(settings)});")


def _address(file: str, text: str) -> str:
    return f"_static/{file}?{digest(text.encode())}"
