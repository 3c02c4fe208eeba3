"""Bring notebooks into the form in which they are committed.

``python -m book.notebooks`` runs and rewrites every chapter. An argument such as ``03``
selects the chapters whose file names begin with ``03``. With ``--tidy`` the command
rewrites the chapters without running them: this removes needless outputs and metadata.

A committed notebook holds no images and no widget state. Its text is Markdown that
every host of notebooks renders (`book.plain`). A cell tagged ``printed`` keeps its
printed text and the execution count 1, so that nbval compares the text; every other
cell has neither output nor count. The site leaves out the first cell. JupyterLab folds
this cell, so its reader sees only the first line: a note to run the cells, because
figures need them. If the course is not installed, the cell prints what is missing.
"""

import argparse
import hashlib
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.warnings import MissingIDFieldWarning

from book import colours
from book.build import chapters
from book.processes import end_with_parent

PRINTED = "printed"
DIRECTIVE = re.compile(r"^(?:`{3,}|:{3,})\{", re.MULTILINE)
REMEDY = (
    "which most hosts show as code: write a note as > **Title**, a fold as <details>"
)
FOLDED = {"hide-input", "remove-input", "remove-cell"}
FIRST_CELL = """\
# Run the cells from here on: figures, and words that set them, come with their cells
from importlib.util import find_spec

if find_spec("course") is None:
    print(
        "This notebook needs the course's own packages, and this Python has not got "
        "them. In a copy of the course's repository, `make lab` installs them and "
        "opens JupyterLab; the README says what to type without make."
    )"""
METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


def tags(cell: NotebookNode) -> set[str]:
    """Return the tags of a cell."""
    return set(cell.metadata.get("tags", []))


def text_outputs(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Return the outputs that nbval compares: printed text and plain results."""
    compared = []
    for output in outputs:
        if output.output_type == "stream" and output.name == "stdout":
            compared.append(
                nbformat.v4.new_output("stream", name="stdout", text=output.text)
            )
        elif output.output_type == "execute_result":
            plain = {"text/plain": output.data["text/plain"]}
            compared.append(
                nbformat.v4.new_output("execute_result", plain, execution_count=1)
            )
    return compared


def _cell_metadata(cell: NotebookNode) -> dict:
    """Return a cell's tags and settings. JupyterLab folds what the site folds."""
    metadata = {k: cell.metadata[k] for k in ("mystnb", "tags") if k in cell.metadata}
    if cell.cell_type == "code" and tags(cell) & FOLDED:
        metadata["jupyter"] = {"source_hidden": True}
    return metadata


def _cell_ids(cells: Iterable[NotebookNode]) -> Iterator[str]:
    """Yield ids that depend only on the content, so that a diff shows only changes."""
    seen: dict[str, int] = {}
    for cell in cells:
        digest = hashlib.sha256(cell.source.encode()).hexdigest()[:12]
        seen[digest] = seen.get(digest, -1) + 1
        yield f"{digest}-{seen[digest]}" if seen[digest] else digest


def _opened(notebook: NotebookNode) -> NotebookNode:
    """Return a copy; it begins with `FIRST_CELL` if the notebook imports the course."""
    copy = deepcopy(notebook)
    code = [cell.source for cell in copy.cells if cell.cell_type == "code"]
    imports = any(re.search(r"^(from|import) course\b", text, re.M) for text in code)
    if imports and copy.cells[0].source.rstrip() != FIRST_CELL:
        # The notebook may have `FIRST_CELL` further down, below the author's new cell.
        copy.cells = [each for each in copy.cells if each.source.rstrip() != FIRST_CELL]
        if "remove-cell" in tags(copy.cells[0]):
            del copy.cells[0]
        metadata = {"tags": ["remove-cell"]}
        copy.cells.insert(0, nbformat.v4.new_code_cell(FIRST_CELL, metadata=metadata))
    return copy


def _recoloured(notebook: NotebookNode) -> NotebookNode:
    """Return a copy with the current colours in formulas."""
    copy = deepcopy(notebook)
    now = colours.current()
    stated = copy.metadata.get(colours.KEY, now)
    for cell in copy.cells:
        if cell.cell_type == "markdown":
            cell.source = colours.recoloured(cell.source, stated, now)
    return copy


def normalised(notebook: NotebookNode) -> NotebookNode:
    """Return a copy of an executed notebook in its committed form."""
    notebook = _recoloured(_opened(notebook))
    metadata = NotebookNode({**METADATA, colours.KEY: colours.current()})
    cells = []
    for cell, cell_id in zip(notebook.cells, _cell_ids(notebook.cells), strict=True):
        fresh = NotebookNode(
            cell_type=cell.cell_type,
            id=cell_id,
            metadata=NotebookNode(_cell_metadata(cell)),
            source=cell.source.rstrip(),
        )
        if "attachments" in cell:  # pictures that a reader pasted into the text
            fresh.attachments = cell.attachments
        if cell.cell_type == "code":
            printed = PRINTED in tags(cell)
            fresh.execution_count = 1 if printed else None
            fresh.outputs = text_outputs(cell.outputs) if printed else []
        cells.append(fresh)
    return NotebookNode(nbformat=4, nbformat_minor=5, metadata=metadata, cells=cells)


def problems(notebook: NotebookNode) -> list[str]:
    """List the differences between a notebook and its committed form."""
    found = []
    if notebook.metadata.get("widgets"):
        found.append("the notebook carries widget state")
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            if DIRECTIVE.search(cell.source):
                found.append(f"cell {number} holds a directive of MyST, {REMEDY}")
            continue
        if PRINTED in tags(cell):
            if not cell.outputs or cell.execution_count != 1:
                found.append(f"cell {number} is tagged {PRINTED} but holds no output")
            elif text_outputs(cell.outputs) != cell.outputs:
                found.append(f"cell {number} holds more than printed text")
        elif cell.outputs or cell.execution_count is not None:
            found.append(f"cell {number} holds leftover output or a count")
    return found or _differences(notebook, normalised(notebook))


def _differences(notebook: NotebookNode, fresh: NotebookNode) -> list[str]:
    """List the changes that a notebook with correct outputs still needs."""
    if len(fresh.cells) != len(notebook.cells):
        return ["the first cell does not say what is missing without the course"]
    found = []
    for number, pair in enumerate(zip(notebook.cells, fresh.cells, strict=True)):
        cell, now = pair
        kind = "prose" if cell.cell_type == "markdown" else "code"
        if cell.source != now.source:
            found.append(
                f"the {kind} of cell {number} has other colours or line ends: "
                "run `make tidy`"
            )
        elif cell.get("id") != now.id:
            found.append(f"the {kind} of cell {number} changed: run `make notebooks`")
        elif cell != now:
            found.append(f"cell {number} has other metadata")
    if not found and notebook != fresh:
        found.append("the notebook has other metadata")
    return found


def _read(path: Path) -> NotebookNode:
    """Read a notebook. Cells may lack ids, which `normalised` gives them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingIDFieldWarning)
        return nbformat.read(path, as_version=4)


def execute(path: Path) -> NotebookNode:
    """Run a notebook in its own folder and return it with its outputs."""
    notebook = _read(path)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=120,
        record_timing=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # hides a warning about TCP
        coalesce_streams=True,  # text printed in two parts is one output
        resources={"metadata": {"path": str(path.parent)}},
    )
    return client.execute()


def rewrite(path: Path, read: Callable[[Path], NotebookNode] = execute) -> None:
    """Run a notebook and write it in its committed form."""
    try:
        notebook = normalised(read(path))
    except Exception as error:  # the error of a cell or of JSON names no file
        raise RuntimeError(f"{error}\n{path.name} was not written.") from None
    _write(notebook, path)


def tidy(path: Path) -> None:
    """Write a notebook in its committed form without running it."""
    rewrite(path, _read)


def _write(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook unless its file already holds the same text."""
    text = nbformat.writes(notebook) + "\n"
    if path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Rewrite the notebooks; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beginnings", nargs="*", help="how the files' names begin")
    parser.add_argument("--tidy", action="store_true", help="run nothing")
    options = parser.parse_args(arguments)
    paths = [path for each in options.beginnings or [""] for path in chapters(each)]
    if options.tidy:
        list(map(tidy, paths))
        return 0
    with ProcessPoolExecutor(initializer=end_with_parent) as pool:
        try:
            list(pool.map(rewrite, paths))
        except KeyboardInterrupt:
            os._exit(130)  # the pool would first run and write two more notebooks
    return 0


if __name__ == "__main__":
    sys.exit(main())
