"""Run notebooks side by side: ``python -m book.execute ROOT CACHE``.

Jupyter Book runs them one after another, except those whose results its cache
holds. This fills the cache with a process for each core. A notebook that fails is
not cached: Jupyter Book runs it again, and says what is wrong.
"""

import logging
import sys
from pathlib import Path

import yaml
from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor

QUIET = logging.getLogger(__name__)
QUIET.setLevel(logging.CRITICAL)


def fill_cache(root: Path, path: Path) -> None:
    """Run the notebooks of the book under `root`; keep their results at `path`."""
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    cache = get_cache(str(path))
    for notebook in (root / "chapters").glob("*.ipynb"):
        cache.add_nb_to_project(str(notebook))
    executor = load_executor("local-parallel", cache, QUIET)
    executor.run_and_cache(timeout=config["execute"]["timeout"])


if __name__ == "__main__":
    fill_cache(*(Path(argument).resolve() for argument in sys.argv[1:]))
