"""Begin a chapter: ``python -m book.new 11-long-context "Long context"``.

The command writes a small chapter that runs and passes every check: a notebook with
four steps (predict, reveal, explain, check), a package with an experiment, a figure and
a question, tests, and a line in the contents. The author then edits these files.
"""

import argparse
import re
from pathlib import Path
from string import Template

import nbformat
from nbformat import NotebookNode

from book.build import ROOMS, ROOT, room_of
from book.notebooks import rewrite

TEMPLATE = Path(__file__).parent / "template"
MODULES = ("__init__", "experiments", "figures", "questions")
TESTS = ("test_experiments", "test_figures")
NAME = re.compile(r"(\d\d-)?[a-z][a-z0-9]*(-[a-z0-9]+)*")
CELL = re.compile(r"^%% (markdown|code)((?: [\w-]+)*)(?: \| (.*))?$", re.MULTILINE)


def filled(template: str, words: dict[str, str]) -> str:
    """Return a file of the template with its placeholders replaced by `words`."""
    text = TEMPLATE.joinpath(template).read_text(encoding="utf-8")
    return Template(text).substitute(words)


def cells(text: str) -> list[NotebookNode]:
    """Return cells from text: a line ``%% kind tags | alt text``, then the source."""
    _, *parts = CELL.split(text)
    found = []
    for kind, tags, alt, source in zip(*(parts[i::4] for i in range(4)), strict=True):
        make = getattr(nbformat.v4, f"new_{kind}_cell")
        cell = make(source.strip())
        if tags:
            cell.metadata.tags = tags.split()
        if alt:
            cell.metadata.mystnb = {"image": {"alt": alt}}
        found.append(cell)
    return found


def notebook(words: dict[str, str]) -> NotebookNode:
    """Return the notebook of the chapter."""
    made = nbformat.v4.new_notebook(cells=cells(filled("chapter.txt", words)))
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    return made


def listed(toc: str, name: str) -> str:
    """Return the contents with a new chapter after the last numbered chapter."""
    lines = toc.splitlines(keepends=True)
    numbered = [i for i, line in enumerate(lines) if re.search(r"chapters/\d\d-", line)]
    at = max(numbered)
    new = re.sub(r"chapters/\S+", f"chapters/{name}", lines[at])
    return "".join([*lines[: at + 1], new, *lines[at + 1 :]])


def begin(name: str, title: str, root: Path = ROOT) -> list[Path]:
    """Write a chapter's files; return them.

    Parameters
    ----------
    name : str
        File name of the notebook, without its ending: ``11-long-context``.
    title : str
        The chapter's heading.
    root : Path
        Folder of the course.

    Returns
    -------
    list of Path
        The files that were written, the contents last.

    Raises
    ------
    ValueError
        If `name` has other characters than small letters, digits and hyphens.
    FileExistsError
        If the course already has a notebook or a package of that name.
    """
    if not NAME.fullmatch(name):
        raise ValueError(
            f"name must be small letters, digits and hyphens, as in "
            f"'11-long-context', got {name!r}"
        )
    room = room_of(f"{name}.ipynb")
    page = root / "chapters" / f"{name}.ipynb"
    for taken in (page, root / room):
        if taken.exists():
            raise FileExistsError(f"there is a {taken.relative_to(root)} already")
    words = {"title": title, "name": name, "room": room.name}
    tests = Path("tests/unit") / ROOMS.relative_to("src") / room.name
    written = [
        _write(root / (tests if file in TESTS else room) / f"{file}.py", file, words)
        for file in (*MODULES, *TESTS)
    ]
    nbformat.write(notebook(words), page)
    rewrite(page)
    toc = root / "_toc.yml"
    toc.write_text(listed(toc.read_text(encoding="utf-8"), name), encoding="utf-8")
    return [*written, page, toc]


def _write(path: Path, template: str, words: dict[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(filled(f"{template}.txt", words), encoding="utf-8")
    return path


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m book.new", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", help="of the notebook, as in 11-long-context")
    parser.add_argument("title", nargs="?", help="the heading; default: from the name")
    options = parser.parse_args(arguments)
    plain = re.sub(r"^\d\d-", "", options.name).replace("-", " ").capitalize()
    try:
        written = begin(options.name, options.title or plain)
    except (ValueError, FileExistsError) as error:
        parser.error(str(error))
    print(*(path.relative_to(ROOT) for path in written), sep="\n")
    return 0
