"""Run the cells of notebooks without a kernel: ``python -m book.run_cells PATH...``.

Each notebook runs in a fresh namespace. A cell fails if it raises, warns or writes to
stderr, or if its printed text differs from stored printed text. A cell without stored
printed text may print. `make check` uses this module: a kernel takes longer to start
than most chapters take to run. nbval, in `make test`, compares every stored output.
"""

import os
import sys
import warnings
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from book.processes import end_with_parent


def complaints(path: Path) -> list[str]:
    """Run a notebook; return the failures, up to the first cell that raises."""
    found: list[str] = []
    shell = InteractiveShell(colors="nocolor")
    before = Path.cwd()
    os.chdir(path.parent)  # as a kernel does
    try:
        for number, cell in enumerate(nbformat.read(path, as_version=4).cells, 1):
            if cell.cell_type != "code":
                continue
            with capture_output() as captured:
                result = shell.run_cell(cell.source)
            plt.close("all")
            where = f"{path.name}, cell {number}"
            if not result.success:
                return [*found, f"{where}:\n{captured.stdout}{captured.stderr}"]
            if captured.stderr:
                found.append(f"{where} complains:\n{captured.stderr}")
            stored = printed(cell)
            if stored is not None and captured.stdout != stored:
                found.append(
                    f"{where} prints other text than it has stored.\n"
                    f"stored:\n{stored}printed:\n{captured.stdout}"
                    "If the new text is right, run "
                    f"`make notebooks CHAPTER={path.stem}`."
                )
    finally:
        os.chdir(before)
    return found


def printed(cell: nbformat.NotebookNode) -> str | None:
    """Return the text that a cell has stored as printed; None if it stores nothing."""
    texts = [out.text for out in cell.outputs if out.get("name") == "stdout"]
    return "".join(texts) if texts else None


def prepare() -> None:
    """Prepare a process: draw without a window, and turn warnings into errors."""
    end_with_parent()
    plt.switch_backend("agg")
    warnings.simplefilter("error")


def main(paths: Sequence[str]) -> int:
    """Run each notebook in a process; print failures; return 1 if there are any."""
    files = [Path(path).resolve() for path in paths]
    files.sort(key=lambda path: path.stat().st_size, reverse=True)
    with ProcessPoolExecutor(initializer=prepare) as pool:
        found = [each for some in pool.map(complaints, files) for each in some]
    print("\n".join(found) or f"Notebooks that run as stored: {len(files)}.")
    return int(bool(found))


if __name__ == "__main__":
    # Imported by name, because a notebook's shell replaces `__main__` in its process.
    sys.exit(import_module("book.run_cells").main(sys.argv[1:]))
