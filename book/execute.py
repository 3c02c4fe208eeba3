"""Run pages side by side: ``python -m book.execute ROOT CACHE PAGE...``.

Jupyter Book runs them one after another, except those whose results its cache
holds. This fills the cache with a process for each core, and prints the pages that
ran to their end. One that fails is not cached: Jupyter Book runs it again, and says
what is wrong.
"""

import logging
import sys
from contextlib import suppress
from pathlib import Path

import yaml
from jupyter_cache import get_cache
from jupyter_cache.base import JupyterCacheAbstract
from jupyter_cache.executors import load_executor
from jupyter_cache.readers import get_reader

QUIET = logging.getLogger(__name__)
QUIET.setLevel(logging.CRITICAL)
READERS = {
    ".ipynb": {"name": "nbformat", "type": "plugin"},
    ".md": {"name": "myst_nb_md", "type": "plugin"},
}


def forget(cache: JupyterCacheAbstract, paths: set[Path]) -> None:
    """Drop what the cache holds of these pages, which Jupyter Book would serve.

    The cache knows a page by its code, wherever it lay when it ran: a checkout may
    have been copied or renamed since.
    """
    for path in paths:
        page = get_reader(READERS[path.suffix])(str(path))
        with suppress(KeyError):
            cache.remove_cache(cache.match_cache_notebook(page).pk)


def fill_cache(root: Path, folder: Path, pages: list[str]) -> list[str]:
    """Run pages of the book under `root` anew; return those that ran to their end."""
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    cache = get_cache(str(folder))
    paths = {root / page for page in pages}
    forget(cache, paths)
    for path in paths:
        cache.add_nb_to_project(str(path), read_data=READERS[path.suffix])
    executor = load_executor("local-parallel", cache, QUIET)
    result = executor.run_and_cache(
        filter_uris=[str(path) for path in paths],
        timeout=config["execute"]["timeout"],
    )
    return [Path(uri).relative_to(root).as_posix() for uri in result.succeeded]


if __name__ == "__main__":
    root, folder, *pages = sys.argv[1:]
    print(*fill_cache(Path(root).resolve(), Path(folder).resolve(), pages), sep="\n")
