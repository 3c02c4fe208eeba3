"""Run pages in parallel: ``python -m book.execute ROOT CACHE PAGE...``.

Jupyter Book runs pages one after another, except those whose results its cache holds.
This module fills the cache with one process for each core. A page whose kernel died or
took too long runs once more, alone: on a busy machine the second run usually succeeds.

The command prints one JSON object: ``ran`` lists the pages that ran to their end, and
``failed`` describes the others (see `Failure`).
"""

import json
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from jupyter_cache.readers import get_reader
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from book.processes import end_with_parent

READERS = {
    ".ipynb": {"name": "nbformat", "type": "plugin"},
    ".md": {"name": "myst_nb_md", "type": "plugin"},
}
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_LINE = re.compile(r"Cell In\[\d+\], line (\d+)")


class Failure(NamedTuple):
    """A cell that did not run to its end."""

    page: str  # path of the page below the root of the book
    # Number of the cell. The first cell of a page, text or code, is number 1.
    cell: int
    line: int  # line of the cell, counted from 1; 0 if the line is unknown
    error: str  # the error in one line
    traceback: str  # the full traceback
    # Whether the kernel failed (it died or took too long) and not the code.
    by_kernel: bool


Outcome = NotebookNode | Failure


def run_page(root: Path, timeout: float, page: str) -> Outcome:
    """Run a page in its own folder; a cell may take `timeout` seconds.

    Return the page with its results, or the cell that stopped it.
    """
    path = root / page
    notebook = _read(path)
    started = [0]  # its last item is the index of the cell that runs
    client = NotebookClient(
        notebook,
        timeout=timeout,
        record_timing=False,
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=lambda cell, cell_index: started.append(cell_index),
    )
    try:
        client.execute()
    except CellExecutionError as error:
        said = _COLOUR.sub("", str(error))
        line = _LINE.search(said)
        message = " ".join(f"{error.ename}: {error.evalue}".split()).removesuffix(":")
        number = int(line[1]) if line else 0
        return Failure(page, started[-1] + 1, number, message, said, by_kernel=False)
    except Exception as error:  # a lost kernel raises errors of many types
        message = " ".join(f"{type(error).__name__}: {error}".split())
        said = traceback.format_exc()
        return Failure(page, started[-1] + 1, 0, message, said, by_kernel=True)
    return notebook


def _read(path: Path) -> NotebookNode:
    return get_reader(READERS[path.suffix])(str(path))


def forget(cache: JupyterCacheAbstract, paths: Iterable[Path]) -> None:
    """Remove the cached results of these pages, so that Jupyter Book cannot use them.

    The cache identifies a page by its code, not by its path. So results from before the
    checkout was copied or renamed are removed too.
    """
    for path in paths:
        with suppress(KeyError):
            cache.remove_cache(cache.match_cache_notebook(_read(path)).pk)


def run_again(run: Callable[[str], Outcome], pages: list[str]) -> Iterator[Outcome]:
    """Run pages in parallel; run each page whose kernel failed once more, alone.

    `run` runs a page, as `run_page` does; another process must be able to import it.
    """
    with ProcessPoolExecutor(initializer=end_with_parent) as pool:
        first = list(pool.map(run, pages))
    for page, outcome in zip(pages, first, strict=True):
        lost = isinstance(outcome, Failure) and outcome.by_kernel
        yield run(page) if lost else outcome


def fill_cache(root: Path, folder: Path, pages: list[str]) -> dict[str, Any]:
    """Run pages of the book anew; return the pages that ran, and the failures."""
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    cache = get_cache(str(folder))
    forget(cache, [root / page for page in pages])
    run = partial(run_page, root, config["execute"]["timeout"])
    ran, failed = [], []
    for page, outcome in zip(pages, run_again(run, pages), strict=True):
        if isinstance(outcome, Failure):
            failed.append(outcome._asdict())
            continue
        # Only this process writes to the cache: two writers would disturb each other.
        bundle = CacheBundleIn(outcome, str(root / page))
        cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
        ran.append(page)
    return {"ran": ran, "failed": failed}


if __name__ == "__main__":
    root, folder, *pages = sys.argv[1:]
    print(json.dumps(fill_cache(Path(root).resolve(), Path(folder).resolve(), pages)))
